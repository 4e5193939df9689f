// SPDX-License-Identifier: MIT
//
// Allocates the memory of handles, with the allocator that the device was given.
#pragma once

#include "variants/c_api/include/dovetail.h"
#include <new>
#include <utility>

namespace dovetail::c_api {

// Copyable; the functions are the caller's.
class Allocator {
public:
  // Without functions: the process's own memory.
  explicit Allocator(const dovetail_allocator &functions) : m_functions(functions) {}

  // Throws std::bad_alloc, which guarded() turns into a status, and anything that the constructor throws.
  template <typename T, typename... Args> T *make(Args &&...args) const {
    void *block = allocate(sizeof(T), alignof(T));
    try {
      return new (block) T{std::forward<Args>(args)...};
    } catch (...) {
      release(block, alignof(T));
      throw;
    }
  }

  template <typename T> void destroy(T *object) const {
    object->~T();
    release(object, alignof(T));
  }

private:
  void *allocate(size_t size, size_t alignment) const {
    void *block = m_functions.allocate ? m_functions.allocate(m_functions.user, size, alignment)
                                       : ::operator new(size, std::align_val_t(alignment));
    if (!block)
      throw std::bad_alloc();
    return block;
  }
  void release(void *block, size_t alignment) const noexcept {
    if (m_functions.free)
      m_functions.free(m_functions.user, block);
    else
      ::operator delete(block, std::align_val_t(alignment));
  }

  dovetail_allocator m_functions;
};

} // namespace dovetail::c_api
