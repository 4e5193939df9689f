// SPDX-License-Identifier: MIT
//
// A register whose value differs from the parts' needs is found, whether it says too little or too much. Each case
// changes one field of a sound image.
#include "merge/check/check_image.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using enum dovetail::ValueKind;

namespace {

Image drawImage() {
  auto image = joinStages(drawStages());
  REQUIRE_MESSAGE(image.has_value(), (image ? std::string() : image.error().text));
  return **image;
}

Image computeImage(const char *assembly = "s_endpgm") {
  auto image = joinCompute({computeMain(assembly)});
  REQUIRE_MESSAGE(image.has_value(), (image ? std::string() : image.error().text));
  return **image;
}

void set(Image &image, uint32_t address, RegisterField field, uint32_t value) {
  auto found = std::ranges::find(image.registers, address, &RegisterValue::address);
  REQUIRE(found != image.registers.end());
  REQUIRE(field.get(found->value) != value);
  found->value = (found->value & ~field.mask()) | field(value);
}

// Exactly one defect is found, with this text.
void checkFoundAlone(const Image &image, const std::string &what) {
  const std::vector<Defect> defects = findImageDefects(image);
  REQUIRE(defects.size() == 1);
  CHECK(toString(defects[0]) == what);
}

} // namespace

TEST_CASE("the image that these tests change is sound") {
  CHECK(findImageDefects(drawImage()).empty());
  CHECK(findImageDefects(computeImage()).empty());
}

TEST_CASE("more VGPRs are allocated than the parts take") {
  Image image = drawImage();
  set(image, reg::SPI_SHADER_PGM_RSRC1_VS, field::PGM_RSRC1::VGPRS, 2);
  checkFoundAlone(image, "vs: 12 VGPRs are allocated; the parts take 8");
}

TEST_CASE("more SGPRs are allocated than the parts take") {
  Image image = drawImage();
  set(image, reg::SPI_SHADER_PGM_RSRC1_PS, field::PGM_RSRC1::SGPRS, 3);
  checkFoundAlone(image, "ps: 32 SGPRs are allocated; the parts take 8");
}

TEST_CASE("scratch that no part uses is enabled") {
  Image image = drawImage();
  set(image, reg::SPI_SHADER_PGM_RSRC2_VS, field::SPI_SHADER_PGM_RSRC2_VS::SCRATCH_EN, 1);
  checkFoundAlone(image, "vs: scratch is enabled, but no part uses any");
}

TEST_CASE("LDS that no part uses is allocated") {
  Image image = computeImage();
  set(image, reg::COMPUTE_PGM_RSRC2, field::COMPUTE_PGM_RSRC2::LDS_SIZE, 2);
  checkFoundAlone(image, "cs: 1024 bytes of LDS are allocated, 0 are used");
}

TEST_CASE("VGPRs are loaded that no part takes") {
  Image image = drawImage();
  set(image, reg::SPI_SHADER_PGM_RSRC1_VS, field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT, 3);
  checkFoundAlone(image, "vs: 4 VGPRs are loaded at the start, of which the parts take 1");
}

TEST_CASE("a workgroup id is loaded that no part takes") {
  Image image = computeImage();
  set(image, reg::COMPUTE_PGM_RSRC2, field::COMPUTE_PGM_RSRC2::TGID_Y_EN, 1);
  checkFoundAlone(image, "cs: workgroup_id.y is loaded, but no part takes it");
}

TEST_CASE("the size of a workgroup is loaded") {
  Image image = computeImage();
  set(image, reg::COMPUTE_PGM_RSRC2, field::COMPUTE_PGM_RSRC2::TG_SIZE_EN, 1);
  checkFoundAlone(image, "cs: the size of the group is loaded, but no part takes it");
}

TEST_CASE("pixel shader inputs have other places than the code was compiled for") {
  Image image = drawImage();
  set(image, reg::SPI_PS_INPUT_ADDR, field::SPI_PS_INPUT_ENA::POS_X_FLOAT_ENA, 1);
  checkFoundAlone(image, "ps: inputs have the places 0x102; the code was compiled for 0x2");
}

TEST_CASE("pixel shader inputs are loaded that no part takes") {
  Image image = drawImage();
  set(image, reg::SPI_PS_INPUT_ADDR, field::SPI_PS_INPUT_ENA::FRONT_FACE_ENA, 1);
  set(image, reg::SPI_PS_INPUT_ENA, field::SPI_PS_INPUT_ENA::FRONT_FACE_ENA, 1);
  std::string text;
  for (const Defect &defect : findImageDefects(image))
    text += toString(defect) + "\n";
  CHECK(text == "ps: inputs have the places 0x1002; the code was compiled for 0x2\n"
                "ps: the inputs 0x1000 are loaded, but no part takes them\n");
}

TEST_CASE("centroids are left out where no prolog puts them right") {
  std::vector<StageParts> stages = drawStages();
  Part fragment = fragmentMain();
  fragment.usage.psInputEna = fragment.usage.psInputAddr = 6;
  stages[1] = stageOf(HardwareStage::Ps, {fragment, fragmentEpilog()});
  auto joined = joinStages(stages);
  REQUIRE(joined.has_value());
  Image image = **joined;
  CHECK(findImageDefects(image).empty());
  set(image, reg::SPI_PS_IN_CONTROL, field::SPI_PS_IN_CONTROL::BC_OPTIMIZE_DISABLE, 0);
  checkFoundAlone(image, "ps: centroids may be left out of the inputs 0x6, but no prolog puts them right");
}

TEST_CASE("without centroids, none is left out") {
  Image image = drawImage();
  set(image, reg::SPI_PS_IN_CONTROL, field::SPI_PS_IN_CONTROL::BC_OPTIMIZE_DISABLE, 0);
  CHECK(findImageDefects(image).empty());
}

TEST_CASE("more parameters are announced than exported") {
  Image image = drawImage();
  set(image, reg::SPI_VS_OUT_CONFIG, field::SPI_VS_OUT_CONFIG::VS_EXPORT_COUNT, 4);
  checkFoundAlone(image, "vs: 5 parameters are announced, 1 are exported");
}

TEST_CASE("a position has a format and is not exported") {
  Image image = drawImage();
  set(image, reg::SPI_SHADER_POS_FORMAT, {4, 4}, 4);
  checkFoundAlone(image, "vs: pos1 has a format, but is never exported");
}

TEST_CASE("the primitive assembler waits for a vector that is not exported") {
  Image image = drawImage();
  set(image, reg::PA_CL_VS_OUT_CNTL, field::PA_CL_VS_OUT_CNTL::VS_OUT_CCDIST0_VEC_ENA, 1);
  checkFoundAlone(image, "vs: 1 positions are exported; PA_CL_VS_OUT_CNTL has 2");
}

TEST_CASE("a point size is used that is not exported") {
  Image image = drawImage();
  set(image, reg::PA_CL_VS_OUT_CNTL, field::PA_CL_VS_OUT_CNTL::USE_VTX_POINT_SIZE, 1);
  checkFoundAlone(image, "vs: the components 0x0 of pos1 are exported; PA_CL_VS_OUT_CNTL has 0x1");
}

TEST_CASE("the side bus without what it is for") {
  Image image = drawImage();
  set(image, reg::PA_CL_VS_OUT_CNTL, field::PA_CL_VS_OUT_CNTL::VS_OUT_MISC_SIDE_BUS_ENA, 1);
  checkFoundAlone(image, "vs: the vector of point size and layer is not on the side bus, or nothing else is");
}

TEST_CASE("alpha is taken for coverage where none is exported for it") {
  Image image = drawImage();
  set(image, reg::DB_SHADER_CONTROL, field::DB_SHADER_CONTROL::ALPHA_TO_MASK_DISABLE, 0);
  checkFoundAlone(image, "ps: ALPHA_TO_MASK_DISABLE is 0, unlike what is exported for coverage");
}

TEST_CASE("primitives are cut into waves as other stages would need it") {
  using namespace field::IA_MULTI_VGT_PARAM;
  Image image = drawImage();
  SUBCASE("at the end of an instance") {
    set(image, reg::IA_MULTI_VGT_PARAM, SWITCH_ON_EOI, 1);
    checkFoundAlone(image, "SWITCH_ON_EOI is 1, which is for tessellation with primitive ids alone");
  }
  SUBCASE("at the end of a packet") {
    set(image, reg::IA_MULTI_VGT_PARAM, WD_SWITCH_ON_EOP, 1);
    checkFoundAlone(image, "SWITCH_ON_EOP or WD_SWITCH_ON_EOP is set, which depend on the draw");
  }
  SUBCASE("partial waves of vertices") {
    set(image, reg::IA_MULTI_VGT_PARAM, PARTIAL_VS_WAVE_ON, 1);
    checkFoundAlone(image, "PARTIAL_VS_WAVE_ON is 1, unlike what the stages need");
  }
  SUBCASE("partial waves in front of a geometry shader") {
    set(image, reg::IA_MULTI_VGT_PARAM, PARTIAL_ES_WAVE_ON, 1);
    checkFoundAlone(image, "PARTIAL_ES_WAVE_ON is 1, unlike what the stages need");
  }
}

TEST_CASE("vertices are not shared although none has a viewport") {
  Image image = drawImage();
  set(image, reg::VGT_REUSE_OFF, field::VGT_REUSE_OFF::REUSE_OFF, 1);
  checkFoundAlone(image, "REUSE_OFF is 1, which is for viewport indices alone");
}

TEST_CASE("vertices are shared over another depth than the GPU's") {
  Image image = drawImage();
  set(image, reg::VGT_VERTEX_REUSE_BLOCK_CNTL, {0, 32}, 14);
  checkFoundAlone(image, "vertices are used again over a depth of 14 instead of 30");
}

TEST_CASE("the second SGPR of an address has user data of its own") {
  Part main = computeMain("s_endpgm");
  main.interface->inputs[14] = {valueOf(WorkgroupCount, 0), sgpr(14)};
  main.interface->inputs[15] = {valueOf(WorkgroupCount, 1), sgpr(15)};
  main.contract.inputs = {{valueOf(WorkgroupCount, 0), sgpr(14)}, {valueOf(WorkgroupCount, 1), sgpr(15)}};
  auto joined = joinCompute({main});
  REQUIRE(joined.has_value());
  Image image = **joined;
  CHECK(findImageDefects(image).empty());
  set(image, reg::COMPUTE_USER_DATA_0 + 15, {0, 32}, 3);
  checkFoundAlone(image, "cs 0x0 (compute main): workgroup_count1 is expected in s15, but push_constant3 is there");
}
