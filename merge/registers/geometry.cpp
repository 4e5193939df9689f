// SPDX-License-Identifier: MIT
//
// On GFX9, ES and GS are one program, with the ring between them in LDS. On GFX8, they are two programs, with a ring in
// memory. On both, a GS emits its vertices to the copy shader through a ring in memory.
#include "merge/registers/registers.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

// Sizes of the front end's tables: how many GS threads may wait for an ES wave, and ES threads for a GS wave (GFX8),
// and GS threads for a VS wave. RADV's values (si_emit_graphics).
constexpr uint32_t GsPerEs = 128;
constexpr uint32_t EsPerGs = 64;
constexpr uint32_t GsPerVs = 2;

constexpr uint32_t MaxInstanceCount = 127; // Mesa, si_shader_gs
// GS_VGPR_COMP_CNT has two bits; 3 loads all five VGPRs of a primitive with more than four vertices (Mesa,
// si_shader_gs).
constexpr uint32_t MaxGsVgprCompCount = 3;

uint32_t outputPrimitiveType(GeometryOutput output) {
  switch (output) {
  case GeometryOutput::Points:
    return 0;
  case GeometryOutput::LineStrip:
    return 1;
  case GeometryOutput::TriangleStrip:
    break;
  }
  return 2;
}

void writeMergedProgram(RegisterWriter &registers, const ImageStage &gs) {
  using namespace field;
  const uint32_t ldsBytes = std::max(gs.usage.ldsBytes, registers.image.geometry->ldsBytes);
  const bool isTessellated = gs.firstInterface && gs.firstInterface->source == VertexSource::TessEval;
  const uint32_t gsVgprs = std::min<uint32_t>(gs.vgprCompCount, MaxGsVgprCompCount);
  registers.set(reg::SPI_SHADER_PGM_RSRC1_GS,
                programResources(registers, gs) | SPI_SHADER_PGM_RSRC1_GS::GS_VGPR_COMP_CNT(gsVgprs));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_GS, SPI_SHADER_PGM_RSRC2_GS::SCRATCH_EN(gs.usage.scratchBytes != 0) |
                                                  SPI_SHADER_PGM_RSRC2_GS::USER_SGPR(gs.userSgprCount) |
                                                  SPI_SHADER_PGM_RSRC2_GS::TRAP_PRESENT(hasTrapHandler(registers, gs)) |
                                                  SPI_SHADER_PGM_RSRC2_GS::ES_VGPR_COMP_CNT(gs.firstVgprCompCount) |
                                                  SPI_SHADER_PGM_RSRC2_GS::OC_LDS_EN(isTessellated) |
                                                  SPI_SHADER_PGM_RSRC2_GS::LDS_SIZE(ldsGranules(ldsBytes)) |
                                                  SPI_SHADER_PGM_RSRC2_GS::USER_SGPR_MSB(gs.userSgprCount >> 5));
  registers.setUserData(gs, reg::SPI_SHADER_USER_DATA_ES_0);
}

void writeSeparatePrograms(RegisterWriter &registers, const ImageStage &gs, const ImageStage &es) {
  using namespace field;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_GS, programResources(registers, gs));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_GS, SPI_SHADER_PGM_RSRC2_GS::SCRATCH_EN(gs.usage.scratchBytes != 0) |
                                                  SPI_SHADER_PGM_RSRC2_GS::USER_SGPR(gs.userSgprCount) |
                                                  SPI_SHADER_PGM_RSRC2_GS::TRAP_PRESENT(hasTrapHandler(registers, gs)));
  registers.setUserData(gs, reg::SPI_SHADER_USER_DATA_GS_0);

  const bool isTessellated = es.interface->source == VertexSource::TessEval;
  registers.set(reg::SPI_SHADER_PGM_RSRC1_ES,
                programResources(registers, es) | SPI_SHADER_PGM_RSRC1_ES::VGPR_COMP_CNT(es.vgprCompCount));
  registers.set(reg::SPI_SHADER_PGM_RSRC2_ES, SPI_SHADER_PGM_RSRC2_ES::SCRATCH_EN(es.usage.scratchBytes != 0) |
                                                  SPI_SHADER_PGM_RSRC2_ES::USER_SGPR(es.userSgprCount) |
                                                  SPI_SHADER_PGM_RSRC2_ES::TRAP_PRESENT(hasTrapHandler(registers, es)) |
                                                  SPI_SHADER_PGM_RSRC2_ES::OC_LDS_EN(isTessellated));
  registers.setUserData(es, reg::SPI_SHADER_USER_DATA_ES_0);
}

// Each stream has its part of the ring; sizes and offsets are what one lane takes (Mesa, si_shader_gs).
void writeRings(RegisterWriter &registers, const GeometryInterface &geometry) {
  const GeometryLayout &layout = *registers.image.geometry;
  std::array<uint32_t, MaxVertexStreams> vertexDwords = {};
  for (const GeometryOutputDword &output : geometry.outputs)
    ++vertexDwords[output.stream];
  registers.set(reg::VGT_ESGS_RING_ITEMSIZE, layout.esVertexStride / 4);
  registers.set(reg::VGT_GS_VERT_ITEMSIZE, vertexDwords[0]);
  registers.set(reg::VGT_GS_VERT_ITEMSIZE_1, vertexDwords[1]);
  registers.set(reg::VGT_GS_VERT_ITEMSIZE_2, vertexDwords[2]);
  registers.set(reg::VGT_GS_VERT_ITEMSIZE_3, vertexDwords[3]);
  uint32_t offset = layout.gsvsItemDwords[0];
  registers.set(reg::VGT_GSVS_RING_OFFSET_1, offset);
  registers.set(reg::VGT_GSVS_RING_OFFSET_2, offset += layout.gsvsItemDwords[1]);
  registers.set(reg::VGT_GSVS_RING_OFFSET_3, offset += layout.gsvsItemDwords[2]);
  registers.set(reg::VGT_GSVS_RING_ITEMSIZE, offset + layout.gsvsItemDwords[3]);
}

} // namespace

void writeGeometry(RegisterWriter &registers, const ImageStage &gs) {
  using namespace field;
  const GeometryInterface &geometry = gs.interface->geometry;
  const GeometryLayout &layout = *registers.image.geometry;
  const uint32_t maxVertices = std::max<uint32_t>(geometry.maxVertices, 1);
  if (const ImageStage *es = registers.image.findStage(HardwareStage::Es))
    writeSeparatePrograms(registers, gs, *es);
  else
    writeMergedProgram(registers, gs);
  writeRings(registers, geometry);

  // A geometry shader has one output primitive for all of its streams.
  const uint32_t type = outputPrimitiveType(geometry.output);
  auto typeOfStream = [&](unsigned stream) { return geometry.streamMask >> stream & 1 ? type : 0; };
  registers.set(reg::VGT_GS_OUT_PRIM_TYPE, VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE(type) |
                                               VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE_1(typeOfStream(1)) |
                                               VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE_2(typeOfStream(2)) |
                                               VGT_GS_OUT_PRIM_TYPE::OUTPRIM_TYPE_3(typeOfStream(3)) |
                                               VGT_GS_OUT_PRIM_TYPE::UNIQUE_TYPE_PER_STREAM(0));
  registers.set(reg::VGT_GS_MAX_VERT_OUT, maxVertices);
  registers.set(reg::VGT_GS_INSTANCE_CNT,
                VGT_GS_INSTANCE_CNT::ENABLE(1) |
                    VGT_GS_INSTANCE_CNT::CNT(std::min<uint32_t>(geometry.invocations, MaxInstanceCount)));
  registers.set(reg::VGT_GS_PER_VS, GsPerVs);
  if (registers.isGfx8()) {
    registers.set(reg::VGT_GS_PER_ES, GsPerEs);
    registers.set(reg::VGT_ES_PER_GS, EsPerGs);
  } else {
    registers.set(reg::VGT_GS_MAX_PRIMS_PER_SUBGROUP, layout.gsInstancePrimitivesPerGroup * maxVertices);
  }
}

} // namespace dovetail
