// SPDX-License-Identifier: MIT
//
// The table is made at build time from the grammar that SPIRV-Headers installs.
#include "src/spirv/module/instruction_form.h"
#include "src/spirv/module/visible_module.h"
#include <algorithm>
#include <iterator>

namespace dovetail::spirv {

namespace {

#include "spirv_instruction_forms.inc"

constexpr InstructionForm QuadVote = {0, true, true, 1, "i"};

} // namespace

const InstructionForm *findForm(spv::Op opcode) {
  const auto number = static_cast<uint32_t>(opcode);
  const InstructionForm *found = std::ranges::lower_bound(Forms, number, {}, &InstructionForm::opcode);
  if (found != std::end(Forms) && found->opcode == number)
    return found;
  if (opcode == OpExtInstWithForwardRefs)
    return findForm(spv::Op::OpExtInst);
  return opcode == OpQuadAll || opcode == OpQuadAny ? &QuadVote : nullptr;
}

} // namespace dovetail::spirv
