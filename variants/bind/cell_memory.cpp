// SPDX-License-Identifier: MIT
#include "variants/bind/cell_memory.h"
#include "variants/bind/reader_epochs.h"
#include <new>
#include <sys/mman.h>

namespace dovetail {

namespace {

constexpr size_t HugePageBytes = size_t(2) << 20;
// For a smaller array, a huge page would have more room than the table is likely to need.
constexpr size_t MinBytes = 16 << 10;

constexpr size_t alignTo(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace

// Memory in whole huge pages.
class CellMemory::Block {
public:
  explicit Block(size_t bytes) : m_bytes(bytes) {
    // More than is needed, because the block must begin at the start of a huge page.
    const size_t mapped = bytes + HugePageBytes;
    void *memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      throw std::bad_alloc();
    auto *first = static_cast<std::byte *>(memory);
    m_begin = first + (alignTo(reinterpret_cast<uintptr_t>(first), HugePageBytes) - reinterpret_cast<uintptr_t>(first));
    if (m_begin != first)
      munmap(first, size_t(m_begin - first));
    if (std::byte *end = m_begin + bytes; end != first + mapped)
      munmap(end, size_t(first + mapped - end));
    madvise(m_begin, bytes, MADV_HUGEPAGE);
  }
  ~Block() { munmap(m_begin, m_bytes); }
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;

  std::byte *begin() const { return m_begin; }
  size_t bytes() const { return m_bytes; }

private:
  std::byte *m_begin;
  const size_t m_bytes;
};

std::shared_ptr<void> CellMemory::allocate(size_t bytes) {
  if (bytes < MinBytes) {
    constexpr auto Alignment = std::align_val_t{CacheLineBytes};
    return {::operator new(bytes, Alignment), [=](void *memory) { ::operator delete(memory, Alignment); }};
  }
  std::scoped_lock lock(m_mutex);
  if (!m_block || m_block->bytes() - m_used < bytes) {
    m_block = std::make_shared<Block>(alignTo(bytes, HugePageBytes));
    m_used = 0;
  }
  std::shared_ptr<void> memory(m_block, m_block->begin() + m_used);
  m_used += alignTo(bytes, CacheLineBytes);
  return memory;
}

} // namespace dovetail
