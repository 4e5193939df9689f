// SPDX-License-Identifier: MIT
//
// Symbolic pointers: the steps of access chains, and pointers that are values (variable pointers, buffer addresses).
#pragma once

#include "src/spirv/translate/interface/interface_places.h"
#include "src/spirv/translate/memory/laid_out_memory.h"
#include "src/spirv/translate/memory/shared_memory.h"
#include "src/spirv/translate/variables/own_memory.h"

namespace dovetail::spirv {

// Errors are Unsupported, for pointers that the operation does not take.
class Pointers {
public:
  Pointers(Context &context, InterfacePlaces &places, OwnMemory &ownMemory, LaidOutMemory &laidOutMemory,
           const SharedMemory &sharedMemory)
      : m_context(context), m_builder(context.builder), m_places(places), m_ownMemory(ownMemory),
        m_laidOutMemory(laidOutMemory), m_sharedMemory(sharedMemory) {}

  // Goes one index deeper, in any kind of pointer.
  Result<void> step(const Instruction &inst, Pointer &pointer, uint32_t indexId);
  // The same with an index as i32, in memory or in an array of descriptors.
  Result<void> stepMemory(const Instruction &inst, Pointer &pointer, llvm::Value *index);
  Result<void> stepElement(const Instruction &inst, Pointer &array, llvm::Value *index);
  // Goes to another element of the array that the pointer points into.
  Result<void> move(const Instruction &inst, Pointer &pointer, uint32_t indexId, uint64_t stride);
  // A Resource that is a buffer block becomes its descriptor and byte offset 0. Other kinds stay as they are.
  Result<void> open(const Instruction &inst, Pointer &pointer);

  // The pointer as an LLVM value of its type's form. Error if the pointer's layout differs.
  Result<llvm::Value *> toValue(const Instruction &inst, const Pointer &pointer, const PointeeLayout &layout = {});
  Result<Pointer> fromValue(const Instruction &inst, llvm::Value *value, uint32_t pointerTypeId);
  // `parts`: the pointer's value, or the members of its structure.
  Result<Pointer> fromParts(const Instruction &inst, llvm::ArrayRef<llvm::Value *> parts, uint32_t pointerTypeId);
  // Binds the result of an instruction to a pointer that is a value.
  Result<void> bindValue(const Instruction &inst, llvm::Value *value, const PointeeLayout &layout);

private:
  Result<llvm::Value *> index32(const Instruction &inst, uint32_t id); // sign-extended or truncated
  llvm::Value *numberedThrough(llvm::Value *outer, uint32_t count, llvm::Value *index);
  // Steps into a UniformTree, which becomes a texture or a place in the block (uniform_trees.cpp).
  Result<void> stepUniform(const Instruction &inst, Pointer &pointer, llvm::Value *index, uint32_t indexId);
  Variable &textureVariable(const Pointer &pointer);
  bool isReadOnlyBlock(const Variable &variable) const;

  Context &m_context;
  lgc::Builder &m_builder;
  InterfacePlaces &m_places;
  OwnMemory &m_ownMemory;
  LaidOutMemory &m_laidOutMemory;
  const SharedMemory &m_sharedMemory;
};

} // namespace dovetail::spirv
