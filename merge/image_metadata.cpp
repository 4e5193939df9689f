// SPDX-License-Identifier: MIT
#include "merge/image_metadata.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

namespace {

// Which API shader is the last one in a hardware stage, for pipelines without tessellation and geometry shaders.
ApiStage apiStageOf(HardwareStage stage) {
  switch (stage) {
  case HardwareStage::Ps:
    return ApiStage::Pixel;
  case HardwareStage::Cs:
    return ApiStage::Compute;
  default:
    return ApiStage::Vertex;
  }
}

PalHardwareStage describeStage(const Image &image, const ImageStage &stage) {
  PalHardwareStage result;
  result.stage = stage.stage;
  result.entryPoint = fmt::format("_amdgpu_{}_main", toString(stage.stage));
  result.scratchMemorySize = stage.usage.scratchBytes;
  result.ldsSize = stage.usage.ldsBytes;
  result.sgprCount = stage.usage.sgprs;
  result.vgprCount = stage.usage.vgprs;
  result.sgprLimit = image.maxSgprs;
  result.vgprLimit = image.maxVgprs;
  result.wavefrontSize = stage.usage.waveSize;
  result.usesUavs = result.writesUavs = stage.interface->writesMemory;
  result.writesDepth = stage.fragmentExports && stage.fragmentExports->depth;
  if (stage.stage == HardwareStage::Cs)
    result.threadgroupDimensions = stage.interface->workgroupSize;
  return result;
}

} // namespace

PalMetadata makePalMetadata(const Image &image) {
  PalMetadata metadata;
  metadata.type = image.findStage(HardwareStage::Cs) ? "Cs" : "VsPs";
  Hasher hasher;
  for (const ImagePart &placed : image.parts)
    hasher.add(placed.part->key.kind).add(placed.part->key.hash);
  metadata.pipelineHash = hasher.finish();

  for (const ImageStage &stage : image.stages) {
    const ShaderInterface &interface = *stage.interface;
    metadata.userDataLimit = std::max(metadata.userDataLimit, interface.userDataLimit);
    metadata.spillThreshold = std::min(metadata.spillThreshold, interface.spillThreshold);
    metadata.usesViewportArrayIndex |= interface.writesViewportIndex;
    metadata.psSampleMask |= interface.writesSampleMask;
    metadata.hardwareStages.push_back(describeStage(image, stage));
    for (unsigned i = 0; i < stage.partCount; ++i) {
      const Part &part = *image.parts[stage.firstPart + i].part;
      if (part.interface)
        metadata.shaders.push_back({apiStageOf(stage.stage), part.key.hash, {stage.stage}});
    }
  }
  for (const RegisterValue &value : image.registers)
    metadata.registers.emplace_back(value.address, value.value);
  return metadata;
}

} // namespace dovetail
