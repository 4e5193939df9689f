// SPDX-License-Identifier: MIT
//
// Memory that LLVM's own instructions address, in the memory form of its type: allocas of variables and of temporaries,
// and shared memory without an explicit layout. Pointers into it are of Kind::Memory. The entry block has the allocas;
// optimisation makes values of most. Beside this class, only atomics, descriptors, writes of outputs and pointers that
// are values use the address itself.
#pragma once

#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

class OwnMemory {
public:
  explicit OwnMemory(Context &context) : m_context(context), m_builder(context.builder) {}

  // The memory of a Function, Private or Output variable. Error: Unsupported for too much memory, and for types that
  // cannot be in memory.
  Result<Pointer> createVariable(const Instruction &inst, const TypeInfo &type, spv::StorageClass storage);
  // Memory for a value, for example of a composite.
  Pointer createTemporary(const TypeInfo &type);
  // Whether there may be more temporaries. Beyond this, composites are LLVM values again.
  bool hasRoom() const;

  // Goes one index (i32) deeper. The index of a structure's member is a constant in range.
  void step(Pointer &pointer, llvm::Value *index);
  // Goes to another element (i32) of the array that the pointer points into.
  void move(Pointer &pointer, llvm::Value *index);
  llvm::Value *load(const Pointer &from, const MemoryAccess &access);
  // Error: Unsupported for types that are too large for values, except constants.
  Result<void> store(const Instruction &inst, const Pointer &to, llvm::Value *value, const MemoryAccess &access);
  // Copies memory of one type as a whole.
  void copy(const Pointer &to, const Pointer &from);

private:
  llvm::Value *createAlloca(llvm::Type *type);
  // Stores a constant of several scalars.
  void storeTable(const Pointer &to, llvm::Constant *constant);

  Context &m_context;
  lgc::Builder &m_builder;
  uint64_t m_variableBytes = 0;
  uint64_t m_temporaryBytes = 0;
};

} // namespace dovetail::spirv
