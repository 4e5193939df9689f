// SPDX-License-Identifier: MIT
#include "parts/store/aside.h"
#include <array>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dovetail::store {

namespace {

constexpr std::array<const char *, 2> Waiting = {"/data.mdb.salvage", "/data.mdb.salvage2"};

bool exists(const std::string &path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0;
}

} // namespace

int putAside(const std::string &folder) {
  // What waits already is not given up for what may be an empty file that a power cut left.
  const char *name = exists(folder + Waiting[0]) ? Waiting[1] : Waiting[0];
  return rename((folder + "/data.mdb").c_str(), (folder + name).c_str()) == 0 ? 0 : errno;
}

std::optional<AsideFile> AsideFile::take(const std::string &folder, const FolderLock &lock) {
  // Nearly always there is none.
  if (!exists(folder + Waiting[0]) && !exists(folder + Waiting[1]))
    return std::nullopt;
  if (!lock.tryLockForSalvage())
    return std::nullopt;
  for (const char *name : Waiting) {
    std::string path = folder + name;
    // A pipe that somebody has put there is not waited for.
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0)
      return AsideFile(folder, std::move(path), lock, file);
  }
  lock.unlockForSalvage();
  return std::nullopt;
}

AsideFile::~AsideFile() {
  if (m_file < 0)
    return;
  close(m_file);
  m_lock->unlockForSalvage();
}

bool AsideFile::finish(bool isOurs) {
  struct stat read, there;
  if (fstat(m_file, &read) != 0 || stat(m_path.c_str(), &there) != 0 || read.st_dev != there.st_dev ||
      read.st_ino != there.st_ino)
    return true; // it was replaced by a newer one
  if (isOurs)
    return unlink(m_path.c_str()) == 0;
  return rename(m_path.c_str(), (m_folder + "/data.mdb.damaged").c_str()) == 0;
}

} // namespace dovetail::store
