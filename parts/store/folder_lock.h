// SPDX-License-Identifier: MIT
//
// The locks between processes that LMDB does not have: who writes, with a time-out, and who has the store open at all.
// Both are bytes of one file, locked with open file description locks, which the kernel releases when a process dies
// however it dies. LMDB's own locks are only taken under the writer's lock, so a stopped process that holds them is
// waited for here, where there is an end to waiting.
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

  // Becomes one of the users of the store. false: for so long, somebody has been putting another file in its place.
  bool lockAsUser(std::chrono::milliseconds patience);
  // Whether there is no other user; they stay out until lockAsUser. If there is one, nothing changes.
  bool lockAsOnlyUser();

  // Waits for others who write, as long as they get on: `progress` is a number that changes when they do. false: none
  // of them did for so long.
  bool lockForWriting(std::chrono::milliseconds patience, const std::function<uint64_t()> &progress);
  void unlockForWriting();
  bool isLockedForWriting() const { return m_isLockedForWriting; }

private:
  int m_file = -1;
  bool m_isLockedForWriting = false;
};

} // namespace dovetail::store
