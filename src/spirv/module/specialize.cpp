// SPDX-License-Identifier: MIT
#include "src/spirv/module/specialize.h"
#include "src/spirv/module/module.h"

namespace dovetail::spirv {

Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, std::span<const SpecConstant> constants) {
  const Module module = DOVETAIL_TRY(parseModule(words));
  std::vector<uint32_t> result(words.begin(), words.end());
  auto apply = [&](const Instruction &inst, uint64_t value) {
    constexpr uint32_t headWords = 3; // opcode, type, result
    constexpr uint32_t opcodeBits = 0xffff;
    uint32_t *at = &result[inst.wordOffset];
    if (inst.opcode == spv::Op::OpSpecConstant) {
      for (size_t i = 0; i < inst.operandCount(); ++i)
        at[headWords + i] = static_cast<uint32_t>(value >> 32 * i);
      return;
    }
    spv::Op opcode = value ? spv::Op::OpSpecConstantTrue : spv::Op::OpSpecConstantFalse;
    *at = (*at & ~opcodeBits) | static_cast<uint32_t>(opcode);
  };
  for (const Instruction &inst : module.globals) {
    if (inst.opcode != spv::Op::OpSpecConstant && inst.opcode != spv::Op::OpSpecConstantTrue &&
        inst.opcode != spv::Op::OpSpecConstantFalse)
      continue;
    const DecorationInstance *id = findDecoration(module.decorations(inst.result), spv::Decoration::SpecId);
    for (const SpecConstant &constant : constants)
      if (id && !id->operands.empty() && id->operands[0] == constant.id)
        apply(inst, constant.value);
  }
  return result;
}

} // namespace dovetail::spirv
