// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/shader_uses.h"
#include <algorithm>

namespace dovetail::spirv {

std::optional<std::set<uint32_t>> findAccessedMembers(const ValueFlow &flow, uint32_t variable) {
  std::set<uint32_t> members;
  for (const Function *called : flow.functions())
    for (const Block &block : called->blocks)
      for (const Instruction &inst : block.instructions) {
        // A literal of the same value is taken for the variable, which is safe.
        if (std::ranges::find(inst.operands, variable) == inst.operands.end())
          continue;
        bool isAccess = inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
        if (!isAccess || inst.operandCount() < 2 || inst.operand(0) != variable)
          return std::nullopt;
        const Instruction *member = flow.definition(inst.operand(1));
        if (!member || member->opcode != spv::Op::OpConstant)
          return std::nullopt;
        members.insert(member->operand(0));
      }
  return members;
}

} // namespace dovetail::spirv
