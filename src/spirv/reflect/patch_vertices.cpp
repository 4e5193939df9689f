// SPDX-License-Identifier: MIT
//
// The size of input patches is pipeline state, which a control shader need not know. The inputs that it reads tell
// which size it was written for. Per-vertex inputs are arrays over the vertices, so the first index of an access chain
// is the vertex.
#include "src/spirv/reflect/shader_uses.h"
#include "src/spirv/reflect/stage_modes.h"
#include <algorithm>
#include <optional>
#include <unordered_map>

namespace dovetail::spirv {

namespace {

// The number of vertices that a per-vertex input is declared for, from a pointer's type. GLSL declares no size, which
// means as many as patches can have; HLSL's InputPatch has a size. Nothing if the input is no array (gl_InvocationID).
std::optional<uint32_t> declaredVertices(const ValueFlow &flow, uint32_t pointerType) {
  const Instruction *pointer = flow.definition(pointerType);
  const Instruction *type = pointer ? flow.definition(pointer->operand(1)) : nullptr;
  if (!type || type->opcode != spv::Op::OpTypeArray)
    return std::nullopt;
  return flow.constant(type->operand(1)).value_or(MaxPatchVertices);
}

} // namespace

unsigned findPatchVertices(const ValueFlow &flow) {
  const Module &module = flow.module();
  std::unordered_map<uint32_t, uint32_t> inputs; // the vertices that they are declared for
  for (const Instruction &inst : module.globals)
    if (inst.opcode == spv::Op::OpVariable && spv::StorageClass(inst.operand(0)) == spv::StorageClass::Input &&
        !findDecoration(module.decorations(inst.result), spv::Decoration::Patch))
      if (std::optional<uint32_t> declared = declaredVertices(flow, inst.resultType))
        inputs.emplace(inst.result, *declared);
  uint32_t outputVertices = 1;
  for (const ExecutionMode &mode : module.executionModes)
    if (mode.function == flow.functions().front()->id && mode.mode == spv::ExecutionMode::OutputVertices)
      outputVertices = mode.operands[0];

  uint32_t needed = 1;
  for (const Function *each : flow.functions())
    for (const Block &block : each->blocks)
      for (const Instruction &inst : block.instructions) {
        const bool isChain = inst.opcode == spv::Op::OpAccessChain || inst.opcode == spv::Op::OpInBoundsAccessChain;
        const bool reads = inst.opcode == spv::Op::OpLoad || (isChain && inst.operandCount() > 1);
        auto input = reads ? inputs.find(inst.operand(0)) : inputs.end();
        if (input == inputs.end())
          continue;
        const auto [id, declared] = *input;
        if (!isChain || declared < MaxPatchVertices) {
          needed = std::max(needed, declared);
          continue;
        }
        std::optional<uint32_t> vertex = flow.constant(inst.operand(1));
        needed = std::max(needed, vertex ? *vertex + 1 : outputVertices);
      }
  return std::min(needed, MaxPatchVertices);
}

} // namespace dovetail::spirv
