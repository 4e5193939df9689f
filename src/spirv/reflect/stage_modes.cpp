// SPDX-License-Identifier: MIT
//
// Some modes mean one thing to a tessellation and another to a geometry shader: Triangles is the shape of a patch or
// the input primitive, OutputVertices the size of the output patch or the most vertices that are emitted.
#include "src/spirv/reflect/stage_modes.h"

namespace dovetail::spirv {

namespace {

constexpr uint32_t MaxGeometryVertices = 256;    // Vulkan's maxGeometryOutputVertices of every AMD driver
constexpr uint32_t MaxGeometryInvocations = 127; // VGT_GS_INSTANCE_CNT has 7 bits

} // namespace

std::optional<lgc::ShaderStage> stageOf(spv::ExecutionModel model) {
  switch (model) {
  case spv::ExecutionModel::Vertex:
    return lgc::ShaderStage::Vertex;
  case spv::ExecutionModel::TessellationControl:
    return lgc::ShaderStage::TessControl;
  case spv::ExecutionModel::TessellationEvaluation:
    return lgc::ShaderStage::TessEval;
  case spv::ExecutionModel::Geometry:
    return lgc::ShaderStage::Geometry;
  case spv::ExecutionModel::Fragment:
    return lgc::ShaderStage::Fragment;
  case spv::ExecutionModel::GLCompute:
    return lgc::ShaderStage::Compute;
  default:
    return std::nullopt;
  }
}

Result<const EntryPoint *> findEntryPoint(const Module &module, std::string_view name, lgc::ShaderStage stage) {
  for (const EntryPoint &entry : module.entryPoints)
    if (entry.name == name && stageOf(entry.model) == stage)
      return &entry;
  return makeError(ErrorCode::InvalidInput, "the module has no entry point \"{}\" of the wanted stage", name);
}

Result<bool> takeStageMode(const ExecutionMode &mode, lgc::ShaderModes &modes) {
  using enum spv::ExecutionMode;
  bool isGeometry = modes.stage == lgc::ShaderStage::Geometry;
  lgc::TessellationMode &tessellation = modes.tessellation;
  lgc::GeometryShaderMode &geometry = modes.geometry;
  auto outOfRange = [&](std::string_view what, uint32_t most) {
    return makeError(ErrorCode::Unsupported, "OpExecutionMode at word {}: {} {} are not supported (at most {})",
                     mode.wordOffset, mode.operands[0], what, most);
  };
  switch (mode.mode) {
  case SpacingEqual:
    tessellation.spacing = TessSpacing::Equal;
    return true;
  case SpacingFractionalEven:
    tessellation.spacing = TessSpacing::FractionalEven;
    return true;
  case SpacingFractionalOdd:
    tessellation.spacing = TessSpacing::FractionalOdd;
    return true;
  case VertexOrderCw:
    tessellation.vertexOrder = TessVertexOrder::Clockwise;
    return true;
  case VertexOrderCcw:
    tessellation.vertexOrder = TessVertexOrder::CounterClockwise;
    return true;
  case PointMode:
    tessellation.pointMode = true;
    return true;
  case Quads:
    tessellation.primitive = TessPrimitive::Quads;
    return true;
  case Isolines:
    tessellation.primitive = TessPrimitive::Isolines;
    return true;
  case Triangles:
    if (isGeometry)
      geometry.input = GeometryInput::Triangles;
    else
      tessellation.primitive = TessPrimitive::Triangles;
    return true;
  case OutputVertices:
    if (isGeometry) {
      if (mode.operands[0] > MaxGeometryVertices)
        return outOfRange("output vertices", MaxGeometryVertices);
      geometry.maxVertices = mode.operands[0];
    } else {
      if (mode.operands[0] > MaxPatchVertices)
        return outOfRange("output vertices", MaxPatchVertices);
      tessellation.outputVertices = mode.operands[0];
    }
    return true;
  case Invocations:
    if (mode.operands[0] > MaxGeometryInvocations)
      return outOfRange("invocations", MaxGeometryInvocations);
    geometry.invocations = mode.operands[0];
    return true;
  case InputPoints:
    geometry.input = GeometryInput::Points;
    return true;
  case InputLines:
    geometry.input = GeometryInput::Lines;
    return true;
  case InputLinesAdjacency:
    geometry.input = GeometryInput::LinesAdjacency;
    return true;
  case InputTrianglesAdjacency:
    geometry.input = GeometryInput::TrianglesAdjacency;
    return true;
  case OutputPoints:
    geometry.output = GeometryOutput::Points;
    return true;
  case OutputLineStrip:
    geometry.output = GeometryOutput::LineStrip;
    return true;
  case OutputTriangleStrip:
    geometry.output = GeometryOutput::TriangleStrip;
    return true;
  case Xfb:
    modes.transformFeedback = true;
    return true;
  default:
    return false;
  }
}

} // namespace dovetail::spirv
