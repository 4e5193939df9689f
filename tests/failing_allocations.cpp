// SPDX-License-Identifier: MIT
#include "tests/failing_allocations.h"
#include <cstddef>
#include <cstdlib>
#include <new>

namespace dovetail::test {

thread_local long allocationsLeft = -1;

namespace {

// nullptr if the allocation fails.
void *allocate(size_t size, size_t alignment) noexcept {
  if (allocationsLeft == 0) {
    allocationsLeft = -1;
    return nullptr;
  }
  if (allocationsLeft > 0)
    --allocationsLeft;
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment + alignment);
}

void *allocateOrThrow(size_t size, size_t alignment) {
  if (void *block = allocate(size, alignment))
    return block;
  throw std::bad_alloc();
}

} // namespace

} // namespace dovetail::test

using namespace dovetail::test;

void *operator new(size_t size) {
  return allocateOrThrow(size, alignof(std::max_align_t));
}
void *operator new(size_t size, std::align_val_t alignment) {
  return allocateOrThrow(size, size_t(alignment));
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return allocate(size, alignof(std::max_align_t));
}
void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return allocate(size, size_t(alignment));
}
void operator delete(void *block) noexcept {
  std::free(block);
}
void operator delete(void *block, size_t) noexcept {
  std::free(block);
}
void operator delete(void *block, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void *block, size_t, std::align_val_t) noexcept {
  std::free(block);
}
void operator delete(void *block, const std::nothrow_t &) noexcept {
  std::free(block);
}
