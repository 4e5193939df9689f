// SPDX-License-Identifier: MIT
//
// Register values that the interface, the epilog and the pipeline state decide.
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/parts_by_hand.h"
#include <doctest/doctest.h>
#include <functional>
#include <set>

using namespace dovetail;
using namespace dovetail::test;
using enum dovetail::ValueKind;

namespace {

struct Draw {
  Part prolog = vertexProlog();
  Part vertex = vertexMain();
  Part fragment = fragmentMain();
  Part epilog = fragmentEpilog();
  PipelineState state;

  uint32_t at(uint32_t address) const {
    auto image = joinStages(
        {stageOf(HardwareStage::Vs, {prolog, vertex}), stageOf(HardwareStage::Ps, {fragment, epilog})}, state);
    REQUIRE(image);
    const RegisterValue *value = (*image)->findRegister(address);
    REQUIRE(value);
    return value->value;
  }
};

} // namespace

TEST_CASE("registers have names") {
  CHECK(registerName(reg::SPI_VS_OUT_CONFIG) == "SPI_VS_OUT_CONFIG");
  CHECK(registerName(reg::SPI_PS_INPUT_CNTL_0 + 3) == "SPI_PS_INPUT_CNTL_3");
  CHECK(registerName(0x1234) == "0x1234");
}

TEST_CASE("no register is set twice") {
  auto image = joinStages(drawStages());
  REQUIRE(image);
  std::set<uint32_t> seen;
  for (const RegisterValue &value : (*image)->registers) {
    INFO(registerName(value.address));
    CHECK(seen.insert(value.address).second);
  }
}

TEST_CASE("what a vertex and fragment pipeline sets without anything special") {
  Draw draw;
  const std::pair<uint32_t, uint32_t> expected[] = {
      {reg::PA_CL_VTE_CNTL, 0x43f},
      {reg::PA_SU_VTX_CNTL, 0x2d},
      {reg::SPI_VS_OUT_CONFIG, 0},
      {reg::SPI_SHADER_POS_FORMAT, 4},
      {reg::PA_CL_VS_OUT_CNTL, 0},
      {reg::SPI_PS_INPUT_CNTL_0, 0},
      {reg::SPI_PS_IN_CONTROL, 1u << 14 | 1},
      {reg::SPI_SHADER_COL_FORMAT, 4},
      {reg::CB_SHADER_MASK, 0xf},
      {reg::SPI_SHADER_Z_FORMAT, 0},
      {reg::VGT_REUSE_OFF, 0},
      {reg::VGT_PRIMITIVEID_EN, 0},
      {reg::IA_MULTI_VGT_PARAM, 127 | 3u << 21},
      {reg::VGT_SHADER_STAGES_EN, 2u << 15},
      {reg::SPI_BARYC_CNTL, 1u << 24},
      {reg::PA_SC_AA_CONFIG, 0},
      {reg::DB_SHADER_CONTROL, (1u << 4) | (1u << 11) | (1u << 15)},
      {reg::SPI_SHADER_USER_DATA_VS_0, 0x10000000},
      {reg::SPI_SHADER_USER_DATA_VS_0 + 1, 0x1000000f},
      {reg::SPI_SHADER_USER_DATA_VS_0 + 2, 0x10000003},
      {reg::SPI_SHADER_USER_DATA_VS_0 + 3, 0x10000004},
      {reg::SPI_SHADER_USER_DATA_PS_0, 0x10000000},
      {reg::SPI_SHADER_USER_DATA_PS_0 + 1, *palUserData({ValueKind::AlphaReference})},
  };
  for (auto [address, value] : expected) {
    INFO(registerName(address));
    CHECK(draw.at(address) == value);
  }
}

TEST_CASE("fragment inputs find the vertex shader's parameters by location") {
  Draw draw;
  draw.vertex.interface->preRaster.parameters = {{7, 0}, {3, 1}, {5, 2}};
  draw.fragment.interface->fragment.inputs = {{5, false, false}, {3, true, false}, {9, false, false}, {2, false, true}};
  CHECK(draw.at(reg::SPI_VS_OUT_CONFIG) == (2u << 1));
  CHECK(draw.at(reg::SPI_PS_IN_CONTROL) == (4 | 1u << 14));
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0) == 2);
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0 + 1) == (1u | (1u << 10)));    // flat
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0 + 2) == 0x20);                 // not written: the default
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0 + 3) == (0x20u | (1u << 17))); // point coordinate
  CHECK(field::SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA.get(draw.at(reg::SPI_INTERP_CONTROL_0)) == 1);
}

TEST_CASE("an attribute says which halves of its dwords are interpolated") {
  Draw draw;
  draw.vertex.interface->preRaster.parameters = {{7, 0}};
  for (uint8_t halves : {1, 2, 3}) {
    draw.fragment.interface->fragment.inputs = {{7, false, false, false, halves}};
    CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0) == (1u << 19 | uint32_t(halves) << 24));
  }
}

// With FLAT_SHADE, OFFSET's bit 5 would stand for parameters as they are in the cache.
TEST_CASE("a flat input that is not written is a default value, and not flat") {
  Draw draw;
  draw.vertex.interface->preRaster.parameters = {{7, 0}};
  draw.fragment.interface->fragment.inputs = {{9, true, false}, {7, true, false}};
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0) == 0x20);
  CHECK(draw.at(reg::SPI_PS_INPUT_CNTL_0 + 1) == (1u << 10));
}

TEST_CASE("the hardware leaves out centroids only where the state lets it") {
  Draw draw;
  CHECK(field::SPI_PS_IN_CONTROL::BC_OPTIMIZE_DISABLE.get(draw.at(reg::SPI_PS_IN_CONTROL)) == 1);
  draw.state.barycentricOptimization = true;
  CHECK(draw.at(reg::SPI_PS_IN_CONTROL) == 1);
}

TEST_CASE("built-ins of the vertex shader") {
  Draw draw;
  ShaderInterface &vs = *draw.vertex.interface;
  SUBCASE("point size") {
    vs.preRaster.writesPointSize = true;
    vs.preRaster.positionExports = 2;
    CHECK(draw.at(reg::PA_CL_VS_OUT_CNTL) == ((1u << 16) | (1u << 21) | (1u << 24)));
    CHECK(draw.at(reg::SPI_SHADER_POS_FORMAT) == 0x44);
  }
  SUBCASE("viewport index") {
    vs.preRaster.writesViewportIndex = true;
    CHECK(draw.at(reg::PA_CL_VS_OUT_CNTL) == ((1u << 19) | (1u << 21) | (1u << 24)));
    CHECK(draw.at(reg::VGT_REUSE_OFF) == 1);
    CHECK(field::PA_CL_CLIP_CNTL::VTE_VPORT_PROVOKE_DISABLE.get(draw.at(reg::PA_CL_CLIP_CNTL)) == 1);
  }
  SUBCASE("clip and cull distances") {
    vs.preRaster.clipDistanceMask = 0x7;
    vs.preRaster.cullDistanceMask = 0x18;
    vs.preRaster.positionExports = 3;
    CHECK(draw.at(reg::PA_CL_VS_OUT_CNTL) == (0x7u | (0x1fu << 8) | (1u << 22) | (1u << 23)));
    draw.state.clipDistanceEnable = 0x2;
    CHECK(draw.at(reg::PA_CL_VS_OUT_CNTL) == (0x2u | (0x1au << 8) | (1u << 22) | (1u << 23)));
  }
  SUBCASE("primitive id") {
    vs.preRaster.usesPrimitiveId = true;
    CHECK(draw.at(reg::VGT_PRIMITIVEID_EN) == 1);
  }
}

TEST_CASE("depth, discard and memory decide DB_SHADER_CONTROL") {
  using namespace field::DB_SHADER_CONTROL;
  Draw draw;
  ShaderInterface &ps = *draw.fragment.interface;
  SUBCASE("discard") {
    ps.fragment.usesDiscard = true;
    CHECK(KILL_ENABLE.get(draw.at(reg::DB_SHADER_CONTROL)) == 1);
  }
  SUBCASE("alpha test in the epilog") {
    draw.epilog.fragmentExports->kills = true;
    CHECK(KILL_ENABLE.get(draw.at(reg::DB_SHADER_CONTROL)) == 1);
  }
  SUBCASE("alpha to coverage") {
    draw.epilog.fragmentExports->alphaToCoverage = true;
    CHECK(ALPHA_TO_MASK_DISABLE.get(draw.at(reg::DB_SHADER_CONTROL)) == 0);
  }
  SUBCASE("memory writes need late tests") {
    ps.writesMemory = true;
    uint32_t value = draw.at(reg::DB_SHADER_CONTROL);
    CHECK(Z_ORDER.get(value) == 0);
    CHECK(EXEC_ON_HIER_FAIL.get(value) == 1);
    ps.fragment.earlyFragmentTests = true;
    value = draw.at(reg::DB_SHADER_CONTROL);
    CHECK(Z_ORDER.get(value) == 1);
    CHECK(DEPTH_BEFORE_SHADER.get(value) == 1);
    CHECK(EXEC_ON_NOOP.get(value) == 1);
  }
  SUBCASE("depth export") {
    draw.epilog.fragmentExports->depth = true;
    draw.epilog.fragmentExports->zFormat = 1;
    ps.fragment.conservativeDepth = 2;
    uint32_t value = draw.at(reg::DB_SHADER_CONTROL);
    CHECK(Z_EXPORT_ENABLE.get(value) == 1);
    CHECK(CONSERVATIVE_Z_EXPORT.get(value) == 2);
    CHECK(draw.at(reg::SPI_SHADER_Z_FORMAT) == 1);
  }
}

TEST_CASE("state of the rasteriser") {
  Draw draw;
  draw.state.rasterizationSamples = 8;
  draw.state.sampleShadingEnable = true;
  draw.state.rasterizerDiscardEnable = true;
  draw.state.depthClampEnable = true;
  CHECK(draw.at(reg::PA_SC_AA_CONFIG) == (3u | (7u << 13) | (3u << 20)));
  CHECK(field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE.get(draw.at(reg::PA_SC_MODE_CNTL_1)) == 1);
  CHECK(field::PA_CL_CLIP_CNTL::DX_RASTERIZATION_KILL.get(draw.at(reg::PA_CL_CLIP_CNTL)) == 1);
  CHECK(field::PA_CL_CLIP_CNTL::ZCLIP_FAR_DISABLE.get(draw.at(reg::PA_CL_CLIP_CNTL)) == 1);
}

TEST_CASE("how far samples are from the centre depends on their number") {
  const std::pair<uint32_t, uint32_t> distances[] = {{1, 0}, {2, 4}, {4, 6}, {8, 7}, {16, 8}};
  for (auto [samples, distance] : distances) {
    INFO(samples);
    Draw draw;
    draw.state.rasterizationSamples = samples;
    CHECK(field::PA_SC_AA_CONFIG::MAX_SAMPLE_DIST.get(draw.at(reg::PA_SC_AA_CONFIG)) == distance);
  }
}

TEST_CASE("without multisampling, targets of several samples are rasterised as if they had one") {
  Draw draw;
  draw.state.rasterizationSamples = 4;
  draw.state.sampleShadingEnable = true;
  draw.state.multisampleDisable = true;
  CHECK(draw.at(reg::PA_SC_AA_CONFIG) == 0);
  CHECK(field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE.get(draw.at(reg::PA_SC_MODE_CNTL_1)) == 0);
}

TEST_CASE("a single sample is shaded as a pixel") {
  Draw draw;
  draw.state.sampleShadingEnable = true;
  CHECK(field::PA_SC_MODE_CNTL_1::PS_ITER_SAMPLE.get(draw.at(reg::PA_SC_MODE_CNTL_1)) == 0);
  CHECK(field::SPI_BARYC_CNTL::POS_FLOAT_LOCATION.get(draw.at(reg::SPI_BARYC_CNTL)) == 0);
}

TEST_CASE("positions are at the sample if the state or the shader asks for sample shading") {
  using field::SPI_BARYC_CNTL::POS_FLOAT_LOCATION;
  constexpr uint32_t AtCenter = 0, AtSample = 2;
  Draw draw;
  draw.state.rasterizationSamples = 4;
  CHECK(POS_FLOAT_LOCATION.get(draw.at(reg::SPI_BARYC_CNTL)) == AtCenter);
  SUBCASE("the state") {
    draw.state.sampleShadingEnable = true;
  }
  SUBCASE("the shader") {
    draw.fragment.interface->fragment.runsAtSampleRate = true;
  }
  CHECK(POS_FLOAT_LOCATION.get(draw.at(reg::SPI_BARYC_CNTL)) == AtSample);
  draw.state.multisampleDisable = true;
  CHECK(POS_FLOAT_LOCATION.get(draw.at(reg::SPI_BARYC_CNTL)) == AtCenter);
}

TEST_CASE("a shader without any export format announces one") {
  Draw draw;
  setCode(draw.epilog, "exp null off, off, off, off done vm\n s_endpgm");
  draw.epilog.fragmentExports = FragmentExports{};
  CHECK(draw.at(reg::SPI_SHADER_COL_FORMAT) == 1);
  CHECK(draw.at(reg::CB_SHADER_MASK) == 0);
}

TEST_CASE("32 user SGPRs use the high bit") {
  Draw draw;
  ShaderInterface &vs = *draw.vertex.interface;
  vs.userSgprCount = 32;
  std::erase_if(vs.inputs, [](const Binding &input) { return input.value.kind == ScratchOffset; });
  draw.vertex.contract.inputs = vs.inputs;
  uint32_t rsrc2 = draw.at(reg::SPI_SHADER_PGM_RSRC2_VS);
  CHECK(field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR.get(rsrc2) == 0);
  CHECK(field::SPI_SHADER_PGM_RSRC2_VS::USER_SGPR_MSB.get(rsrc2) == 1);
  CHECK(draw.at(reg::SPI_SHADER_USER_DATA_VS_0 + 31) == PalUserDataUnmapped);
}

TEST_CASE("compute") {
  Part main = computeMain("s_endpgm");
  main.interface->compute.workgroupSize = {8, 4, 2};
  main.interface->userSgprCount = 14;
  main.interface->inputs.erase(main.interface->inputs.begin() + 14, main.interface->inputs.begin() + 16);
  main.interface->inputs.push_back({valueOf(WorkgroupId, 0), sgpr(14)});
  main.interface->inputs.push_back({valueOf(WorkgroupId, 2), sgpr(15)});
  main.contract.inputs = {{valueOf(WorkgroupId, 2), sgpr(15)}, {valueOf(LocalInvocationId, 0, 1), vgpr(1)}};
  auto image = joinCompute({main});
  REQUIRE(image);
  auto at = [&](uint32_t address) { return (*image)->findRegister(address)->value; };
  CHECK(at(reg::COMPUTE_NUM_THREAD_X) == 8);
  CHECK(at(reg::COMPUTE_NUM_THREAD_Y) == 4);
  CHECK(at(reg::COMPUTE_NUM_THREAD_Z) == 2);
  using namespace field::COMPUTE_PGM_RSRC2;
  CHECK(USER_SGPR.get(at(reg::COMPUTE_PGM_RSRC2)) == 14);
  CHECK(TGID_X_EN.get(at(reg::COMPUTE_PGM_RSRC2)) == 1);
  CHECK(TGID_Y_EN.get(at(reg::COMPUTE_PGM_RSRC2)) == 0);
  CHECK(TGID_Z_EN.get(at(reg::COMPUTE_PGM_RSRC2)) == 1);
  CHECK(TIDIG_COMP_CNT.get(at(reg::COMPUTE_PGM_RSRC2)) == 1);
  CHECK(at(reg::COMPUTE_USER_DATA_0 + 1) == 0);
}
