// SPDX-License-Identifier: MIT
#include "parts/store/folder_lock.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace dovetail::store {

namespace {

using Clock = std::chrono::steady_clock;

// The byte of a process is that many behind.
enum LockedByte : off_t { OpeningByte = 0, WriterByte = 1, SalvageByte = 2, FirstProcessByte = 1024 };

// Shorter than writers leave between two commits (writer.cpp), so that each gets its turn.
constexpr std::chrono::milliseconds LongestPause(1);
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

bool waitForLock(int file, off_t byte, short type, std::chrono::milliseconds patience) {
  Clock::time_point end = Clock::now() + patience;
  while (!setLock(file, byte, type)) {
    if (Clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

} // namespace

FolderLock::~FolderLock() {
  if (m_file < 0)
    return;
  // A forked process may have the file open, too, and the locks would stay.
  constexpr off_t ToTheEnd = 0;
  setLock(m_file, OpeningByte, F_UNLCK, ToTheEnd);
  close(m_file);
}

Result<void> FolderLock::open(const std::string &path) {
  m_path = path;
  m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (m_file < 0)
    return makeError(ErrorCode::Io, "part store: cannot open {}: {}", path, std::strerror(errno));
  if (!setLock(m_file, FirstProcessByte + getpid(), F_WRLCK))
    return makeError(ErrorCode::Io, "part store: {} is open in this process already, by another copy of the library",
                     path);
  return {};
}

bool FolderLock::isInPlace() const {
  struct stat opened, there;
  return fstat(m_file, &opened) == 0 && stat(m_path.c_str(), &there) == 0 && opened.st_dev == there.st_dev &&
         opened.st_ino == there.st_ino;
}

bool FolderLock::lockForOpening(std::chrono::milliseconds patience) const {
  return waitForLock(m_file, OpeningByte, F_RDLCK, patience);
}

bool FolderLock::lockAgainstOpening(std::chrono::milliseconds patience) const {
  return waitForLock(m_file, OpeningByte, F_WRLCK, patience);
}

void FolderLock::unlockForOpening() const {
  setLock(m_file, OpeningByte, F_UNLCK);
}

bool FolderLock::tryLockForSalvage() const {
  return setLock(m_file, SalvageByte, F_WRLCK);
}

void FolderLock::unlockForSalvage() const {
  setLock(m_file, SalvageByte, F_UNLCK);
}

void FolderLock::leaveToParent() {
  if (m_file >= 0)
    close(m_file);
  m_file = -1;
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
    pause = std::min<std::chrono::microseconds>(pause * 2, LongestPause);
  }
  m_isLockedForWriting = true;
  return true;
}

void FolderLock::unlockForWriting() {
  m_isLockedForWriting = false;
  setLock(m_file, WriterByte, F_UNLCK);
}

} // namespace dovetail::store
