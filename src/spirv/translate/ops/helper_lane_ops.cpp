// SPDX-License-Identifier: MIT
//
// Demotion to helper invocations, and the test whether an invocation was demoted.
#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

Result<void> Translator::translateHelperInvocation(const Instruction &inst) {
  if (inst.opcode == spv::Op::OpIsHelperInvocationEXT)
    setValue(inst, m_builder.CreateIsHelperInvocation());
  else
    m_builder.CreateDemoteToHelperInvocation();
  return {};
}

} // namespace dovetail::spirv
