// SPDX-License-Identifier: MIT
//
// The functions of a shader. They are inlined as they are translated: each call translates the callee's body anew, so
// that pointers are as symbolic as they are at the call.
#pragma once

#include "src/spirv/translate/ops/services.h"
#include "src/spirv/translate/source_lines.h"

namespace dovetail::spirv {

// Refers to its arguments, which must outlive it.
class Functions {
public:
  // lines: nullptr if no places are wanted.
  Functions(Services &services, SourceLines *lines) : m_services(services), m_lines(lines) {}

  // Translates the entry point's function behind the Builder's insertion point, which is then behind the function.
  // Error: Unsupported for too many instructions after inlining, or that of an instruction.
  Result<void> translateEntry(const Function &entry);

  // The rest is for bodies of functions.
  // Gives the value, pointer or image that the call returns; nothing if it returns none.
  Result<IdValue> translateCall(const Instruction &call, std::span<const IdValue> arguments);
  // Code that is built from now on comes from the place of this instruction.
  void setSourcePlace(const Instruction &inst);

private:
  Services &m_services;
  SourceLines *m_lines;
  unsigned m_callDepth = 0;
};

} // namespace dovetail::spirv
