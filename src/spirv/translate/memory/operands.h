// SPDX-License-Identifier: MIT
//
// Ids as operands of an instruction, in the form that the instruction needs.
#pragma once

#include "src/spirv/translate/memory/memory.h"

namespace dovetail::spirv {

// Errors: Unsupported if the id is bound to something else.
class Operands {
public:
  Operands(Context &context, Pointers &pointers, Memory &memory)
      : m_context(context), m_pointers(pointers), m_memory(memory) {}

  // As an LLVM value: pointers that can be values become one, and a composite in memory is loaded.
  Result<llvm::Value *> value(const Instruction &inst, uint32_t id);
  Result<Pointer> pointer(const Instruction &inst, uint32_t id);
  Result<ImageValue> image(const Instruction &inst, uint32_t id);

private:
  Context &m_context;
  Pointers &m_pointers;
  Memory &m_memory;
};

} // namespace dovetail::spirv
