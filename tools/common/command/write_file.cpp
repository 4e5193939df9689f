// SPDX-License-Identifier: MIT
#include "tools/common/command/write_file.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace dovetail {

namespace {

namespace fs = std::filesystem;

class Descriptor {
public:
  explicit Descriptor(int number) : m_number(number) {}
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() {
    if (m_number >= 0)
      ::close(m_number);
  }

  bool isOpen() const { return m_number >= 0; }
  int number() const { return m_number; }
  // Whether the written bytes reached the file: some file systems report errors only at close().
  bool close() { return ::close(std::exchange(m_number, -1)) == 0; }

private:
  int m_number;
};

// A new file in a folder; the destructor removes it unless rename() has succeeded. Its own name is short, because the
// wanted name may already have the greatest length.
class TemporaryFile {
public:
  explicit TemporaryFile(int folder) : m_folder(folder), m_file(create()) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (m_file.isOpen() || m_isClosed)
      ::unlinkat(m_folder, m_name.c_str(), 0);
  }

  bool isOpen() const { return m_file.isOpen(); }
  int number() const { return m_file.number(); }
  bool close() {
    m_isClosed = true;
    return m_file.close();
  }
  // To be called after close().
  bool rename(const std::string &name) {
    if (::renameat(m_folder, m_name.c_str(), m_folder, name.c_str()) != 0)
      return false;
    m_isClosed = false;
    return true;
  }

private:
  int create() {
    for (unsigned attempt = 0;; ++attempt) {
      m_name = fmt::format(".dovetail-{}-{}", ::getpid(), attempt);
      // The permissions that the process gives to new files.
      const int number = ::openat(m_folder, m_name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (number >= 0 || errno != EEXIST || attempt == 1000)
        return number;
    }
  }

  int m_folder;
  std::string m_name;
  bool m_isClosed = false;
  Descriptor m_file;
};

tl::unexpected<Error> systemError(std::string_view action, const std::string &path) {
  return makeError(ErrorCode::Io, "cannot {} {}: {}", action, path, std::strerror(errno));
}

bool writeAll(int descriptor, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

bool isInProc(const fs::path &folder) {
  struct statfs status;
  return ::statfs(folder.empty() ? "." : folder.c_str(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

struct Target {
  fs::path path;
  bool isDescriptor = false; // a link in /proc, which stands for an open descriptor of a process
};

// The path behind all links; the file itself may be missing.
Result<Target> followLinks(const std::string &path) {
  Target target = {path};
  constexpr unsigned MaxLinks = 40; // the system's own limit
  for (unsigned count = 0;; ++count) {
    struct stat status;
    if (::lstat(target.path.c_str(), &status) != 0) {
      if (errno == ENOENT)
        return target;
      return systemError("write", path);
    }
    if (!S_ISLNK(status.st_mode))
      return target;
    if (isInProc(target.path.parent_path())) {
      target.isDescriptor = true;
      return target;
    }
    std::error_code failure;
    fs::path next = fs::read_symlink(target.path, failure);
    if (failure || count == MaxLinks) {
      errno = failure ? failure.value() : ELOOP;
      return systemError("write", path);
    }
    target.path = next.is_absolute() ? std::move(next) : target.path.parent_path() / next;
  }
}

Result<void> writeInPlace(const fs::path &target, std::span<const uint8_t> bytes, const std::string &path) {
  Descriptor file(::open(target.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!file.isOpen())
    return systemError("open", path);
  if (!writeAll(file.number(), bytes) || !file.close())
    return systemError("write", path);
  return {};
}

} // namespace

Result<void> writeFileAtomically(const std::string &path, std::span<const uint8_t> bytes) {
  const Target target = DOVETAIL_TRY(followLinks(path));
  struct stat status;
  const bool exists = ::stat(target.path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return systemError("write", path);
  }
  if (target.isDescriptor || (exists && !S_ISREG(status.st_mode)))
    return writeInPlace(target.path, bytes, path);

  const fs::path folderPath = target.path.parent_path();
  Descriptor folder(::open(folderPath.empty() ? "." : folderPath.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.isOpen())
    return systemError("write", path);
  TemporaryFile file(folder.number());
  if (!file.isOpen())
    return systemError("write", path);
  if (exists && ::fchmod(file.number(), status.st_mode & 0777) != 0)
    return systemError("write", path);
  if (!writeAll(file.number(), bytes) || ::fsync(file.number()) != 0 || !file.close())
    return systemError("write", path);
  if (!file.rename(target.path.filename()))
    return systemError("replace", path);
  return {};
}

Result<void> writeFileAtomically(const std::string &path, std::string_view text) {
  return writeFileAtomically(path, std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

Result<void> writeDescriptor(int descriptor, std::span<const uint8_t> bytes, const std::string &name) {
  if (!writeAll(descriptor, bytes))
    return systemError("write", name);
  return {};
}

Result<void> makeFolder(const std::string &path) {
  std::error_code failure;
  fs::create_directory(path, failure);
  if (failure)
    return makeError(ErrorCode::Io, "cannot make the folder {}: {}", path, failure.message());
  return {};
}

Result<std::string> readWholeFile(const std::string &path, size_t maxBytes) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.isOpen())
    return systemError("read", path);
  std::string content;
  char buffer[65536];
  for (;;) {
    ssize_t length = ::read(file.number(), buffer, sizeof(buffer));
    if (length < 0 && errno == EINTR)
      continue;
    if (length < 0)
      return systemError("read", path);
    if (length == 0)
      return content;
    if (content.size() + length > maxBytes)
      return makeError(ErrorCode::InvalidInput, "{} has more than {} bytes, which is as much as is read", path,
                       maxBytes);
    content.append(buffer, length);
  }
}

} // namespace dovetail
