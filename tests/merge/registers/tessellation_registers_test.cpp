// SPDX-License-Identifier: MIT
//
// Modes and state that change the registers of tessellated and geometry pipelines, and registers that must stay.
#include "src/abi/registers/registers.h"
#include "tests/merge/image_by_hand.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr PipelineKind Tessellated = {"LS-HS VS PS", false, true, false};
constexpr PipelineKind Geometry = {"ES-GS VS PS", false, false, true};

uint32_t tfParam(TessPrimitive primitive, TessSpacing spacing, TessVertexOrder order, bool pointMode,
                 bool lowerLeft = false) {
  ImageByHand image(Tessellated);
  image.target.tessDistribution = 0;
  image.image.tessellationMode.primitive = primitive;
  image.image.tessellationMode.spacing = spacing;
  image.image.tessellationMode.vertexOrder = order;
  image.image.tessellationMode.pointMode = pointMode;
  image.state.tessellationDomainLowerLeft = lowerLeft;
  return image.at(reg::VGT_TF_PARAM);
}

uint32_t iaMultiVgtParam(ImageByHand &image) {
  return image.at(image.target.hasMergedStages ? 0xc258 : 0xa2aa);
}

constexpr uint32_t PartialVsWave = 1u << 16;
constexpr uint32_t PartialEsWave = 1u << 18;
constexpr uint32_t SwitchOnEoi = 1u << 19;

} // namespace

TEST_CASE("the tessellator's primitive, spacing and order") {
  constexpr uint32_t Line = 1u << 5;
  constexpr uint32_t TurnsRight = 2u << 5;
  constexpr uint32_t TurnsLeft = 3u << 5;
  CHECK(tfParam(TessPrimitive::Isolines, TessSpacing::Equal, TessVertexOrder::CounterClockwise, false) == (0 | Line));
  CHECK(tfParam(TessPrimitive::Triangles, TessSpacing::Equal, TessVertexOrder::CounterClockwise, false) ==
        (1 | TurnsLeft));
  CHECK(tfParam(TessPrimitive::Triangles, TessSpacing::Equal, TessVertexOrder::Clockwise, false) == (1 | TurnsRight));
  CHECK(tfParam(TessPrimitive::Quads, TessSpacing::FractionalOdd, TessVertexOrder::Clockwise, false) ==
        (2 | 2u << 2 | TurnsRight));
  CHECK(tfParam(TessPrimitive::Quads, TessSpacing::FractionalEven, TessVertexOrder::Clockwise, false) ==
        (2 | 3u << 2 | TurnsRight));
  CHECK(tfParam(TessPrimitive::Quads, TessSpacing::FractionalEven, TessVertexOrder::Clockwise, true) == (2 | 3u << 2));
  CHECK(tfParam(TessPrimitive::Isolines, TessSpacing::Equal, TessVertexOrder::Clockwise, true) == 0);
}

TEST_CASE("a domain with its origin in the lower left turns the order of triangles round, and nothing else") {
  CHECK(tfParam(TessPrimitive::Triangles, TessSpacing::Equal, TessVertexOrder::CounterClockwise, false, true) ==
        tfParam(TessPrimitive::Triangles, TessSpacing::Equal, TessVertexOrder::Clockwise, false));
  CHECK(tfParam(TessPrimitive::Quads, TessSpacing::Equal, TessVertexOrder::Clockwise, false, true) ==
        tfParam(TessPrimitive::Quads, TessSpacing::Equal, TessVertexOrder::CounterClockwise, false));
  CHECK(tfParam(TessPrimitive::Isolines, TessSpacing::Equal, TessVertexOrder::Clockwise, false, true) ==
        tfParam(TessPrimitive::Isolines, TessSpacing::Equal, TessVertexOrder::Clockwise, false));
  CHECK(tfParam(TessPrimitive::Quads, TessSpacing::Equal, TessVertexOrder::Clockwise, true, true) ==
        tfParam(TessPrimitive::Quads, TessSpacing::Equal, TessVertexOrder::Clockwise, true));
}

TEST_CASE("patch numbers need groups that end with the instance") {
  for (HardwareStage reader : {HardwareStage::Hs, HardwareStage::Vs}) {
    ImageByHand image(Tessellated);
    CHECK((iaMultiVgtParam(image) & SwitchOnEoi) == 0);
    image.interfaceOf(reader).inputs.push_back({{ValueKind::PatchId}, {RegisterBank::Vgpr, 0}});
    CHECK((iaMultiVgtParam(image) & SwitchOnEoi) != 0);
    CHECK((iaMultiVgtParam(image) & PartialEsWave) == 0);
  }
  ImageByHand gfx8({"LS HS VS PS", true, true, false});
  CHECK((iaMultiVgtParam(gfx8) & PartialEsWave) == 0);
  gfx8.interfaceOf(HardwareStage::Hs).inputs.push_back({{ValueKind::PatchId}, {RegisterBank::Vgpr, 0}});
  CHECK((iaMultiVgtParam(gfx8) & (SwitchOnEoi | PartialEsWave)) == (SwitchOnEoi | PartialEsWave));
}

TEST_CASE("an evaluation shader that reads patch numbers enables them, a geometry shader gets them anyway") {
  ImageByHand image(Tessellated);
  CHECK(image.at(reg::VGT_PRIMITIVEID_EN) == 0);
  image.interfaceOf(HardwareStage::Vs).inputs.push_back({{ValueKind::PatchId}, {RegisterBank::Vgpr, 3}});
  CHECK(image.at(reg::VGT_PRIMITIVEID_EN) == 1);
  CHECK(image.at(reg::VGT_GS_MODE) == 1);

  ImageByHand geometry(Geometry);
  uint32_t mode = geometry.at(reg::VGT_GS_MODE);
  geometry.interfaceOf(HardwareStage::Gs).geometry.usesPrimitiveId = true;
  CHECK(geometry.at(reg::VGT_PRIMITIVEID_EN) == 0);
  CHECK(geometry.at(reg::VGT_GS_MODE) == mode);
}

TEST_CASE("chips with one shader engine do not spread patches") {
  ImageByHand image(Tessellated);
  CHECK((iaMultiVgtParam(image) & PartialVsWave) != 0);
  image.target.tessDistribution = 0;
  CHECK((iaMultiVgtParam(image) & PartialVsWave) == 0);
  CHECK((image.at(reg::VGT_TF_PARAM) >> 17) == 0);
}

TEST_CASE("GFX8's tables in front of a GS must not fill up with small groups of primitives") {
  ImageByHand image({"LS HS ES GS VS PS", true, true, true});
  image.target.tessDistribution = 0;
  CHECK((iaMultiVgtParam(image) & PartialEsWave) == 0); // 128 / 16 groups
  image.image.tessellation->patchesPerGroup = 9;
  CHECK((iaMultiVgtParam(image) & PartialEsWave) != 0); // 14
}

TEST_CASE("how many vertices a geometry shader can emit decides its cut mode") {
  const std::pair<uint16_t, uint32_t> modes[] = {{0, 3},   {1, 3},   {128, 3}, {129, 2},
                                                 {256, 2}, {257, 1}, {513, 0}, {1024, 0}};
  for (auto [vertices, mode] : modes) {
    INFO(vertices);
    ImageByHand image(Geometry);
    image.interfaceOf(HardwareStage::Gs).geometry.maxVertices = vertices;
    CHECK((image.at(reg::VGT_GS_MODE) >> 4 & 3) == mode);
    CHECK(image.at(reg::VGT_GS_MAX_VERT_OUT) == std::max<uint32_t>(vertices, 1));
  }
}

TEST_CASE("fractional odd spacing shares vertices less far back") {
  ImageByHand image(Tessellated);
  image.image.tessellationMode.spacing = TessSpacing::FractionalEven;
  CHECK(image.at(reg::VGT_VERTEX_REUSE_BLOCK_CNTL) == 30);
  image.image.tessellationMode.spacing = TessSpacing::FractionalOdd;
  CHECK(image.at(reg::VGT_VERTEX_REUSE_BLOCK_CNTL) == 14);
}

TEST_CASE("what a geometry shader makes") {
  const std::pair<GeometryOutput, uint32_t> types[] = {
      {GeometryOutput::Points, 0}, {GeometryOutput::LineStrip, 1}, {GeometryOutput::TriangleStrip, 2}};
  for (auto [output, type] : types) {
    ImageByHand image(Geometry);
    image.interfaceOf(HardwareStage::Gs).geometry.output = output;
    image.interfaceOf(HardwareStage::Gs).geometry.streamMask = 1;
    CHECK(image.at(reg::VGT_GS_OUT_PRIM_TYPE) == type);
    image.interfaceOf(HardwareStage::Gs).geometry.streamMask = 0xf;
    CHECK(image.at(reg::VGT_GS_OUT_PRIM_TYPE) == (type | type << 8 | type << 16 | type << 22));
  }
}

TEST_CASE("scratch of each program") {
  const std::pair<HardwareStage, uint32_t> programs[] = {
      {HardwareStage::Ls, reg::SPI_SHADER_PGM_RSRC2_LS}, {HardwareStage::Hs, reg::SPI_SHADER_PGM_RSRC2_HS},
      {HardwareStage::Es, reg::SPI_SHADER_PGM_RSRC2_ES}, {HardwareStage::Gs, reg::SPI_SHADER_PGM_RSRC2_GS},
      {HardwareStage::Vs, reg::SPI_SHADER_PGM_RSRC2_VS}, {HardwareStage::Ps, reg::SPI_SHADER_PGM_RSRC2_PS}};
  ImageByHand image({"LS HS ES GS VS PS", true, true, true});
  for (auto [stage, address] : programs) {
    CHECK((image.at(address) & 1) == 0);
    image.stageOf(stage).usage.scratchBytes = 4;
    CHECK((image.at(address) & 1) == 1);
  }
}

TEST_CASE("32 user SGPRs of a merged program use the high bit") {
  ImageByHand image({"LS-HS ES-GS VS PS", false, true, true});
  image.stageOf(HardwareStage::Hs).userSgprCount = 32;
  image.stageOf(HardwareStage::Gs).userSgprCount = 32;
  for (uint32_t address : {reg::SPI_SHADER_PGM_RSRC2_HS, reg::SPI_SHADER_PGM_RSRC2_GS}) {
    CHECK((image.at(address) >> 1 & 31) == 0);
    CHECK((image.at(address) >> 28 & 1) == 1);
  }
}
