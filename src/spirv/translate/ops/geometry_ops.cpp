// SPDX-License-Identifier: MIT
//
// Emits vertices and ends primitives. A vertex takes the values that the outputs have at that moment. But only after
// the whole shader is translated is it known which outputs it stores to: a function may be called, or a loop go round,
// between a store and an emission. So the writes of outputs are added afterwards, at the end of the block that ends
// here.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// Each emission writes all outputs; real shaders have a few emissions.
constexpr size_t MaxEmissions = 2048;

} // namespace

Result<unsigned> Translator::vertexStream(const Instruction &inst) {
  if (m_options.stage != lgc::ShaderStage::Geometry)
    return unsupported(inst, "vertices are emitted by geometry shaders only");
  if (inst.operandCount() == 0)
    return 0u;
  uint64_t stream = DOVETAIL_TRY(constantInteger(inst, inst.operand(0)));
  if (stream >= MaxVertexStreams)
    return unsupported(inst, fmt::format("vertex stream {} is not supported", stream));
  return static_cast<unsigned>(stream);
}

Result<void> Translator::translateEmitVertex(const Instruction &inst) {
  unsigned stream = DOVETAIL_TRY(vertexStream(inst));
  if (m_emissions.size() >= MaxEmissions)
    return unsupported(inst, fmt::format("more than {} places that emit vertices are not supported", MaxEmissions));
  m_emissions.push_back({m_builder.GetInsertBlock(), stream});
  llvm::BasicBlock *after = llvm::BasicBlock::Create(m_context, "", m_main);
  m_builder.CreateBr(after);
  m_builder.SetInsertPoint(after);
  m_builder.CreateEmitVertex(stream);
  return {};
}

Result<void> Translator::translateEndPrimitive(const Instruction &inst) {
  unsigned stream = DOVETAIL_TRY(vertexStream(inst));
  m_builder.CreateEndPrimitive(stream);
  return {};
}

} // namespace dovetail::spirv
