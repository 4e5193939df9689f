// SPDX-License-Identifier: MIT
//
// The locks between processes that LMDB does not have: who writes, with a time-out, who opens the database's files or
// puts them aside, and who salvages. Each is a byte of one file, locked with open file description locks, which the
// kernel releases when a process dies however it dies. LMDB's own locks are only taken under the writer's lock, so a
// stopped process that holds them is waited for here, where there is an end to waiting.
//
// Whoever wants several takes the writer's before that for opening. The lock for opening belongs to the process, so
// only one of its threads may use it at a time; that for writing and that for salvaging are the writing thread's.
#pragma once

#include "src/base/error.h"
#include <chrono>
#include <functional>
#include <string>

namespace dovetail::store {

class FolderLock {
public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;

  // Opens the lock file, making it if it is missing. Errors: Io; also if another copy of this library has the store
  // open in this process, which LMDB's locks do not survive.
  Result<void> open(const std::string &path);

  // Whether the file is still the one that was opened: otherwise nobody else sees our locks.
  bool isInPlace() const;

  // While this is held, nobody puts the files aside or makes them. false: somebody has been doing so for so long.
  bool lockForOpening(std::chrono::milliseconds patience) const;
  // While this is held, nobody opens the files. false: somebody has been doing so for so long.
  bool lockAgainstOpening(std::chrono::milliseconds patience) const;
  void unlockForOpening() const;

  // Whether nobody else salvages; nobody else begins to until unlockForSalvage.
  bool tryLockForSalvage() const;
  void unlockForSalvage() const;

  // Waits for others who write, as long as they get on: `progress` is a number that changes when they do. false: none
  // of them did for so long.
  bool lockForWriting(std::chrono::milliseconds patience, const std::function<uint64_t()> &progress);
  void unlockForWriting();
  bool isLockedForWriting() const { return m_isLockedForWriting; }

  // In a process that was forked off: the locks stay its parent's, and no longer than that lives.
  void leaveToParent();

private:
  std::string m_path;
  int m_file = -1;
  bool m_isLockedForWriting = false;
};

} // namespace dovetail::store
