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

// The text of the refusal, which must be a JoinRefused.
std::string refusal(const Result<ImageRef> &image) {
  REQUIRE(!image);
  CHECK((image.error().code == ErrorCode::JoinRefused));
  return image.error().text;
}

Result<ImageRef> joinDraw(Part prolog, Part vertex, Part fragment, Part epilog) {
  return joinStages({stageOf(HardwareStage::Vs, {std::move(prolog), std::move(vertex)}),
                     stageOf(HardwareStage::Ps, {std::move(fragment), std::move(epilog)})});
}

bool contains(const std::string &text, const char *what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_CASE("parts whose contracts meet are joined, and the checker agrees") {
  auto image = joinDraw(vertexProlog(), vertexMain(), fragmentMain(), fragmentEpilog());
  REQUIRE_MESSAGE(image.has_value(), (image ? std::string() : image.error().text));
  auto result = checkImage(**image);
  CHECK_MESSAGE(result.has_value(), (result ? std::string() : result.error().text));
}

TEST_CASE("a value that nobody provides is named with its register and both parts") {
  Part epilog = fragmentEpilog();
  epilog.contract.inputs.push_back({valueOf(Depth), vgpr(4)});
  std::string text = refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog));
  CHECK(contains(text, "the fragment epilog expects depth in v4"));
  CHECK(contains(text, "the fragment main leaves nothing there"));
}

TEST_CASE("nothing is joined with a main part that has no code because state makes its program monolithic") {
  Part main;
  main.key.kind = PartKind::FragmentMain;
  main.interface = fragmentMain().interface;
  std::string text = refusal(joinDraw(vertexProlog(), vertexMain(), main, fragmentEpilog()));
  CHECK(contains(text, "the main part's layout 0x0 has no place for one"));
}

TEST_CASE("a packed input that the stage before does not export is no input with a default value") {
  Part fragment = fragmentMain();
  fragment.interface->fragment.inputs[0].location = PackedParameter0 + 2;
  std::string text = refusal(joinDraw(vertexProlog(), vertexMain(), fragment, fragmentEpilog()));
  CHECK(contains(text, "ps reads packed parameter 2, which vs does not export"));
}

TEST_CASE("a value in another register is named with both registers") {
  Part epilog = fragmentEpilog();
  std::swap(epilog.contract.inputs[0].reg, epilog.contract.inputs[1].reg);
  std::string text = refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog));
  CHECK(contains(text, "expects mrt0.r in v1, but the fragment main leaves mrt0.g there and has it in v0"));
}

TEST_CASE("an attribute without a prolog is refused") {
  auto image = joinStages({stageOf(HardwareStage::Vs, {vertexMain()}), nullFragmentStage()});
  CHECK(contains(refusal(image), "the vertex main expects attr0.x in v4, but the entry of vs leaves nothing there"));
}

TEST_CASE("a register that a prolog does not preserve is gone") {
  Part prolog = vertexProlog();
  prolog.contract.preservedSgprs = 3;
  CHECK(contains(refusal(joinDraw(prolog, vertexMain(), fragmentMain(), fragmentEpilog())), "base_instance in s3"));
}

TEST_CASE("user data is where the main part's interface says") {
  Part prolog = vertexProlog();
  prolog.contract.inputs[0].reg = sgpr(2);
  CHECK(contains(refusal(joinDraw(prolog, vertexMain(), fragmentMain(), fragmentEpilog())),
                 "the vertex prolog expects vertex_buffer_table in s2, but the entry of vs leaves base_vertex there"));
}

TEST_CASE("a hardware input that is not in the layout is refused") {
  Part main = fragmentMain();
  main.contract.inputs.push_back({valueOf(FrontFace), vgpr(2)});
  CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), main, fragmentEpilog())), "0x1000"));
}

TEST_CASE("modes of neighbours must agree") {
  Part epilog = fragmentEpilog();
  SUBCASE("float mode") {
    epilog.usage.floatMode = 0xf0;
    CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog)), "float mode 0xc0"));
  }
  SUBCASE("a part that runs in any float mode takes its neighbour's") {
    Part main = fragmentMain();
    main.usage.floatMode = 0xf0;
    epilog.usage.runsInAnyFloatMode = true;
    Result<ImageRef> image = joinDraw(vertexProlog(), vertexMain(), main, epilog);
    REQUIRE(image);
    CHECK((*image)->findStage(HardwareStage::Ps)->usage.floatMode == 0xf0);
  }
  SUBCASE("wave size") {
    epilog.usage.waveSize = 32;
    CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog)), "lanes"));
  }
  SUBCASE("IEEE mode") {
    epilog.usage.ieeeMode = true;
    CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog)), "IEEE"));
  }
  SUBCASE("stages may differ") {
    Part main = fragmentMain();
    main.usage.floatMode = epilog.usage.floatMode = 0xf0;
    CHECK(joinDraw(vertexProlog(), vertexMain(), main, epilog));
  }
}

TEST_CASE("the program ends with the last part and no earlier one") {
  Part epilog = fragmentEpilog();
  epilog.contract.endsProgram = false;
  CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog)), "does not end the program"));
  Part main = fragmentMain();
  main.contract.endsProgram = true;
  CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), main, fragmentEpilog())), "is not the last part"));
}

TEST_CASE("stages and parts that do not belong together") {
  CHECK(contains(refusal(joinStages({stageOf(HardwareStage::Vs, {computeMain("s_endpgm")}), nullFragmentStage()})),
                 "compiled for cs"));
  CHECK(contains(refusal(joinStages({stageOf(HardwareStage::Vs, {}), nullFragmentStage()})), "no main part"));
  CHECK(contains(refusal(joinStages({stageOf(HardwareStage::Vs, {vertexMain(), vertexMain()}), nullFragmentStage()})),
                 "more than one main part"));
  auto merged = joinStages({stageOf(HardwareStage::Hs, {}), stageOf(HardwareStage::Ps, {})});
  REQUIRE(!merged);
  CHECK((merged.error().code == ErrorCode::Unsupported));
}

TEST_CASE("a pipeline without a pixel program is refused: registers would keep what the last one left in them") {
  auto image = joinStages({stageOf(HardwareStage::Vs, {vertexProlog(), vertexMain()})});
  REQUIRE(!image);
  CHECK((image.error().code == ErrorCode::Unsupported));
}

TEST_CASE("a null fragment shader sets the pixel shader's registers, and reaches no colour") {
  auto image = joinStages({stageOf(HardwareStage::Vs, {vertexProlog(), vertexMain()}), nullFragmentStage()});
  REQUIRE(image);
  auto valueOf = [&](uint32_t address) {
    const RegisterValue *value = (*image)->findRegister(address);
    REQUIRE(value);
    return value->value;
  };
  CHECK(valueOf(reg::SPI_SHADER_COL_FORMAT) == 1); // 32_R
  CHECK(valueOf(reg::SPI_SHADER_Z_FORMAT) == 0);
  CHECK(valueOf(reg::CB_SHADER_MASK) == 0);
  CHECK(valueOf(reg::SPI_PS_INPUT_ENA) == PerspCenterEna);
  CHECK(valueOf(reg::SPI_PS_INPUT_ADDR) == PerspCenterEna);
  CHECK(field::SPI_PS_IN_CONTROL::NUM_INTERP.get(valueOf(reg::SPI_PS_IN_CONTROL)) == 0);
  CHECK(checkImage(**image));
}

TEST_CASE("code that is not whole dwords is refused") {
  Part epilog = fragmentEpilog();
  epilog.code.pop_back();
  CHECK(contains(refusal(joinDraw(vertexProlog(), vertexMain(), fragmentMain(), epilog)), "dwords"));
}

TEST_CASE("a main part without any code is joined") {
  Part main = fragmentMain();
  setCode(main, "");
  main.contract.outputs = {{valueOf(GlobalTable), sgpr(0)}, {valueOf(AlphaReference), sgpr(1)}};
  main.interface->outputs = main.contract.outputs;
  Part epilog = fragmentEpilog();
  setCode(epilog, "exp null off, off, off, off done vm\n s_endpgm");
  epilog.contract.inputs.clear();
  epilog.fragmentExports = FragmentExports{};
  auto image = joinDraw(vertexProlog(), vertexMain(), main, epilog);
  REQUIRE(image);
  auto result = checkImage(**image);
  CHECK_MESSAGE(result.has_value(), (result ? std::string() : result.error().text));
}
