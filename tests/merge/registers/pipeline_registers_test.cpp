// SPDX-License-Identifier: MIT
//
// Every register of every kind of pipeline, with its value worked out by hand from the hand-made images. The tests
// write fields as shifts, taken from the register headers again, independently of the table.
#include "src/abi/registers/registers.h"
#include "tests/merge/image_by_hand.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;
using namespace dovetail::test;

namespace {

using Values = std::map<uint32_t, uint32_t>;

// VGPRs in fours, SGPRs in eights, each less one; denormals of 16 and 64 bits are kept, DX10_CLAMP is on.
constexpr uint32_t rsrc1(uint32_t vgprs, uint32_t sgprs) {
  return vgprs | sgprs << 6 | 0xc0u << 12 | 1u << 21;
}

constexpr uint32_t InstanceOptimizations = 3u << 21; // of IA_MULTI_VGT_PARAM, GFX9

Values pixelRegisters(bool isGfx8) {
  Values values = {
      {reg::SPI_SHADER_PGM_RSRC1_PS, rsrc1(1, 3)}, // 5 VGPRs, 18 SGPRs: two sixteens
      {reg::SPI_SHADER_PGM_RSRC2_PS, 2u << 1},
      {reg::SPI_SHADER_USER_DATA_PS_0, 0x10000000},
      {reg::SPI_SHADER_USER_DATA_PS_0 + 1, 0x40000000},
      {reg::SPI_PS_INPUT_CNTL_0, 0},
      {reg::SPI_PS_INPUT_ENA, 2},
      {reg::SPI_PS_INPUT_ADDR, 2},
      {reg::SPI_INTERP_CONTROL_0, 1},
      {reg::SPI_PS_IN_CONTROL, 1u << 14 | 1},
      {reg::SPI_BARYC_CNTL, 1u << 24},
      {reg::SPI_SHADER_Z_FORMAT, 0},
      {reg::SPI_SHADER_COL_FORMAT, 4},
      {reg::CB_SHADER_MASK, 0xf},
      {reg::DB_SHADER_CONTROL, 1u << 4 | 1u << 11},
      {reg::PA_SC_MODE_CNTL_1, 1u << 2 | 1u << 3 | 1u << 7 | 1u << 8 | 1u << 17 | 1u << 25 | 1u << 26},
      {reg::PA_SC_AA_CONFIG, 0},
  };
  if (!isGfx8) {
    values[reg::PA_SC_SHADER_CONTROL] = 0;
    values[reg::DB_SHADER_CONTROL] |= 1u << 15; // gfx900 has RB+ and must not use it
  }
  return values;
}

// The registers of every graphics pipeline, without those that the stages in front of the rasteriser decide.
Values commonRegisters(bool isGfx8) {
  Values values = pixelRegisters(isGfx8);
  values.merge(Values{
      {reg::SPI_SHADER_PGM_RSRC1_VS, rsrc1(1, 1)}, // 8 VGPRs, 12 SGPRs
      {reg::SPI_VS_OUT_CONFIG, 0},
      {reg::SPI_SHADER_POS_FORMAT, 4},
      {reg::PA_CL_CLIP_CNTL, 1u << 19 | 1u << 24},
      {reg::PA_CL_VTE_CNTL, 0x43f},
      {reg::PA_CL_VS_OUT_CNTL, 0},
      {reg::PA_SU_VTX_CNTL, 1u | 2u << 1 | 5u << 3},
      {reg::VGT_PRIMITIVEID_EN, 0},
      {reg::VGT_REUSE_OFF, 0},
      {reg::VGT_GS_MODE, 0},
      {reg::VGT_GS_ONCHIP_CNTL, isGfx8 ? 64 | 4u << 11 : 0},
      {reg::VGT_VERTEX_REUSE_BLOCK_CNTL, isGfx8 ? 14 : 30},
      {reg::VGT_STRMOUT_CONFIG, 0},
      {reg::VGT_STRMOUT_BUFFER_CONFIG, 0},
      {reg::VGT_STRMOUT_VTX_STRIDE_0, 0},
      {reg::VGT_STRMOUT_VTX_STRIDE_1, 0},
      {reg::VGT_STRMOUT_VTX_STRIDE_2, 0},
      {reg::VGT_STRMOUT_VTX_STRIDE_3, 0},
      {reg::SPI_SHADER_USER_DATA_VS_0, 0x10000000},
  });
  return values;
}

void addVertexPixel(Values &values, bool isGfx8) {
  values[reg::SPI_SHADER_PGM_RSRC2_VS] = 4u << 1;
  values[reg::SPI_SHADER_USER_DATA_VS_0 + 1] = 0x1000000f;
  values[reg::SPI_SHADER_USER_DATA_VS_0 + 2] = 0x10000003;
  values[reg::SPI_SHADER_USER_DATA_VS_0 + 3] = 0x10000004;
  values[reg::VGT_SHADER_STAGES_EN] = isGfx8 ? 0 : 2u << 15;
  if (isGfx8)
    values[0xa2aa] = 127 | 2u << 28;
  else
    values[0xc258] = 127 | InstanceOptimizations;
}

// The registers of all pipelines with a tessellator. 4992 bytes of LDS are ten granules of 512.
void addTessellation(Values &values, bool isGfx8) {
  values[reg::VGT_HOS_MIN_TESS_LEVEL] = 0x3f800000; // 1.0
  values[reg::VGT_HOS_MAX_TESS_LEVEL] = 0x42800000; // 64.0
  values[reg::VGT_LS_HS_CONFIG] = 16 | 3u << 8 | 4u << 14;
  values[reg::VGT_TF_PARAM] = 1 | 2u << 2 | 3u << 5 | 3u << 17; // triangles, odd, counter-clockwise, trapezoids
  values[reg::VGT_VERTEX_REUSE_BLOCK_CNTL] = 14;                // odd
  values[0x2d0c] = 0x10000000;                                  // SPI_SHADER_USER_DATA_HS_0
  if (isGfx8) {
    values[reg::SPI_SHADER_PGM_RSRC1_LS] = rsrc1(2, 3) | 1u << 24; // v0 and v1 are loaded
    values[reg::SPI_SHADER_PGM_RSRC2_LS] = 3u << 1 | 10u << 7;
    values[0x2d4c] = 0x10000000; // SPI_SHADER_USER_DATA_LS_0
    values[0x2d4d] = 0x1000000f;
    values[0x2d4e] = 0;
    values[reg::SPI_SHADER_PGM_RSRC1_HS] = rsrc1(4, 5);
    values[reg::SPI_SHADER_PGM_RSRC2_HS] = 2u << 1 | 1u << 7;
    values[0x2d0d] = 5;
  } else {
    values[reg::SPI_SHADER_PGM_RSRC1_HS] = rsrc1(4, 5) | 1u << 28;
    values[reg::SPI_SHADER_PGM_RSRC2_HS] = 4u << 1 | 10u << 16;
    values[0x2d0d] = 0x1000000f;
    values[0x2d0e] = 0;
    values[0x2d0f] = 5;
  }
}

// The registers of all pipelines with a geometry shader. Its LDS on GFX9, 2976 bytes, is six granules.
void addGeometry(Values &values, bool isGfx8, bool isTessellated) {
  const uint32_t esVgprs = isTessellated ? 2 : 0;
  values[reg::SPI_SHADER_PGM_RSRC2_VS] = 2u << 1 | 1u << 8 | 1u << 10 | 1u << 12; // buffers 0 and 2
  values[reg::SPI_SHADER_USER_DATA_VS_0 + 1] = 0x1000000c;
  values[reg::VGT_STRMOUT_CONFIG] = 3; // streams 0 and 1
  values[reg::VGT_STRMOUT_BUFFER_CONFIG] = 1u << 0 | 1u << (4 + 2);
  values[reg::VGT_STRMOUT_VTX_STRIDE_0] = 4;
  values[reg::VGT_STRMOUT_VTX_STRIDE_2] = 1;
  values[reg::VGT_GS_OUT_PRIM_TYPE] = 1 | 1u << 8;
  values[reg::VGT_GS_MAX_VERT_OUT] = 200;
  values[reg::VGT_GS_INSTANCE_CNT] = 1 | 2u << 2;
  values[reg::VGT_GS_PER_VS] = 2;
  values[reg::VGT_ESGS_RING_ITEMSIZE] = 12;
  values[reg::VGT_GS_VERT_ITEMSIZE] = 5;
  values[reg::VGT_GS_VERT_ITEMSIZE_1] = 1;
  values[reg::VGT_GS_VERT_ITEMSIZE_2] = 0;
  values[reg::VGT_GS_VERT_ITEMSIZE_3] = 0;
  values[reg::VGT_GSVS_RING_OFFSET_1] = 1000;
  values[reg::VGT_GSVS_RING_OFFSET_2] = 1200;
  values[reg::VGT_GSVS_RING_OFFSET_3] = 1200;
  values[reg::VGT_GSVS_RING_ITEMSIZE] = 1200;
  values[0x2ccc] = 0x10000000; // SPI_SHADER_USER_DATA_ES_0
  values[0x2ccd] = 7;
  if (isGfx8) {
    values[reg::VGT_GS_MODE] = 3 | 2u << 4 | 1u << 19 | 1u << 20; // scenario G, up to 256 vertices
    values[reg::VGT_GS_PER_ES] = 128;
    values[reg::VGT_ES_PER_GS] = 64;
    values[reg::SPI_SHADER_PGM_RSRC1_ES] = rsrc1(2, 3) | esVgprs << 24;
    values[reg::SPI_SHADER_PGM_RSRC2_ES] = 2u << 1 | (isTessellated ? 1u << 7 : 0);
    values[reg::SPI_SHADER_PGM_RSRC1_GS] = rsrc1(4, 5);
    values[reg::SPI_SHADER_PGM_RSRC2_GS] = 1u << 1;
    values[0x2c8c] = 0x10000000; // SPI_SHADER_USER_DATA_GS_0
  } else {
    values[reg::VGT_GS_MODE] = 3 | 2u << 4 | 1u << 20 | 1u << 21; // the ring in front of the GS is in LDS
    values[reg::VGT_GS_ONCHIP_CNTL] = 60 | 20u << 11 | 40u << 22;
    values[reg::VGT_GS_MAX_PRIMS_PER_SUBGROUP] = 40 * 200;
    values[reg::SPI_SHADER_PGM_RSRC1_GS] = rsrc1(4, 5) | 3u << 29;
    values[reg::SPI_SHADER_PGM_RSRC2_GS] = 2u << 1 | esVgprs << 16 | (isTessellated ? 1u << 18 : 0) | 6u << 19;
  }
}

void compare(const PipelineKind &kind, const Values &expected) {
  INFO(kind.name);
  ImageByHand image(kind);
  std::vector<RegisterValue> found = image.registers();
  for (auto [address, value] : found) {
    INFO(registerName(address));
    REQUIRE(expected.contains(address));
    CHECK(expected.at(address) == value);
  }
  for (auto [address, value] : expected) {
    INFO(registerName(address));
    CHECK(std::ranges::count(found, address, &RegisterValue::address) == 1);
  }
}

} // namespace

TEST_CASE("registers of VS PS") {
  for (bool isGfx8 : {true, false}) {
    Values values = commonRegisters(isGfx8);
    addVertexPixel(values, isGfx8);
    compare({"VS PS", isGfx8, false, false}, values);
  }
}

TEST_CASE("registers of LS HS VS PS") {
  for (bool isGfx8 : {true, false}) {
    Values values = commonRegisters(isGfx8);
    addTessellation(values, isGfx8);
    values[reg::SPI_SHADER_PGM_RSRC1_VS] |= 2u << 24;
    values[reg::SPI_SHADER_PGM_RSRC2_VS] = 1u << 1 | 1u << 7;
    const uint32_t stages = 1 | 1u << 2 | 1u << 6 | 1u << 8; // LS, HS, VS is the evaluation shader, off-chip
    values[reg::VGT_SHADER_STAGES_EN] = isGfx8 ? stages : stages | 2u << 15;
    // Patches are spread over the chip, which needs partial waves.
    if (isGfx8)
      values[0xa2aa] = 15 | 1u << 16 | 2u << 28;
    else
      values[0xc258] = 15 | 1u << 16 | InstanceOptimizations;
    compare({"LS HS VS PS", isGfx8, true, false}, values);
  }
}

TEST_CASE("registers of ES GS VS PS") {
  for (bool isGfx8 : {true, false}) {
    Values values = commonRegisters(isGfx8);
    addGeometry(values, isGfx8, false);
    const uint32_t stages = 2u << 3 | 1u << 5 | 2u << 6; // ES is the vertex shader, GS, VS is the copy shader
    values[reg::VGT_SHADER_STAGES_EN] = isGfx8 ? stages : stages | 2u << 15;
    if (isGfx8)
      values[0xa2aa] = 63 | 1u << 16 | 2u << 28; // Fiji and Polaris want partial VS waves
    else
      values[0xc258] = 63 | InstanceOptimizations;
    compare({"ES GS VS PS", isGfx8, false, true}, values);
  }
}

TEST_CASE("registers of LS HS ES GS VS PS") {
  for (bool isGfx8 : {true, false}) {
    Values values = commonRegisters(isGfx8);
    addTessellation(values, isGfx8);
    addGeometry(values, isGfx8, true);
    const uint32_t stages = 1 | 1u << 2 | 1u << 3 | 1u << 5 | 2u << 6 | 1u << 8;
    values[reg::VGT_SHADER_STAGES_EN] = isGfx8 ? stages : stages | 2u << 15;
    if (isGfx8)
      values[0xa2aa] = 15 | 1u << 16 | 1u << 18 | 2u << 28;
    else
      values[0xc258] = 15 | InstanceOptimizations;
    compare({"LS HS ES GS VS PS", isGfx8, true, true}, values);
  }
}

TEST_CASE("registers of CS") {
  for (bool isGfx8 : {true, false}) {
    const Values values = {
        {reg::COMPUTE_NUM_THREAD_X, 8},
        {reg::COMPUTE_NUM_THREAD_Y, 4},
        {reg::COMPUTE_NUM_THREAD_Z, 2},
        {reg::COMPUTE_PGM_RSRC1, rsrc1(2, 3)},
        {reg::COMPUTE_PGM_RSRC2, 1 | 2u << 1 | 1u << 7 | 1u << 9 | 1u << 11 | 3u << 15}, // 1025 bytes: three granules
        {reg::COMPUTE_USER_DATA_0, 0x10000000},
        {reg::COMPUTE_USER_DATA_0 + 1, 9},
    };
    compare({"CS", isGfx8, false, false, true}, values);
  }
}

// An image programs exactly the registers that the table says.
TEST_CASE("an image programs the registers of its stages and of its generation") {
  for (const PipelineKind &kind : allPipelineKinds()) {
    INFO(kind.name);
    ImageByHand image(kind);
    const std::vector<RegisterValue> found = image.registers();
    auto isProgrammed = [&](const RegisterRow &row) {
      return std::ranges::any_of(found, [&](const RegisterValue &value) {
        return value.address >= row.address && value.address < row.address + row.count;
      });
    };
    auto hasStage = [&](HardwareStage stage) { return image.image.findStage(stage) != nullptr; };
    auto belongs = [&](const RegisterRow &row) {
      switch (row.owner) {
      case RegisterOwner::Driver:
      case RegisterOwner::Nobody:
        return false;
      case RegisterOwner::Ls:
        return hasStage(HardwareStage::Ls);
      case RegisterOwner::Hs:
        return hasStage(HardwareStage::Hs);
      case RegisterOwner::Es:
        return hasStage(HardwareStage::Es);
      case RegisterOwner::Gs:
        return hasStage(HardwareStage::Gs);
      case RegisterOwner::Vs:
        return hasStage(HardwareStage::Vs);
      case RegisterOwner::Ps:
        return hasStage(HardwareStage::Ps);
      case RegisterOwner::Cs:
        break;
      }
      return hasStage(HardwareStage::Cs);
    };
    for (const RegisterRow &row : registerTable()) {
      if ((unsigned(row.generations) & (kind.isGfx8 ? 1u : 2u)) == 0)
        continue; // another register may be there
      INFO(row.name);
      CHECK(isProgrammed(row) == belongs(row));
    }
  }
}

TEST_CASE("runs of registers do not overlap others") {
  for (const RegisterRow &row : registerTable())
    for (const RegisterRow &other : registerTable()) {
      if (&row == &other || (unsigned(row.generations) & unsigned(other.generations)) == 0)
        continue;
      INFO(row.name << " and " << other.name);
      CHECK((other.address < row.address || other.address >= row.address + row.count));
    }
}
