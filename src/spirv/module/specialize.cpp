// SPDX-License-Identifier: MIT
#include "src/spirv/module/specialize.h"
#include "src/spirv/module/module.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

// The literal of a number of this type with these low bits: 64 bits, of which the module has as many words as the type
// needs. A type that is narrower than a word fills the word by its sign ("Literal" in section 2.2.1 of the
// specification of SPIR-V); validate() refuses anything else.
uint64_t literalOf(uint64_t bits, const Instruction &type) {
  const bool isSigned = type.opcode == spv::Op::OpTypeInt && type.operand(1) == 1;
  const uint32_t unused = 64 - std::clamp(type.operand(0), 1u, 64u);
  return isSigned ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused) : bits << unused >> unused;
}

} // namespace

Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, std::span<const SpecConstant> constants) {
  const Module module = DOVETAIL_TRY(parseModule(words));
  std::vector<uint32_t> result(words.begin(), words.end());
  std::unordered_map<uint32_t, const Instruction *> numberTypes;
  auto apply = [&](const Instruction &inst, uint64_t value) {
    constexpr uint32_t headWords = 3; // opcode, type, result
    constexpr uint32_t opcodeBits = 0xffff;
    uint32_t *at = &result[inst.wordOffset];
    if (inst.opcode == spv::Op::OpSpecConstant) {
      const auto type = numberTypes.find(inst.resultType);
      const uint64_t literal = type == numberTypes.end() ? value : literalOf(value, *type->second);
      for (size_t i = 0; i < inst.operandCount(); ++i)
        at[headWords + i] = static_cast<uint32_t>(literal >> 32 * i);
      return;
    }
    spv::Op opcode = value ? spv::Op::OpSpecConstantTrue : spv::Op::OpSpecConstantFalse;
    *at = (*at & ~opcodeBits) | static_cast<uint32_t>(opcode);
  };
  for (const Instruction &inst : module.globals) {
    if (inst.opcode == spv::Op::OpTypeInt || inst.opcode == spv::Op::OpTypeFloat)
      numberTypes[inst.result] = &inst;
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
