// SPDX-License-Identifier: MIT
#include "tools/command/write_file.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace dovetail {

namespace {

// Closes the descriptor and removes the temporary file unless told that both are done with.
class OpenFile {
public:
  OpenFile(int descriptor, std::string temporary) : m_descriptor(descriptor), m_temporary(std::move(temporary)) {}
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;
  ~OpenFile() {
    if (m_descriptor >= 0)
      ::close(m_descriptor);
    if (!m_temporary.empty())
      ::unlink(m_temporary.c_str());
  }

  int descriptor() const { return m_descriptor; }
  // Whether what was written reached the file: some file systems only tell when it is closed.
  bool close() { return ::close(std::exchange(m_descriptor, -1)) == 0; }
  void keep() { m_temporary.clear(); }

private:
  int m_descriptor;
  std::string m_temporary;
};

bool writeAll(int descriptor, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

tl::unexpected<Error> systemError(std::string_view action, const std::string &path) {
  return makeError(ErrorCode::Io, "cannot {} {}: {}", action, path, std::strerror(errno));
}

Result<void> writeInPlace(const std::string &path, std::span<const uint8_t> bytes) {
  int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError("open", path);
  OpenFile file(descriptor, "");
  if (!writeAll(descriptor, bytes) || !file.close())
    return systemError("write", path);
  return {};
}

} // namespace

Result<void> writeFileAtomically(const std::string &path, std::span<const uint8_t> bytes) {
  struct stat status;
  bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    return systemError("write", path);
  }
  if (exists && !S_ISREG(status.st_mode))
    return writeInPlace(path, bytes);

  // A link is followed, so that the file that it names is replaced and not the link.
  std::error_code failure;
  std::string target = exists ? std::filesystem::canonical(path, failure).string() : path;
  if (failure)
    return makeError(ErrorCode::Io, "cannot write {}: {}", path, failure.message());

  std::string temporary = target + ".XXXXXX";
  int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0)
    return systemError("write", path);
  OpenFile file(descriptor, temporary);
  mode_t mask = ::umask(0);
  ::umask(mask);
  if (::fchmod(descriptor, exists ? status.st_mode & 0777 : 0666 & ~mask) != 0)
    return systemError("write", path);
  if (!writeAll(descriptor, bytes) || ::fsync(descriptor) != 0 || !file.close())
    return systemError("write", path);
  if (::rename(temporary.c_str(), target.c_str()) != 0)
    return systemError("replace", path);
  file.keep();
  return {};
}

Result<void> writeFileAtomically(const std::string &path, std::string_view text) {
  return writeFileAtomically(path, std::span(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
}

Result<void> makeFolder(const std::string &path) {
  std::error_code failure;
  std::filesystem::create_directory(path, failure);
  if (failure)
    return makeError(ErrorCode::Io, "cannot make the folder {}: {}", path, failure.message());
  return {};
}

Result<std::string> readWholeFile(const std::string &path) {
  int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return systemError("read", path);
  OpenFile file(descriptor, "");
  std::string content;
  char buffer[65536];
  for (;;) {
    ssize_t length = ::read(descriptor, buffer, sizeof(buffer));
    if (length < 0 && errno == EINTR)
      continue;
    if (length < 0)
      return systemError("read", path);
    if (length == 0)
      return content;
    content.append(buffer, length);
  }
}

} // namespace dovetail
