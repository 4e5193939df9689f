// SPDX-License-Identifier: MIT
//
// Memory for the arrays of the bind table. A bind reads one cell of perhaps a million, and a good part of the cost is
// translating its address. So large arrays lie together in blocks for which the system is asked to use huge pages; if
// it has none, it uses normal pages. Small arrays come from the heap.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

namespace dovetail {

// Thread-safe.
class CellMemory {
public:
  // Memory at a multiple of a cache line; not cleared. A block is freed with the last array in it, because the shards
  // of a table grow at about the same time. Throws std::bad_alloc.
  std::shared_ptr<void> allocate(size_t bytes);

private:
  class Block;

  std::mutex m_mutex;             // guards the members below
  std::shared_ptr<Block> m_block; // the block that arrays are put into, one behind the other
  size_t m_used = 0;
};

} // namespace dovetail
