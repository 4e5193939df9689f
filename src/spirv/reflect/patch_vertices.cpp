// SPDX-License-Identifier: MIT
//
// Nothing in a control shader declares the size of its input patches: it is pipeline state. What a shader reads tells
// what it was written for. Per-vertex inputs are arrays over the vertices, so the first index of an access chain is the
// vertex.
#include "src/spirv/reflect/patch_vertices.h"
#include <algorithm>
#include <optional>

namespace dovetail::spirv {

namespace {

constexpr uint32_t MaxPatchVertices = 32;

std::optional<uint32_t> constantOf(const Module &module, uint32_t id) {
  for (const Instruction &inst : module.globals)
    if (inst.result == id && inst.opcode == spv::Op::OpConstant && inst.operandCount() > 0)
      return inst.operand(0);
  return std::nullopt;
}

// The vertices of an array that is read at once: all that patches can have if its size was not declared.
uint32_t wholeArray(const Module &module, uint32_t typeId) {
  for (const Instruction &inst : module.globals)
    if (inst.result == typeId && inst.opcode == spv::Op::OpTypeArray)
      return constantOf(module, inst.operand(1)).value_or(MaxPatchVertices);
  return MaxPatchVertices;
}

} // namespace

unsigned findPatchVertices(const Module &module, uint32_t function) {
  std::unordered_set<uint32_t> inputs;
  for (const Instruction &inst : module.globals)
    if (inst.opcode == spv::Op::OpVariable && spv::StorageClass(inst.operand(0)) == spv::StorageClass::Input &&
        !findDecoration(module.decorations(inst.result), spv::Decoration::BuiltIn) &&
        !findDecoration(module.decorations(inst.result), spv::Decoration::Patch))
      inputs.insert(inst.result);
  uint32_t outputVertices = 1;
  for (const ExecutionMode &mode : module.executionModes)
    if (mode.function == function && mode.mode == spv::ExecutionMode::OutputVertices)
      outputVertices = mode.operands[0];

  uint32_t needed = 1;
  for (const Function *each : module.callTree(function))
    for (const Block &block : each->blocks)
      for (const Instruction &inst : block.instructions) {
        if (inst.opcode == spv::Op::OpLoad && inputs.contains(inst.operand(0)))
          needed = std::max(needed, wholeArray(module, inst.resultType));
        bool isChain = inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
        if (!isChain || inst.operandCount() < 2 || !inputs.contains(inst.operand(0)))
          continue;
        std::optional<uint32_t> vertex = constantOf(module, inst.operand(1));
        needed = std::max(needed, vertex ? *vertex + 1 : outputVertices);
      }
  return std::min(needed, MaxPatchVertices);
}

} // namespace dovetail::spirv
