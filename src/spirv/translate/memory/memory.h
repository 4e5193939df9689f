// SPDX-License-Identifier: MIT
//
// Loads and stores through any kind of pointer.
#pragma once

#include "src/spirv/translate/interface/inputs.h"
#include "src/spirv/translate/interface/outputs.h"
#include "src/spirv/translate/interface/shared_outputs.h"
#include "src/spirv/translate/memory/pointers.h"

namespace dovetail::spirv {

// Errors are Unsupported, for pointers and values that cannot be accessed. Images and samplers are Descriptors'.
class Memory {
public:
  Memory(Context &context, Pointers &pointers, OwnMemory &ownMemory, LaidOutMemory &laidOutMemory, Inputs &inputs,
         Outputs &outputs, SharedOutputs &sharedOutputs)
      : m_context(context), m_pointers(pointers), m_ownMemory(ownMemory), m_laidOutMemory(laidOutMemory),
        m_inputs(inputs), m_outputs(outputs), m_sharedOutputs(sharedOutputs) {}

  Result<llvm::Value *> load(const Instruction &inst, const Pointer &from, const MemoryAccess &access = {});
  Result<void> store(const Instruction &inst, const Pointer &to, llvm::Value *value, const MemoryAccess &access = {});

private:
  Context &m_context;
  Pointers &m_pointers;
  OwnMemory &m_ownMemory;
  LaidOutMemory &m_laidOutMemory;
  Inputs &m_inputs;
  Outputs &m_outputs;
  SharedOutputs &m_sharedOutputs;
};

// The memory operands of an instruction from this operand on; none if there are no more operands.
MemoryAccess memoryAccess(const Instruction &inst, unsigned operandIndex);

} // namespace dovetail::spirv
