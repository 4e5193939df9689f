// SPDX-License-Identifier: MIT
//
// Emits vertices and ends primitives. Outputs writes the vertices.
#include "src/spirv/translate/ops/handlers.h"

namespace dovetail::spirv {

namespace {

Result<unsigned> vertexStream(Services &s, const Instruction &inst) {
  if (s.options.stage != lgc::ShaderStage::Geometry)
    return unsupported(inst, "vertices are emitted by geometry shaders only");
  if (inst.operandCount() == 0)
    return 0u;
  uint64_t stream = DOVETAIL_TRY(s.constant(inst, 0));
  if (stream >= MaxVertexStreams)
    return unsupported(inst, fmt::format("vertex stream {} is not supported", stream));
  return static_cast<unsigned>(stream);
}

} // namespace

Result<void> translateEmitVertex(Services &s, const Instruction &inst) {
  unsigned stream = DOVETAIL_TRY(vertexStream(s, inst));
  return s.outputs.emitVertex(inst, stream);
}

Result<void> translateEndPrimitive(Services &s, const Instruction &inst) {
  unsigned stream = DOVETAIL_TRY(vertexStream(s, inst));
  s.builder.CreateEndPrimitive(stream);
  return {};
}

} // namespace dovetail::spirv
