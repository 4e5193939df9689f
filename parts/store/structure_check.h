// SPDX-License-Identifier: MIT
//
// Checks a whole state of LMDB's data file before LMDB may write into it: both trees in all their pages, and that no
// page is used twice or is free and used at once.
#pragma once

#include "parts/store/lmdb_pages.h"
#include <string>
#include <vector>

namespace dovetail::store {

struct StructureReport {
  std::vector<std::string> defects; // a sentence each; at most MaxDefects of them
  uint64_t pages = 0;               // of the file, used or not
  uint64_t freePages = 0;

  static constexpr size_t MaxDefects = 100;
};

// `file` must hold a state that stays as it is meanwhile (a read transaction).
StructureReport checkStructure(FileView file, const Snapshot &snapshot);

// Without the tree of the data, so it is quick. 0 if the free list is broken.
struct FreePages {
  uint64_t all = 0;
  // That the next commit may use if nobody reads an older state: those that the last one freed are still in use in the
  // state before it, which a crash may fall back to.
  uint64_t usable = 0;
};
FreePages countFreePages(FileView file, const Snapshot &snapshot);

} // namespace dovetail::store
