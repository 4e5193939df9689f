// SPDX-License-Identifier: MIT
//
// The registers of the front end that depend on which stages there are.
//
// The driver adds the fields of IA_MULTI_VGT_PARAM that depend on the draw (its topology, primitive restart, line
// stipple) and on the number of shader engines (docs/driver-contract.md):
// - SWITCH_ON_EOP and WD_SWITCH_ON_EOP;
// - SWITCH_ON_EOI on chips with four engines, on GFX8 together with PARTIAL_ES_WAVE_ON;
// - PARTIAL_VS_WAVE_ON with primitive restart.
//
// This file sets SWITCH_ON_EOI for primitive ids, and partial ES waves with it. On GFX8, SWITCH_ON_EOI behind a
// geometry shader needs partial VS waves as well. They are on for every chip with four engines, because such chips need
// them for the geometry shader itself. Source of the rules: radeonsi's si_state_draw.cpp.
#include "merge/registers/registers.h"
#include <algorithm>

namespace dovetail {

namespace {

constexpr uint32_t MaxPrimitiveGroupsInWave = 2; // RADV, radv_compute_ia_multi_vgt_param_helpers; LLPC

uint32_t stagesEnabled(const RegisterWriter &registers) {
  using namespace field::VGT_SHADER_STAGES_EN;
  constexpr uint32_t EsIsEvaluation = 1;
  constexpr uint32_t EsIsVertex = 2;
  constexpr uint32_t VsIsVertex = 0;
  constexpr uint32_t VsIsEvaluation = 1;
  constexpr uint32_t VsIsCopyShader = 2;
  const bool hasTessellation = registers.hs;
  const bool hasGeometry = registers.gs;
  uint32_t value = LS_EN(hasTessellation) | HS_EN(hasTessellation) | DYNAMIC_HS(hasTessellation);
  if (hasGeometry)
    value |= ES_EN(hasTessellation ? EsIsEvaluation : EsIsVertex) | GS_EN(1) | VS_EN(VsIsCopyShader);
  else
    value |= VS_EN(hasTessellation ? VsIsEvaluation : VsIsVertex);
  if (!registers.isGfx8())
    value |= MAX_PRIMGRP_IN_WAVE(MaxPrimitiveGroupsInWave);
  return value;
}

// A VS without a geometry shader gets primitive ids in scenario A only (RADV, radv_pipeline_emit_vgt_gs_mode). With a
// geometry shader: ac_vgt_gs_mode.
uint32_t geometryMode(const RegisterWriter &registers, bool vsReadsPrimitiveId) {
  using namespace field::VGT_GS_MODE;
  constexpr uint32_t ScenarioA = 1;
  constexpr uint32_t ScenarioG = 3;
  const ShaderInterface *geometry = registers.image.findInterface(HardwareStage::Gs);
  if (!geometry)
    return MODE(vsReadsPrimitiveId ? ScenarioA : 0);
  constexpr uint32_t Cut128 = 3;
  uint32_t cutMode = Cut128;
  for (unsigned most = 128; most < geometry->geometry.maxVertices && cutMode > 0; most *= 2)
    --cutMode;
  const bool ringInLds = !registers.isGfx8();
  return MODE(ScenarioG) | CUT_MODE(cutMode) | ES_WRITE_OPTIMIZE(!ringInLds) | GS_WRITE_OPTIMIZE(1) | ONCHIP(ringInLds);
}

bool readsPrimitiveId(const ShaderInterface *shader) {
  return shader && (shader->preRaster.usesPrimitiveId || shader->geometry.usesPrimitiveId ||
                    readsValue(*shader, {ValueKind::PatchId}) || readsValue(*shader, {ValueKind::GsPrimitiveId}));
}

// How far back a vertex may be reused. Fractional odd spacing takes no more than 14 (radeonsi's si_state_shaders.cpp,
// LLPC). On GFX8, Polaris takes 30 like GFX9, but gfx803 is Fiji, too, which takes 14.
uint32_t vertexReuseDepth(const RegisterWriter &registers) {
  const bool isFractionalOdd = registers.hs && registers.image.tessellationMode.spacing == TessSpacing::FractionalOdd;
  return registers.isGfx8() || isFractionalOdd ? 14 : 30;
}

uint32_t primitiveGrouping(const RegisterWriter &registers) {
  using namespace field::IA_MULTI_VGT_PARAM;
  const Image &image = registers.image;
  const TargetInfo &target = registers.target;
  const bool hasTessellation = registers.hs;
  const bool hasGeometry = registers.gs;

  // A group of primitives must be a multiple of the patches of an LS-HS group.
  uint32_t groupSize = 128;
  if (hasTessellation)
    groupSize = image.tessellation->patchesPerGroup;
  else if (hasGeometry)
    groupSize = 64;

  // Patches are numbered anew in each instance.
  const bool switchOnEoi = hasTessellation && (readsPrimitiveId(image.findInterface(HardwareStage::Hs)) ||
                                               readsPrimitiveId(image.findInterface(HardwareStage::Es)) ||
                                               readsPrimitiveId(image.findInterface(HardwareStage::Gs)) ||
                                               readsPrimitiveId(image.findInterface(HardwareStage::Vs)));
  const bool isDistributed = hasTessellation && target.tessDistribution != 0;
  bool partialVsWaves = (isDistributed && !hasGeometry) || (hasGeometry && target.needsPartialVsWavesForGs);
  bool partialEsWaves = false;
  if (registers.isGfx8()) {
    partialVsWaves |= switchOnEoi && hasGeometry;
    // The ES and GS tables must not fill up while a wave waits for more primitives. GS_PER_ES threads come in groups; a
    // table holds 16 groups, on larger chips 32.
    constexpr uint32_t GsPerEs = 128;
    constexpr uint32_t GroupsInTable = 16 - 3;
    const bool fillsTable = hasGeometry && GsPerEs / groupSize >= GroupsInTable;
    partialEsWaves = switchOnEoi || (isDistributed && hasGeometry) || fillsTable;
  }
  return PRIMGROUP_SIZE(groupSize - 1) | PARTIAL_VS_WAVE_ON(partialVsWaves) | PARTIAL_ES_WAVE_ON(partialEsWaves) |
         SWITCH_ON_EOI(switchOnEoi) | MAX_PRIMGRP_IN_WAVE(registers.isGfx8() ? MaxPrimitiveGroupsInWave : 0) |
         EN_INST_OPT_BASIC(!registers.isGfx8()) | EN_INST_OPT_ADV(!registers.isGfx8());
}

} // namespace

void writeFrontEnd(RegisterWriter &registers, const ImageStage &vs) {
  using namespace field;
  const ShaderInterface &last = *vs.interface;
  const bool hasGeometry = registers.gs;
  const bool vsReadsPrimitiveId = !hasGeometry && readsPrimitiveId(&last);
  registers.set(reg::VGT_SHADER_STAGES_EN, stagesEnabled(registers));
  registers.set(reg::VGT_GS_MODE, geometryMode(registers, vsReadsPrimitiveId));
  registers.set(reg::VGT_PRIMITIVEID_EN, VGT_PRIMITIVEID_EN::PRIMITIVEID_EN(vsReadsPrimitiveId));
  // Vertices that differ in their viewport must not be shared (RADV, radv_pipeline_emit_hw_vs).
  registers.set(reg::VGT_REUSE_OFF, VGT_REUSE_OFF::REUSE_OFF(last.preRaster.writesViewportIndex));

  // On GFX8, these groups are for rings in LDS, which nothing uses here. The values are RADV's; all chips accept them.
  uint32_t group = 0;
  if (registers.isGfx8())
    group = VGT_GS_ONCHIP_CNTL::ES_VERTS_PER_SUBGRP(64) | VGT_GS_ONCHIP_CNTL::GS_PRIMS_PER_SUBGRP(4);
  if (hasGeometry && !registers.isGfx8()) {
    const GeometryLayout &layout = *registers.image.geometry;
    group = VGT_GS_ONCHIP_CNTL::ES_VERTS_PER_SUBGRP(layout.esVerticesPerGroup) |
            VGT_GS_ONCHIP_CNTL::GS_PRIMS_PER_SUBGRP(layout.gsPrimitivesPerGroup) |
            VGT_GS_ONCHIP_CNTL::GS_INST_PRIMS_IN_SUBGRP(layout.gsInstancePrimitivesPerGroup);
  }
  registers.set(reg::VGT_GS_ONCHIP_CNTL, group);
  registers.set(reg::VGT_VERTEX_REUSE_BLOCK_CNTL, vertexReuseDepth(registers));
  registers.set(registers.isGfx8() ? reg::IA_MULTI_VGT_PARAM_GFX8 : reg::IA_MULTI_VGT_PARAM,
                primitiveGrouping(registers));
}

} // namespace dovetail
