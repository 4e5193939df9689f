// SPDX-License-Identifier: MIT
//
// The folder of a store: made if it is missing, judged before anything in it is believed, and locked while files are
// opened, made or put aside. Parts are machine code, so what is in a folder is as trustworthy as whoever may write to
// it: the folder and its files must be ours, nobody else may write to them, and no link among them is followed.
#pragma once

#include "parts/store/part_store.h"
#include <chrono>
#include <sys/types.h>

namespace dovetail::store {

using Patience = std::chrono::milliseconds;

// Which file has the name just now. Nothing: none.
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

// Errors: Io, if a file is there and must not be used: a link, no file, or, unless the folder is trusted, somebody
// else's, or one to which others may write.
Result<void> checkFile(const std::string &path, bool trusts);

// The kernel's lock (flock), so it ends with the process that holds it, however that ends. Errors: Io; also if somebody
// has had it for so long.
using FolderLock = std::shared_ptr<void>;
Result<FolderLock> lockFolder(const std::string &path, Patience patience);

// Without a reason: errno's.
tl::unexpected<Error> ioError(const std::string &path, std::string_view reason = {});

} // namespace dovetail::store
