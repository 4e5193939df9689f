// SPDX-License-Identifier: MIT
#include "merge/check/check_image.h"
#include "src/abi/entry_registers.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/parts_by_hand.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using enum dovetail::ValueKind;

namespace {

Result<ImageRef> joinDraw(Part prolog, Part fragment, Part epilog) {
  return joinStages({stageOf(HardwareStage::Vs, {std::move(prolog), vertexMain()}),
                     stageOf(HardwareStage::Ps, {std::move(fragment), std::move(epilog)})});
}

uint32_t valueAt(const Result<ImageRef> &image, uint32_t address) {
  REQUIRE(image);
  const RegisterValue *value = (*image)->findRegister(address);
  REQUIRE(value);
  return value->value;
}

const Usage &usageOf(const Result<ImageRef> &image, HardwareStage stage) {
  REQUIRE(image);
  return (*image)->findStage(stage)->usage;
}

} // namespace

TEST_CASE("a stage needs the maximum of its parts") {
  Part prolog = vertexProlog();
  prolog.usage.vgprs = 21;
  prolog.usage.sgprs = 33;
  auto image = joinDraw(prolog, fragmentMain(), fragmentEpilog());
  CHECK(usageOf(image, HardwareStage::Vs).vgprs == 21);
  CHECK(usageOf(image, HardwareStage::Vs).sgprs == 33);
  uint32_t rsrc1 = valueAt(image, reg::SPI_SHADER_PGM_RSRC1_VS);
  CHECK(field::PGM_RSRC1::VGPRS.get(rsrc1) == 5);
  CHECK(field::PGM_RSRC1::SGPRS.get(rsrc1) == 5); // 48 in eights, allocated in sixteens
  // The other stage is not affected.
  CHECK(usageOf(image, HardwareStage::Ps).vgprs == 4);
}

TEST_CASE("scratch counts from any part, also one that is not the main part") {
  Part epilog = fragmentEpilog();
  epilog.usage.scratchBytes = 48;
  auto image = joinDraw(vertexProlog(), fragmentMain(), epilog);
  CHECK(usageOf(image, HardwareStage::Ps).scratchBytes == 48);
  CHECK(usageOf(image, HardwareStage::Vs).scratchBytes == 0);
  CHECK(field::SPI_SHADER_PGM_RSRC2_PS::SCRATCH_EN.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_PS)) == 1);
  CHECK(field::SPI_SHADER_PGM_RSRC2_VS::SCRATCH_EN.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC2_VS)) == 0);
}

TEST_CASE("SGPRs cover the inputs and what the hardware keeps behind them even if the code uses none") {
  Part main = computeMain("s_endpgm");
  main.usage.sgprs = 0;
  const std::vector<StageParts> stages = {stageOf(HardwareStage::Cs, {main})};
  const auto layout =
      std::make_shared<const ResourceLayout>(UserDataNodes{{UserDataNodeType::PushConstants, 0, 0, 0, 16}});
  // VCC; XNACK_MASK where accesses may be replayed.
  const std::pair<const char *, unsigned> rows[] = {{"gfx801", 4}, {"gfx803", 2}, {"gfx810", 4},
                                                    {"gfx900", 4}, {"gfx902", 4}, {"gfx904", 4},
                                                    {"gfx906", 4}, {"gfx909", 4}, {"gfx90c", 4}};
  for (auto [gpu, reserved] : rows) {
    CAPTURE(gpu);
    CHECK(usageOf(join({stages, state(), *findTarget(gpu), {}, layout}), HardwareStage::Cs).sgprs == 16 + reserved);
  }
}

TEST_CASE("code that needs no SGPR for itself leaves room for XNACK_MASK, too") {
  Part main = computeMain("s_mov_b32 s28, 0\n s_endpgm"); // 29 by number, no VCC
  main.usage.sgprs = 29;
  auto image = joinCompute({main});
  CHECK(usageOf(image, HardwareStage::Cs).sgprs == 29 + 4);
  CHECK(field::PGM_RSRC1::SGPRS.get(valueAt(image, reg::COMPUTE_PGM_RSRC1)) == 5); // 48 in eights
}

TEST_CASE("LDS is allocated in granules of 512 bytes") {
  Part main = computeMain("s_endpgm");
  main.usage.ldsBytes = 513;
  CHECK(field::COMPUTE_PGM_RSRC2::LDS_SIZE.get(valueAt(joinCompute({main}), reg::COMPUTE_PGM_RSRC2)) == 2);
  main.usage.ldsBytes = 0;
  CHECK(field::COMPUTE_PGM_RSRC2::LDS_SIZE.get(valueAt(joinCompute({main}), reg::COMPUTE_PGM_RSRC2)) == 0);
}

TEST_CASE("too many registers are refused") {
  Part main = computeMain("s_endpgm");
  main.usage.vgprs = 257;
  CHECK(!joinCompute({main}));
  main.usage.vgprs = 256;
  CHECK(joinCompute({main}));
  main.interface->userSgprCount = 17;
  CHECK(!joinCompute({main}));
}

TEST_CASE("the hardware loads instance and primitive ids when any part reads them") {
  Part prolog = vertexProlog();
  auto countOf = [&] {
    return field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(
        valueAt(joinDraw(prolog, fragmentMain(), fragmentEpilog()), reg::SPI_SHADER_PGM_RSRC1_VS));
  };
  CHECK(countOf() == 0);
  prolog.contract.inputs.push_back({valueOf(VertexPrimitiveId), vgpr(2)});
  CHECK(countOf() == 2);
  prolog.contract.inputs.push_back({valueOf(InstanceId), vgpr(3)});
  CHECK(countOf() == 3);
}

TEST_CASE("an evaluation shader is started with three VGPRs, whatever it reads") {
  Part eval = vertexMain();
  eval.key.kind = PartKind::TessEvalMain;
  eval.interface->source = VertexSource::TessEval;
  std::erase_if(eval.contract.inputs, [](const Binding &input) { return input.reg.bank == RegisterBank::Vgpr; });
  eval.contract.inputs.push_back({{TessCoord, 0}, vgpr(0)});
  eval.interface->inputs = eval.contract.inputs;
  setCode(eval, "exp pos0 v0, v0, v0, v0 done\n s_endpgm");
  auto countOf = [&] {
    auto image = joinStages(
        {stageOf(HardwareStage::Vs, {eval}), stageOf(HardwareStage::Ps, {fragmentMain(), fragmentEpilog()})});
    return field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(valueAt(image, reg::SPI_SHADER_PGM_RSRC1_VS));
  };
  CHECK(countOf() == 2);
  eval.contract.inputs.push_back({valueOf(PatchId), vgpr(3)});
  CHECK(countOf() == 3);
}

TEST_CASE("pixel shader inputs: at least one pair of barycentrics is loaded") {
  Part main = fragmentMain();
  setCode(main, "v_mov_b32_e32 v0, 0\n v_mov_b32_e32 v1, 0\n v_mov_b32_e32 v2, 0\n v_mov_b32_e32 v3, 1.0");
  main.contract.inputs.resize(4); // none of the coordinates
  main.interface->inputs.resize(4);
  main.usage.psInputEna = 0;
  main.usage.psInputAddr = PerspCenterEna;
  auto image = joinDraw(vertexProlog(), main, fragmentEpilog());
  CHECK(valueAt(image, reg::SPI_PS_INPUT_ENA) == PerspCenterEna);
  CHECK(checkImage(**image));

  // The pair has no place in the layout, so it would move all other inputs.
  main.usage.psInputAddr = 0;
  CHECK(!joinDraw(vertexProlog(), main, fragmentEpilog()));
}

TEST_CASE("pixel shader inputs: POS_W needs a perspective pair") {
  Part main = fragmentMain();
  main.usage.psInputAddr = PerspCenterEna | LinearCenterEna | PosWEna;
  main.usage.psInputEna = LinearCenterEna | PosWEna;
  main.contract.inputs.resize(4);
  main.contract.inputs.push_back({valueOf(LinearCenter, 0, 0), vgpr(2)});
  auto image = joinDraw(vertexProlog(), main, fragmentEpilog());
  CHECK(valueAt(image, reg::SPI_PS_INPUT_ENA) == (PerspCenterEna | LinearCenterEna | PosWEna));
  CHECK(valueAt(image, reg::SPI_PS_INPUT_ADDR) == (PerspCenterEna | LinearCenterEna | PosWEna));

  main.usage.psInputAddr = LinearCenterEna | PosWEna;
  CHECK(!joinDraw(vertexProlog(), main, fragmentEpilog()));
}

TEST_CASE("pixel shader inputs: what a prolog reads is loaded") {
  const struct {
    ValueKind kind;
    uint32_t bit;
  } cases[] = {{PosFixedPt, PosFixedPtEna}, {Ancillary, AncillaryEna}, {FrontFace, FrontFaceEna}};
  for (auto [kind, bit] : cases) {
    Part prolog = computePiece("v_mov_b32_e32 v5, v2");
    prolog.key.kind = PartKind::FragmentProlog;
    prolog.contract.inputs = {{valueOf(kind), vgpr(2)}};
    prolog.contract.preservedSgprs = 8;
    prolog.contract.preservedVgprs = 2;
    // Only the prolog sees the hardware's inputs. So it also asks for those that it only passes on.
    prolog.usage.psInputEna = prolog.usage.psInputAddr = PerspCenterEna | bit;
    Part main = fragmentMain();
    auto image = joinStages({stageOf(HardwareStage::Vs, {vertexProlog(), vertexMain()}),
                             stageOf(HardwareStage::Ps, {prolog, main, fragmentEpilog()})});
    CHECK(valueAt(image, reg::SPI_PS_INPUT_ENA) == (PerspCenterEna | bit));
    CHECK(valueAt(image, reg::SPI_PS_INPUT_ADDR) == (PerspCenterEna | bit));
    CHECK(checkImage(**image));

    // An input without a place in the prolog's layout cannot be loaded, whatever the main part was compiled for.
    prolog.usage.psInputEna = prolog.usage.psInputAddr = PerspCenterEna;
    main.usage.psInputAddr |= bit;
    CHECK(!joinStages({stageOf(HardwareStage::Vs, {vertexProlog(), vertexMain()}),
                       stageOf(HardwareStage::Ps, {prolog, main, fragmentEpilog()})}));
  }
}

TEST_CASE("VGPRs cover the pixel shader inputs that are loaded") {
  Part main = fragmentMain();
  main.usage.psInputAddr = 0xf82; // centre, LINE_STIPPLE, POS_X..POS_W
  main.usage.psInputEna = 0x802;
  auto image = joinDraw(vertexProlog(), main, fragmentEpilog());
  CHECK(usageOf(image, HardwareStage::Ps).vgprs == 7);
}

TEST_CASE("a vertex main part lists all ids, and those that its interface names are loaded") {
  Part vertex = vertexMain();
  vertex.contract.inputs.push_back({valueOf(VertexPrimitiveId), vgpr(2)});
  vertex.contract.inputs.push_back({valueOf(InstanceId), vgpr(3)});
  auto countOf = [&] {
    auto image = joinStages({stageOf(HardwareStage::Vs, {vertexProlog(), vertex}),
                             stageOf(HardwareStage::Ps, {fragmentMain(), fragmentEpilog()})});
    uint32_t rsrc1 = valueAt(image, reg::SPI_SHADER_PGM_RSRC1_VS);
    auto result = checkImage(**image);
    CHECK_MESSAGE(result.has_value(), (result ? std::string() : result.error().text));
    return field::SPI_SHADER_PGM_RSRC1_VS::VGPR_COMP_CNT.get(rsrc1);
  };
  CHECK(countOf() == 0);
  vertex.interface->preRaster.usesPrimitiveId = true;
  CHECK(countOf() == 2);
  vertex.interface->vertex.usesInstanceId = true;
  CHECK(countOf() == 3);
}
