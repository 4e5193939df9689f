// SPDX-License-Identifier: MIT
//
// On GFX9, LS and HS are one program. On GFX8 they are two programs in one group, and the LS allocates the LDS of both.
#include "merge/registers/registers.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

// The tessellator clamps factors to the range that the API allows. Mesa has 0 for the least on GFX8 and GFX9, LLPC 1.
// Factors below 1 make no difference, and factors that cull a patch are not clamped.
constexpr float MinTessLevel = 1.0f;
constexpr float MaxTessLevel = 64.0f;

uint32_t tessType(TessPrimitive primitive) {
  switch (primitive) {
  case TessPrimitive::Triangles:
    return 1;
  case TessPrimitive::Quads:
    return 2;
  case TessPrimitive::Isolines:
  case TessPrimitive::Undeclared: // layOutTessellation() has refused it
    break;
  }
  return 0;
}

uint32_t tessPartitioning(TessSpacing spacing) {
  switch (spacing) {
  case TessSpacing::FractionalOdd:
    return 2;
  case TessSpacing::FractionalEven:
    return 3;
  case TessSpacing::Equal:
  case TessSpacing::Undeclared: // equal spacing is the default
    break;
  }
  return 0;
}

// Types, partitionings and topologies: AMD's register headers (VGT_TF_PARAM). How modes become them: Mesa,
// si_set_tesseval_regs and radv_emit_tess_domain_origin. The API defines the vertex order of triangles for a domain
// whose origin is in the upper left.
uint32_t tessTopology(const TessellationInterface &mode, bool originIsLowerLeft) {
  constexpr uint32_t Point = 0;
  constexpr uint32_t Line = 1;
  constexpr uint32_t TriangleClockwise = 2;
  constexpr uint32_t TriangleCounterClockwise = 3;
  if (mode.pointMode)
    return Point;
  if (mode.primitive == TessPrimitive::Isolines)
    return Line;
  const bool isClockwise = mode.vertexOrder == TessVertexOrder::Clockwise;
  return isClockwise != originIsLowerLeft ? TriangleClockwise : TriangleCounterClockwise;
}

uint32_t ldsBytesOfGroup(const Image &image) {
  uint32_t bytes = image.tessellation ? image.tessellation->ldsBytes : 0;
  for (HardwareStage stage : {HardwareStage::Ls, HardwareStage::Hs})
    if (const ImageStage *program = image.findStage(stage))
      bytes = std::max(bytes, program->usage.ldsBytes);
  return bytes;
}

void writeHsProgram(RegisterWriter &registers, const ImageStage &hs) {
  using namespace field;
  uint32_t rsrc1 = programResources(registers, hs);
  uint32_t rsrc2 = SPI_SHADER_PGM_RSRC2_HS::SCRATCH_EN(hs.usage.scratchBytes != 0) |
                   SPI_SHADER_PGM_RSRC2_HS::USER_SGPR(hs.userSgprCount) |
                   SPI_SHADER_PGM_RSRC2_HS::TRAP_PRESENT(hasTrapHandler(registers, hs));
  if (registers.isGfx8()) {
    rsrc2 |= SPI_SHADER_PGM_RSRC2_HS::OC_LDS_EN(1);
  } else {
    rsrc1 |= SPI_SHADER_PGM_RSRC1_HS::LS_VGPR_COMP_CNT(hs.firstVgprCompCount);
    rsrc2 |= SPI_SHADER_PGM_RSRC2_HS::LDS_SIZE(ldsGranules(ldsBytesOfGroup(registers.image))) |
             SPI_SHADER_PGM_RSRC2_HS::USER_SGPR_MSB(hs.userSgprCount >> 5);
  }
  registers.set(reg::SPI_SHADER_PGM_RSRC1_HS, rsrc1);
  registers.set(reg::SPI_SHADER_PGM_RSRC2_HS, rsrc2);
  registers.setUserData(hs, reg::SPI_SHADER_USER_DATA_HS_0);
}

void writeLsProgram(RegisterWriter &registers, const ImageStage &ls) {
  using namespace field;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_LS,
                programResources(registers, ls) | SPI_SHADER_PGM_RSRC1_LS::VGPR_COMP_CNT(ls.vgprCompCount));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_LS,
                SPI_SHADER_PGM_RSRC2_LS::SCRATCH_EN(ls.usage.scratchBytes != 0) |
                    SPI_SHADER_PGM_RSRC2_LS::USER_SGPR(ls.userSgprCount) |
                    SPI_SHADER_PGM_RSRC2_LS::TRAP_PRESENT(hasTrapHandler(registers, ls)) |
                    SPI_SHADER_PGM_RSRC2_LS::LDS_SIZE(ldsGranules(ldsBytesOfGroup(registers.image))));
  registers.setUserData(ls, reg::SPI_SHADER_USER_DATA_LS_0);
}

} // namespace

void writeTessellation(RegisterWriter &registers, const ImageStage &hs) {
  using namespace field;
  const TessellationLayout &layout = *registers.image.tessellation;
  const TessellationInterface &mode = registers.image.tessellationMode;
  writeHsProgram(registers, hs);
  if (const ImageStage *ls = registers.image.findStage(HardwareStage::Ls))
    writeLsProgram(registers, *ls);

  registers.set(reg::VGT_HOS_MIN_TESS_LEVEL, std::bit_cast<uint32_t>(MinTessLevel));
  registers.set(reg::VGT_HOS_MAX_TESS_LEVEL, std::bit_cast<uint32_t>(MaxTessLevel));
  registers.set(reg::VGT_LS_HS_CONFIG, VGT_LS_HS_CONFIG::NUM_PATCHES(layout.patchesPerGroup) |
                                           VGT_LS_HS_CONFIG::HS_NUM_INPUT_CP(layout.inputControlPoints) |
                                           VGT_LS_HS_CONFIG::HS_NUM_OUTPUT_CP(layout.outputControlPoints));
  registers.set(reg::VGT_TF_PARAM,
                VGT_TF_PARAM::TYPE(tessType(mode.primitive)) |
                    VGT_TF_PARAM::PARTITIONING(tessPartitioning(mode.spacing)) |
                    VGT_TF_PARAM::TOPOLOGY(tessTopology(mode, registers.state.tessellationDomainLowerLeft)) |
                    VGT_TF_PARAM::DISTRIBUTION_MODE(registers.target.tessDistribution));
}

} // namespace dovetail
