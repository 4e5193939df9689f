// SPDX-License-Identifier: MIT
//
// How primitives are cut into waves: fields of the front end's registers that follow from other fields and from the
// parts' inputs. Sources: radeonsi's si_state_draw.cpp (si_get_init_multi_vgt_param), si_state_shaders.cpp
// (si_set_tesseval_regs), LLPC's config builders.
#include "merge/check/checks.h"
#include "merge/check/entry.h"
#include "src/abi/registers/registers.h"
#include <algorithm>

namespace dovetail::check {

namespace {

bool bit(uint32_t value, unsigned number) {
  return (value >> number & 1) != 0;
}

// Whether a part takes the number of a patch or primitive, by any of its names.
bool takesPrimitiveId(const Part &part) {
  using enum ValueKind;
  if (part.interface && (part.interface->preRaster.usesPrimitiveId || part.interface->geometry.usesPrimitiveId))
    return true;
  return part.key.kind != PartKind::Glue && std::ranges::any_of(part.contract.inputs, [](const Binding &input) {
           return input.value.kind == PatchId || input.value.kind == GsPrimitiveId;
         });
}

// Tonga, Fiji and Polaris hang with a GS without partial VS waves.
bool needsPartialVsWavesForGs(const Image &image) {
  return image.gpuName == "gfx802" || image.gpuName == "gfx803" || image.gpuName == "gfx805";
}

bool hasSeveralShaderEngines(const Image &image) {
  return image.gpuName == "gfx803" || image.gpuName == "gfx805" || image.gpuName == "gfx900" ||
         image.gpuName == "gfx904" || image.gpuName == "gfx906";
}

void checkGrouping(const Image &image, Defects &defects) {
  const bool isGfx8 = image.findRegister(reg::IA_MULTI_VGT_PARAM_GFX8) != nullptr;
  const bool isTessellated = image.findStage(HardwareStage::Hs) != nullptr;
  const bool hasGeometry = image.findStage(HardwareStage::Gs) != nullptr;
  const uint32_t grouping = registerValue(image, isGfx8 ? reg::IA_MULTI_VGT_PARAM_GFX8 : reg::IA_MULTI_VGT_PARAM);

  // Patches are numbered anew in each instance, so patches of two instances may not share a group.
  const bool endsWithInstance = isTessellated && std::ranges::any_of(image.parts, [](const ImagePart &placed) {
                                  return takesPrimitiveId(*placed.part);
                                });
  if (bit(grouping, 19) != endsWithInstance)
    defects.add<WrongSwitchOnEoi>({}, bit(grouping, 19));

  if (bit(grouping, 17) || bit(grouping, 20))
    defects.add<SwitchesForDriver>({});

  const uint32_t distribution = registerValue(image, reg::VGT_TF_PARAM) >> 17 & 3;
  if (isTessellated && (distribution != 0) != hasSeveralShaderEngines(image))
    defects.add<WrongDistribution>({}, distribution);
  const bool isDistributed = isTessellated && hasSeveralShaderEngines(image);

  const bool partialVs = (isDistributed && !hasGeometry) || (hasGeometry && needsPartialVsWavesForGs(image)) ||
                         (isGfx8 && endsWithInstance && hasGeometry);
  if (bit(grouping, 16) != partialVs)
    defects.add<WrongPartialVsWaves>({}, bit(grouping, 16));
  // Behind groups of at most 8 primitives, a GS could fill the table of 16 ES groups with its 128 threads.
  const uint32_t groupSize = (grouping & 0xffff) + 1;
  const bool partialEs = isGfx8 && (endsWithInstance || (hasGeometry && (isDistributed || 128 / groupSize >= 13)));
  if (bit(grouping, 18) != partialEs)
    defects.add<WrongPartialEsWaves>({}, bit(grouping, 18));
}

} // namespace

void checkFrontEnd(const Image &image, Defects &defects) {
  if (!image.findStage(HardwareStage::Vs))
    return;
  checkGrouping(image, defects);
  // The size of a vertex in front of a GS. A vertex without outputs takes some of the ring, too.
  if (image.geometry && image.findStage(HardwareStage::Gs)) {
    const uint32_t least = image.gpuName.starts_with("gfx9") ? 1 : 4;
    const uint32_t item = registerValue(image, reg::VGT_ESGS_RING_ITEMSIZE);
    const uint32_t dwords = std::max(image.geometry->esVertexStride / 4, least);
    if (item != dwords)
      defects.add<WrongRingItem>({}, item, dwords);
  }
  // GFX9 reuses vertices that are up to 30 back, with fractional odd spacing up to 14. On GFX8, 14 suits all GPUs.
  constexpr uint32_t FractionalOdd = 2;
  const uint32_t depth = registerValue(image, reg::VGT_VERTEX_REUSE_BLOCK_CNTL);
  const bool isOdd =
      image.findStage(HardwareStage::Hs) && (registerValue(image, reg::VGT_TF_PARAM) >> 2 & 7) == FractionalOdd;
  const uint32_t most = image.gpuName.starts_with("gfx9") && !isOdd ? 30 : 14;
  if (depth != most)
    defects.add<WrongReuseDepth>({}, depth, most);
  // Vertices that differ in their viewport must not be shared; all other vertices should be.
  const bool writesViewport = bit(registerValue(image, reg::PA_CL_VS_OUT_CNTL), 19);
  if (bit(registerValue(image, reg::VGT_REUSE_OFF), 0) != writesViewport)
    defects.add<WrongReuse>({}, !writesViewport);
}

} // namespace dovetail::check
