// SPDX-License-Identifier: MIT
//
// The folder of a store. This file makes it if it is missing, checks it before anything in it is trusted, and locks it
// while files are opened, made or put aside. Parts are machine code, so a folder is as trustworthy as everyone who may
// write to it. The folder and its files must be ours, nobody else may write to them, and no link among them is
// followed.
#pragma once

#include "parts/store/part_store.h"
#include <chrono>
#include <sys/types.h>

namespace dovetail::store {

using Patience = std::chrono::milliseconds;

// The file that a name stands for now; without values, there is none.
struct FileStatus {
  dev_t device = 0;
  ino_t inode = 0;
  uint64_t bytes = 0;

  bool isThere() const { return inode != 0; }
  bool isSame(const FileStatus &other) const { return device == other.device && inode == other.inode; }
};
FileStatus look(const std::string &path);

// Makes the folder, with its parents, unless options.readOnly, and returns its path without links. Errors: InvalidInput
// for an empty path; Io, naming the path and the reason.
Result<std::string> openFolder(const PartStoreOptions &options);

// Errors: Io, if a file is there and must not be used: it is a link or no regular file, or, unless the folder is
// trusted, it belongs to somebody else or others may write to it.
Result<void> checkFile(const std::string &path, bool trusts);

// The kernel's lock (flock), so it ends with the process that holds it, however that ends. Errors: Io; also if somebody
// else held the lock for that long.
using FolderLock = std::shared_ptr<void>;
Result<FolderLock> lockFolder(const std::string &path, Patience patience);

// Without a reason, errno's text is used.
tl::unexpected<Error> ioError(const std::string &path, std::string_view reason = {});

} // namespace dovetail::store
