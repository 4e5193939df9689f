// SPDX-License-Identifier: MIT
#include "parts/store/folder_lock.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

namespace {

using Clock = std::chrono::steady_clock;

// The byte of a process is that many behind.
enum LockedByte : off_t { UserByte = 0, WriterByte = 1, FirstProcessByte = 1024 };

// However much the others get on.
constexpr unsigned MostPatience = 30;

bool setLock(int file, off_t byte, short type, off_t length = 1) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = length;
  int result;
  do
    result = fcntl(file, F_OFD_SETLK, &lock);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

} // namespace

FolderLock::~FolderLock() {
  if (m_file < 0)
    return;
  // A forked process may have the file open, too, and the locks would stay.
  constexpr off_t ToTheEnd = 0;
  setLock(m_file, UserByte, F_UNLCK, ToTheEnd);
  close(m_file);
}

Result<void> FolderLock::open(const std::string &path) {
  m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (m_file < 0)
    return makeError(ErrorCode::Io, "part store: cannot open {}: {}", path, std::strerror(errno));
  if (!setLock(m_file, FirstProcessByte + getpid(), F_WRLCK))
    return makeError(ErrorCode::Io, "part store: {} is open in this process already, by another copy of the library",
                     path);
  return {};
}

bool FolderLock::lockAsUser(std::chrono::milliseconds patience) {
  Clock::time_point end = Clock::now() + patience;
  while (!setLock(m_file, UserByte, F_RDLCK)) {
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

bool FolderLock::lockAsOnlyUser() {
  // A lock that cannot be made exclusive stays as it was.
  return setLock(m_file, UserByte, F_WRLCK);
}

bool FolderLock::lockForWriting(std::chrono::milliseconds patience, const std::function<uint64_t()> &progress) {
  Clock::time_point start = Clock::now(), end = start + patience;
  uint64_t seen = progress();
  std::chrono::microseconds pause(100);
  while (!setLock(m_file, WriterByte, F_WRLCK)) {
    Clock::time_point now = Clock::now();
    if (uint64_t current = progress(); current != seen) {
      seen = current;
      end = std::min(now + patience, start + MostPatience * patience);
    }
    if (now >= end)
      return false;
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(pause * 2, std::chrono::milliseconds(5));
  }
  m_isLockedForWriting = true;
  return true;
}

void FolderLock::unlockForWriting() {
  m_isLockedForWriting = false;
  setLock(m_file, WriterByte, F_UNLCK);
}

} // namespace dovetail::store
