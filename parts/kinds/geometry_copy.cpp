// SPDX-License-Identifier: MIT
#include "parts/kinds/geometry_copy.h"
#include "parts/compile/compiler_pool.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/first_part.h"
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include <bit>
#include <fmt/format.h>

namespace dovetail {

GeometryCopyKey makeGeometryCopyKey(const ShaderInterface &geometry, std::string_view gpuName,
                                    const StageKnowledge &knowledge) {
  GeometryCopyKey key;
  key.gpuName = gpuName;
  key.floatMode = geometry.floatMode;
  key.maxVertices = geometry.geometry.maxVertices;
  key.streamMask = geometry.geometry.streamMask;
  key.outputs = geometry.geometry.outputs;
  key.preRaster = geometry.preRaster;
  key.preRaster.usesPrimitiveId = false; // the geometry shader itself reads it
  key.packedParameters = knowledge.packedParameters;
  // Outputs that are not written need not be dropped.
  SlotComponents written = {};
  for (const GeometryOutputDword &dword : key.outputs)
    written[dword.slot] |= 1u << dword.component;
  for (size_t slot = 0; slot < written.size(); ++slot) {
    key.droppedOutputs[slot] = knowledge.droppedOutputs[slot] & written[slot];
    key.droppedFixedFunctionOutputs[slot] = knowledge.droppedFixedFunctionOutputs[slot] & written[slot];
  }
  return key;
}

PartKey GeometryCopyKey::partKey() const {
  return {PartKind::GeometryCopy, hashKey(*this)};
}

std::string GeometryCopyKey::describe() const {
  unsigned streams = unsigned(std::popcount(streamMask));
  std::string text = fmt::format("{} dwords of {} stream{}, {} parameters", outputs.size(), streams,
                                 streams == 1 ? "" : "s", preRaster.parameters.size());
  if (preRaster.xfb.isUsed())
    text += ", transform feedback";
  return text;
}

ShaderInterface GeometryCopyKey::geometryInterface() const {
  ShaderInterface geometry;
  geometry.hardwareStage = HardwareStage::Gs;
  geometry.floatMode = floatMode;
  geometry.geometry.maxVertices = maxVertices;
  geometry.geometry.streamMask = streamMask;
  geometry.geometry.outputs = outputs;
  geometry.preRaster = preRaster;
  return geometry;
}

namespace {

// Copy shaders are short and have no loops, so first code is as good as LLVM's, which makes what first code refuses.
Result<Part> makeCode(lgc::Pipeline &pipeline, const GeometryCopyKey &key, lgc::BuilderContext &context) {
  const ShaderInterface geometry = key.geometryInterface();
  lgc::Options options;
  options.optimizationLevel = lgc::FirstCodeLevel;
  pipeline.setOptions(options);
  lgc::HardwareFormShader shader = DOVETAIL_TRY(pipeline.lowerCopyShader(geometry));
  DOVETAIL_CHECK(context.finishMiddleEnd(shader));
  std::variant<Part, first::Refusal> made = DOVETAIL_TRY(makeFirstPart(shader, key.gpuName));
  if (auto *part = std::get_if<Part>(&made))
    return std::move(*part);
  pipeline.setOptions({});
  return makePart(DOVETAIL_TRY(pipeline.generateCopyShader(geometry)), key.gpuName);
}

} // namespace

Result<Part> makeGeometryCopy(const GeometryCopyKey &key, lgc::BuilderContext &context) {
  DOVETAIL_CHECK(checkCompiler(context, key.gpuName));
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  StageKnowledge knowledge;
  knowledge.droppedOutputs = key.droppedOutputs;
  knowledge.droppedFixedFunctionOutputs = key.droppedFixedFunctionOutputs;
  knowledge.packedParameters = key.packedParameters;
  pipeline->setKnowledge(std::move(knowledge));
  Part part = DOVETAIL_TRY(makeCode(*pipeline, key, context));
  setKey(part, key);
  part.description = key.describe();
  return part;
}

} // namespace dovetail
