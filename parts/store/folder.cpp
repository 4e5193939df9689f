// SPDX-License-Identifier: MIT
#include "parts/store/folder.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

namespace {

// On these, memory that processes share differs between machines. The numbers are SMB2 and CIFS.
constexpr std::array<uint32_t, 6> RemoteFileSystems = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, 0xfe534d42,
                                                       0xff534d42,      AFS_SUPER_MAGIC, CODA_SUPER_MAGIC};

// Why a file or folder must not be used; nullptr if it may be used.
const char *objectionTo(const struct stat &status, bool trusts) {
  return trusts                                        ? nullptr
         : status.st_uid != geteuid()                  ? "it belongs to another user"
         : (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "others may write to it"
                                                       : nullptr;
}

// Returns false on failure, with the reason in errno.
bool makeFolders(const std::string &path) {
  for (size_t end = 0; end != std::string::npos;) {
    end = path.find('/', end + 1);
    if (mkdir(path.substr(0, end).c_str(), 0700) != 0 && errno != EEXIST)
      return false;
  }
  return true;
}

} // namespace

tl::unexpected<Error> ioError(const std::string &path, std::string_view reason) {
  return makeError(ErrorCode::Io, "part store: {}: {}", path, reason.empty() ? std::strerror(errno) : reason);
}

FileStatus look(const std::string &path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0)
    return {};
  return {status.st_dev, status.st_ino, uint64_t(status.st_size)};
}

Result<std::string> openFolder(const PartStoreOptions &options) {
  std::string path = options.path;
  if (path.empty())
    return makeError(ErrorCode::InvalidInput, "part store: the name of its folder is empty");
  while (path.size() > 1 && path.back() == '/')
    path.pop_back(); // a link with a slash behind it would be followed
  if (!options.readOnly && !makeFolders(path))
    return ioError(path);

  struct stat status;
  struct statfs system;
  char resolved[PATH_MAX];
  if (lstat(path.c_str(), &status) != 0)
    return ioError(path);
  if (S_ISLNK(status.st_mode) && !options.trustFolder)
    return ioError(path, "it is a link");
  // SQLite is told to follow no links, not even those that lead to the folder; so the path is resolved here.
  if (!realpath(path.c_str(), resolved) || stat(resolved, &status) != 0 || statfs(resolved, &system) != 0)
    return ioError(path);
  if (!S_ISDIR(status.st_mode))
    return ioError(path, std::strerror(ENOTDIR));
  if (std::ranges::count(RemoteFileSystems, uint32_t(system.f_type)) > 0)
    return ioError(path, "the folder is on another machine");
  if (const char *objection = objectionTo(status, options.trustFolder))
    return ioError(path, objection);
  return std::string(resolved);
}

Result<void> checkFile(const std::string &path, bool trusts) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0)
    return {};
  const char *objection = S_ISLNK(status.st_mode)    ? "it is a link"
                          : !S_ISREG(status.st_mode) ? "it is no file"
                                                     : objectionTo(status, trusts);
  return objection ? ioError(path, objection) : Result<void>();
}

Result<FolderLock> lockFolder(const std::string &path, Patience patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  const int folder = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FolderLock lock(nullptr, [folder](void *) {
    flock(folder, LOCK_UN); // a forked process may have it open, too
    close(folder);
  });
  while (flock(folder, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK)
      return ioError(path);
    if (std::chrono::steady_clock::now() >= end)
      return ioError(path, "another process has locked the store");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return lock;
}

} // namespace dovetail::store
