// SPDX-License-Identifier: MIT
#include "parts/kinds/geometry_copy.h"
#include "parts/compile/toolchain_version.h"
#include "parts/kinds/main_part.h"
#include "src/lgc/builder_context.h"
#include <bit>
#include <fmt/format.h>

namespace dovetail {

GeometryCopyKey makeGeometryCopyKey(const ShaderInterface &geometry, std::string_view gpuName,
                                    const StageKnowledge &knowledge) {
  GeometryCopyKey key;
  key.gpuName = gpuName;
  ShaderInterface &outputs = key.outputs;
  outputs.hardwareStage = HardwareStage::Gs;
  outputs.floatMode = geometry.floatMode;
  outputs.geometry.maxVertices = geometry.geometry.maxVertices;
  outputs.geometry.streamMask = geometry.geometry.streamMask;
  outputs.geometry.outputs = geometry.geometry.outputs;
  outputs.preRaster = geometry.preRaster;
  // Outputs that are not there need not be dropped.
  SlotComponents written = {};
  for (const GeometryOutputDword &dword : geometry.geometry.outputs)
    written[dword.slot] |= 1u << dword.component;
  for (size_t slot = 0; slot < written.size(); ++slot) {
    key.knowledge.droppedOutputs[slot] = knowledge.droppedOutputs[slot] & written[slot];
    key.knowledge.droppedFixedFunctionOutputs[slot] = knowledge.droppedFixedFunctionOutputs[slot] & written[slot];
  }
  return key;
}

PartKey GeometryCopyKey::partKey() const {
  Hasher hasher;
  hasher.add(std::string_view("geometry copy shader"));
  addToolchainVersion(hasher);
  hasher.add(std::string_view(gpuName)).add(outputs.floatMode);
  hasher.add(outputs.geometry.maxVertices).add(outputs.geometry.streamMask).add(outputs.geometry.outputs.size());
  for (const GeometryOutputDword &dword : outputs.geometry.outputs)
    hasher.add(dword.slot).add(dword.component).add(dword.stream);
  const PreRasterInterface &raster = outputs.preRaster;
  for (unsigned buffer = 0; buffer != MaxXfbBuffers; ++buffer)
    hasher.add(raster.xfb.strides[buffer]).add(raster.xfb.bufferStream[buffer]);
  hasher.add(raster.xfb.outputs.size());
  for (const XfbOutput &output : raster.xfb.outputs)
    hasher.add(output.slot).add(output.component).add(output.buffer).add(output.stream).add(output.offset);
  hasher.add(raster.parameters.size());
  for (const ParameterExport &parameter : raster.parameters)
    hasher.add(parameter.location).add(parameter.parameter);
  hasher.add(raster.positionExports).add(raster.writesPointSize).add(raster.writesLayer);
  hasher.add(raster.writesViewportIndex).add(raster.clipDistanceMask).add(raster.cullDistanceMask);
  addToHash(hasher, knowledge);
  return {PartKind::GeometryCopy, hasher.finish()};
}

std::string GeometryCopyKey::describe() const {
  unsigned streams = unsigned(std::popcount(outputs.geometry.streamMask));
  std::string text = fmt::format("{} dwords of {} stream{}, {} parameters", outputs.geometry.outputs.size(), streams,
                                 streams == 1 ? "" : "s", outputs.preRaster.parameters.size());
  if (outputs.preRaster.xfb.isUsed())
    text += ", transform feedback";
  return text;
}

Result<Part> makeGeometryCopy(const GeometryCopyKey &key, lgc::BuilderContext &context) {
  std::unique_ptr<lgc::Pipeline> pipeline = context.createPipeline();
  lgc::Options options;
  options.knowledge = key.knowledge;
  pipeline->setOptions(options);
  lgc::CompiledShader compiled = DOVETAIL_TRY(pipeline->generateCopyShader(key.outputs));
  return makePart(key.partKey(), key.describe(), std::move(compiled), key.gpuName);
}

} // namespace dovetail
