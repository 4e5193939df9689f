// SPDX-License-Identifier: MIT
//
// Shared memory of workgroups. A variable is an LDS global. Variables of blocks, which have an explicit layout, all
// begin at the start of one global, because blocks alias each other.
#pragma once

#include "src/spirv/translate/context/context.h"

namespace dovetail::spirv {

class SharedMemory {
public:
  explicit SharedMemory(Context &context) : m_context(context), m_builder(context.builder) {}

  // The pointer to a Workgroup variable. Error: Unsupported for too much memory.
  Result<Pointer> createVariable(const Instruction &inst, Variable &variable);
  bool hasBlocks() const { return m_blocks != nullptr; }
  // Stores zeros to the variables that have a null initializer, before the shader begins. Each invocation stores every
  // n-th dword, where n is the number of invocations.
  void zero();

private:
  // The memory of all blocks.
  Result<llvm::GlobalVariable *> blocks(const Instruction &inst);

  Context &m_context;
  lgc::Builder &m_builder;
  llvm::GlobalVariable *m_blocks = nullptr;
  std::vector<llvm::GlobalVariable *> m_zeroed;
};

} // namespace dovetail::spirv
