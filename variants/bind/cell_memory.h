// SPDX-License-Identifier: MIT
//
// Memory for the arrays of the bind table. A bind finds one cell of perhaps a million, and a good part of what that
// costs is translating its address. So large arrays lie together in blocks of which the system is asked to make huge
// pages; where it has none, they are pages like others. Small arrays come from the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

namespace dovetail {

// Thread-safe.
class CellMemory {
public:
  // At a multiple of a cache line; not cleared. A block goes with the last array in it: the shards of a table grow at
  // about the same time. Throws std::bad_alloc.
  std::shared_ptr<void> allocate(size_t bytes);

private:
  class Block;

  std::mutex m_mutex;             // guards what follows
  std::shared_ptr<Block> m_block; // that arrays are put into, from its start on
  size_t m_used = 0;
};

} // namespace dovetail
