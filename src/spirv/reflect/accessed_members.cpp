// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/accessed_members.h"
#include <algorithm>
#include <unordered_map>

namespace dovetail::spirv {

std::optional<std::set<uint32_t>> findAccessedMembers(const Module &module, uint32_t function, uint32_t variable) {
  std::unordered_map<uint32_t, uint32_t> constants;
  for (const Instruction &inst : module.globals)
    if (inst.opcode == spv::Op::OpConstant)
      constants.emplace(inst.result, inst.operand(0));

  std::set<uint32_t> members;
  for (const Function *called : module.callTree(function))
    for (const Block &block : called->blocks)
      for (const Instruction &inst : block.instructions) {
        // A literal of the same value is taken for the variable, which is safe.
        if (std::ranges::find(inst.operands, variable) == inst.operands.end())
          continue;
        bool isAccess = inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
        if (!isAccess || inst.operandCount() < 2)
          return std::nullopt;
        auto member = constants.find(inst.operand(1));
        if (inst.operand(0) != variable || member == constants.end())
          return std::nullopt;
        members.insert(member->second);
      }
  return members;
}

} // namespace dovetail::spirv
