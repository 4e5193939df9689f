// SPDX-License-Identifier: MIT
//
// Explicitly laid out memory: buffers, push constants, buffer addresses, shared memory. A composite is taken apart into
// vectors and scalars, each with a constant offset from the pointer. The recursion is as deep as the type, which
// MaxTypeDepth bounds.
#pragma once

#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

// Whether the pointer points into such memory that can also be stored to: no push constants.
inline bool isLaidOut(const Pointer &pointer) {
  return pointer.kind == Pointer::Kind::Buffer || pointer.kind == Pointer::Kind::Physical ||
         pointer.kind == Pointer::Kind::SharedBlock;
}

class LaidOutMemory {
public:
  explicit LaidOutMemory(Context &context) : m_context(context), m_builder(context.builder) {}

  llvm::Value *load(const Pointer &from, const MemoryAccess &access);
  void store(const Pointer &to, llvm::Value *value, const MemoryAccess &access);

  // Goes one index (i32) deeper: into a structure, array, matrix or vector. The index of a structure's member is a
  // constant in range. Error: Unsupported for other types.
  Result<void> step(const Instruction &inst, Pointer &pointer, llvm::Value *index);
  // Moves by `index` (i32) elements of `stride` bytes.
  void move(Pointer &pointer, llvm::Value *index, uint64_t stride);
  // The LLVM pointer to a place in shared memory, `offset` bytes behind the pointer.
  llvm::Value *address(const Pointer &pointer, uint64_t offset = 0);

private:
  // A part of the pointee.
  struct Place {
    const TypeInfo *type;
    uint64_t offset; // bytes from the pointer
    MatrixLayout matrix;
    uint32_t componentStride = 0; // Pointer's
  };
  Place placeOf(const Pointer &pointer) const {
    return {&m_context.type(pointer.pointee), 0, pointer.matrix, pointer.componentStride};
  }
  Place partOf(const Place &whole, uint32_t index) const;
  llvm::Value *load(const Pointer &pointer, const Place &place, const MemoryAccess &access);
  void store(const Pointer &pointer, const Place &place, llvm::Value *value, const MemoryAccess &access);
  llvm::Value *loadLeaf(const Pointer &pointer, llvm::Type *type, uint64_t offset, unsigned flags, uint32_t alignment);
  void storeLeaf(const Pointer &pointer, llvm::Value *value, uint64_t offset, unsigned flags, uint32_t alignment);
  llvm::Value *scaled(llvm::Value *index, uint64_t stride);

  Context &m_context;
  lgc::Builder &m_builder;
};

} // namespace dovetail::spirv
