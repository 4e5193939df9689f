// SPDX-License-Identifier: MIT
//
// The shader's own variables, and shared memory without an explicit layout. A variable that nobody needs the address of
// is promoted to SSA values (Kind::Promoted). Others, and temporaries, are memory that LLVM's own instructions address,
// in the memory form of its type (Kind::Memory); the entry block has the allocas. Beside this class, only atomics,
// descriptors and pointers that are values use the address itself.
#pragma once

#include "src/spirv/translate/variables/variable_uses.h"
#include "src/spirv/translate/variables/variable_values.h"

namespace dovetail::spirv {

class OwnMemory {
public:
  OwnMemory(Context &context, const VariableUses &uses, VariableValues &values)
      : m_context(context), m_builder(context.builder), m_uses(uses), m_values(values) {}

  // A Function, Private or Output variable. Error: Unsupported for too much memory, and for types that
  // cannot be in memory.
  Result<Pointer> createVariable(const Instruction &inst, const TypeInfo &type, spv::StorageClass storage);
  // Memory for a value, for example of a composite.
  Pointer createTemporary(const TypeInfo &type);
  // Whether there may be more temporaries. Beyond this, composites are LLVM values again.
  bool hasRoom() const;

  // Goes one index (i32) deeper. The index of a structure's member is a constant in range, and so is every index into a
  // promoted variable.
  void step(Pointer &pointer, llvm::Value *index);
  // Goes to another element (i32) of the array that the pointer points into.
  void move(Pointer &pointer, llvm::Value *index);
  llvm::Value *load(const Pointer &from, const MemoryAccess &access);
  // Error: Unsupported for types that are too large for values, except constants.
  Result<void> store(const Instruction &inst, const Pointer &to, llvm::Value *value, const MemoryAccess &access);
  // The values of a promoted variable or of a part of it that is no component.
  LeafRange leavesOf(const Pointer &pointer) const;
  // Copies memory of one type as a whole; not for promoted variables.
  void copy(const Pointer &to, const Pointer &from);

private:
  void stepPromoted(Pointer &pointer, uint32_t index);
  llvm::Value *loadPromoted(const Pointer &from);
  void storePromoted(const Pointer &to, llvm::Value *value);
  llvm::Value *createAlloca(llvm::Type *type);
  // Stores a constant of several scalars.
  void storeTable(const Pointer &to, llvm::Constant *constant);

  Context &m_context;
  lgc::Builder &m_builder;
  const VariableUses &m_uses;
  VariableValues &m_values;
  uint64_t m_variableBytes = 0;
  uint64_t m_temporaryBytes = 0;
};

} // namespace dovetail::spirv
