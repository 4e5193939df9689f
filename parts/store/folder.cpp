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
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

namespace {

constexpr const char *LockName = "store.lock";

// Memory that processes share there is not the same for all machines. The numbers are SMB2 and CIFS.
constexpr std::array<uint32_t, 6> RemoteFileSystems = {NFS_SUPER_MAGIC, SMB_SUPER_MAGIC, 0xfe534d42,
                                                       0xff534d42,      AFS_SUPER_MAGIC, CODA_SUPER_MAGIC};

// Why something must not be used, or nullptr.
const char *objectionTo(const struct stat &status) {
  return status.st_uid != geteuid()                    ? "it belongs to another user"
         : (status.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "others may write to it"
                                                       : nullptr;
}

// false: errno says why.
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

Result<Folder> Folder::open(const PartStoreOptions &options) {
  std::string path = options.path;
  if (path.empty())
    return makeError(ErrorCode::InvalidInput, "part store: the name of its folder is empty");
  while (path.size() > 1 && path.back() == '/')
    path.pop_back(); // a link with a slash behind it would be followed
  if (!options.readOnly && !makeFolders(path))
    return ioError(path);

  struct stat status, database;
  struct statfs system;
  char resolved[PATH_MAX];
  if (lstat(path.c_str(), &status) != 0)
    return ioError(path);
  if (S_ISLNK(status.st_mode) && !options.trustFolder)
    return ioError(path, "it is a link");
  // SQLite is told to follow no links either, also not those that lead to the folder.
  if (!realpath(path.c_str(), resolved) || stat(resolved, &status) != 0 || statfs(resolved, &system) != 0)
    return ioError(path);
  if (!S_ISDIR(status.st_mode))
    return ioError(path, std::strerror(ENOTDIR));
  if (std::ranges::count(RemoteFileSystems, uint32_t(system.f_type)) > 0)
    return ioError(path, "the folder is on another machine");
  if (const char *objection = options.trustFolder ? nullptr : objectionTo(status))
    return ioError(path, objection);
  const std::string name = std::string(resolved) + "/" + PartStoreFile;
  const bool isProtected = lstat(name.c_str(), &database) == 0 && (database.st_mode & 0222) == 0;
  return Folder(resolved, options.trustFolder, (system.f_flags & ST_RDONLY) != 0 || isProtected);
}

FileStatus Folder::look(const char *name) const {
  struct stat status;
  if (lstat(pathOf(name).c_str(), &status) != 0)
    return {};
  return {{status.st_dev, status.st_ino}, uint64_t(status.st_size)};
}

Result<void> Folder::check(const char *name) const {
  struct stat status;
  if (lstat(pathOf(name).c_str(), &status) != 0)
    return {};
  const char *objection = S_ISLNK(status.st_mode)    ? "it is a link"
                          : !S_ISREG(status.st_mode) ? "it is no file"
                          : m_trusts                 ? nullptr
                                                     : objectionTo(status);
  return objection ? ioError(pathOf(name), objection) : Result<void>();
}

Folder::Lock::~Lock() {
  if (m_file < 0)
    return;
  flock(m_file, LOCK_UN); // a process that was forked off may have the file open, too
  close(m_file);
}

Result<Folder::Lock> Folder::lock(Sharing sharing, std::chrono::milliseconds patience) const {
  const auto end = std::chrono::steady_clock::now() + patience;
  const std::string path = pathOf(LockName);
  for (;;) {
    DOVETAIL_CHECK(check(LockName));
    Lock lock(::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (lock.m_file < 0)
      return ioError(path);
    // Whoever finds another file there, because this one was removed, would not see the lock.
    struct stat opened;
    if (flock(lock.m_file, (sharing == Sharing::Shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 &&
        fstat(lock.m_file, &opened) == 0 && FileId{opened.st_dev, opened.st_ino} == look(LockName).id)
      return lock;
    if (std::chrono::steady_clock::now() >= end)
      return ioError(path, "another process has locked the store");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace dovetail::store
