// SPDX-License-Identifier: MIT
#include "merge/image_metadata.h"
#include <algorithm>
#include <optional>

namespace dovetail {

namespace {

ApiStage apiStageOf(const ShaderInterface &interface) {
  switch (interface.hardwareStage) {
  case HardwareStage::Ls:
    return ApiStage::Vertex;
  case HardwareStage::Hs:
    return ApiStage::Hull;
  case HardwareStage::Es:
  case HardwareStage::Vs:
    return interface.source == VertexSource::TessEval ? ApiStage::Domain : ApiStage::Vertex;
  case HardwareStage::Gs:
    return ApiStage::Geometry;
  case HardwareStage::Ps:
    return ApiStage::Pixel;
  case HardwareStage::Cs:
    break;
  }
  return ApiStage::Compute;
}

// A geometry shader became two programs: its own, and the copy shader that exports its vertices.
std::vector<HardwareStage> hardwareMapping(ApiStage shader, HardwareStage stage) {
  if (shader == ApiStage::Geometry)
    return {stage, HardwareStage::Vs};
  return {stage};
}

PalHardwareStage describeStage(const Image &image, const ImageStage &stage) {
  PalHardwareStage result;
  result.stage = stage.stage;
  result.entryPoint = palEntrySymbol(stage.stage);
  result.scratchMemorySize = stage.usage.scratchBytes;
  result.ldsSize = ldsBytesOf(image, stage);
  result.sgprCount = stage.usage.sgprs;
  result.vgprCount = stage.usage.vgprs;
  result.sgprLimit = image.maxSgprs;
  result.vgprLimit = image.maxVgprs;
  result.wavefrontSize = stage.usage.waveSize;
  result.usesUavs = result.writesUavs =
      stage.interface->writesMemory || (stage.firstInterface && stage.firstInterface->writesMemory);
  result.writesDepth = stage.fragmentExports && stage.fragmentExports->depth;
  if (stage.stage == HardwareStage::Cs)
    result.threadgroupDimensions = stage.interface->compute.workgroupSize;
  return result;
}

std::string pipelineType(const Image &image) {
  if (image.findStage(HardwareStage::Cs))
    return "Cs";
  const bool hasGeometry = image.findStage(HardwareStage::Gs);
  if (image.findStage(HardwareStage::Hs))
    return hasGeometry ? "GsTess" : "Tess";
  return hasGeometry ? "Gs" : "VsPs";
}

} // namespace

uint32_t ldsBytesOf(const Image &image, const ImageStage &stage) {
  // The stage that is launched first allocates the LDS.
  uint32_t bytes = stage.usage.ldsBytes;
  const HardwareStage tessellation = image.findStage(HardwareStage::Ls) ? HardwareStage::Ls : HardwareStage::Hs;
  if (image.tessellation && stage.stage == tessellation)
    bytes = std::max(bytes, image.tessellation->ldsBytes);
  if (image.geometry && stage.stage == HardwareStage::Gs)
    bytes = std::max(bytes, image.geometry->ldsBytes);
  return bytes;
}

uint32_t codeAlignment(const Image &image) {
  constexpr uint32_t ProgramAlignment = 256; // PGM_LO holds addresses without their low 8 bits
  return std::max(ProgramAlignment, image.constantsAlignment);
}

PalMetadata makePalMetadata(const Image &image) {
  PalMetadata metadata;
  metadata.type = pipelineType(image);
  Hasher hasher;
  for (const ImagePart &placed : image.parts)
    hasher.add(placed.part->key.kind).add(placed.part->key.hash);
  metadata.pipelineHash = hasher.finish();

  for (const ImageStage &stage : image.stages) {
    metadata.userDataLimit = std::max(metadata.userDataLimit, stage.userDataLimit);
    metadata.spillThreshold = std::min(metadata.spillThreshold, stage.spillThreshold);
    for (const ShaderInterface *interface : {stage.firstInterface, stage.interface}) {
      if (!interface)
        continue;
      metadata.usesViewportArrayIndex |= interface->preRaster.writesViewportIndex;
      metadata.psSampleMask |= interface->fragment.writesSampleMask;
    }
    metadata.hardwareStages.push_back(describeStage(image, stage));
    for (unsigned i = 0; i < stage.partCount; ++i) {
      const Part &part = *image.parts[stage.firstPart + i].part;
      if (part.key.kind == PartKind::GeometryCopy || part.key.kind == PartKind::NullFragment)
        continue; // part of the geometry shader, or of no API shader
      for (const Boxed<ShaderInterface> *interface : {&part.firstInterface, &part.interface})
        if (*interface) {
          ApiStage shader = apiStageOf(**interface);
          metadata.shaders.push_back(
              {shader, image.apiShaders[unsigned(shader)], hardwareMapping(shader, stage.stage)});
        }
    }
  }
  for (const RegisterValue &value : image.registers)
    metadata.registers.emplace_back(value.address, value.value);
  return metadata;
}

} // namespace dovetail
