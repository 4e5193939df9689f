// SPDX-License-Identifier: MIT
//
// Defects as values, and the one place where they become text.
#include "merge/check/check_image.h"
#include "merge/check/defects.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using enum dovetail::DefectKind;

namespace {

Image drawImage() {
  auto image = joinStages(drawStages());
  REQUIRE(image);
  return **image;
}

std::string textOfOne(const check::Defects &defects) {
  check::Defects copy = defects;
  std::vector<Defect> list = copy.take();
  REQUIRE(list.size() == 1);
  return toString(list[0]);
}

} // namespace

TEST_CASE("a defect says where it is, and which registers and values it is about") {
  Image image = drawImage();
  Part epilog = fragmentEpilog();
  std::swap(epilog.contract.inputs[0].reg, epilog.contract.inputs[1].reg);
  replacePart(image, 3, epilog);
  const std::vector<Defect> defects = findImageDefects(image);
  auto found = std::ranges::find(defects, InputIsAnother, &Defect::kind);
  REQUIRE(found != defects.end());
  CHECK((found->place == DefectPlace{HardwareStage::Ps, image.parts[3].offset, "fragment epilog"}));
  const ValueName red{ValueKind::Color, 0, 0}, green{ValueKind::Color, 0, 1};
  CHECK((found->arguments == std::vector<DefectArgument>{red, Register{RegisterBank::Vgpr, 1}, green}));
}

TEST_CASE("a defect of numbers has them") {
  Image image = drawImage();
  const uint32_t endsAt = image.stages[0].entry + image.stages[0].size;
  image.stages[0].size += 4;
  const std::vector<Defect> defects = findImageDefects(image);
  auto found = std::ranges::find(defects, StageEndsElsewhere, &Defect::kind);
  REQUIRE(found != defects.end());
  CHECK((found->arguments == std::vector<DefectArgument>{uint64_t(endsAt + 4), uint64_t(endsAt)}));
}

TEST_CASE("how the place is written depends on what is wrong") {
  const DefectPlace nowhere, program{HardwareStage::Vs, std::nullopt, {}},
      instruction{HardwareStage::Vs, 0x1c, "vertex main"}, part{HardwareStage::Vs, 0x1c, "vs.vertex_main"};
  auto text = [](auto add) {
    check::Defects defects;
    add(defects);
    return textOfOne(defects);
  };
  CHECK(text([&](auto &defects) { defects.template add<NoRoomForPrefetch>(nowhere, 64); }) ==
        "only 64 bytes behind the text for instruction prefetch");
  CHECK(text([&](auto &defects) { defects.template add<NoGsDone>(program); }) == "vs: no path sends GS_DONE");
  CHECK(text([&](auto &defects) { defects.template add<StageNotAligned>(program, 0x104u); }) ==
        "vs starts at 0x104, which is not a multiple of 256");
  CHECK(text([&](auto &defects) {
          defects.template add<ReadsUnwritten>(instruction, "exp", isa::RegisterRange{isa::RegisterFile::Vgpr, 9});
        }) == "vs 0x1c (vertex main): exp reads v9, which nothing has written");
  CHECK(text([&](auto &defects) { defects.template add<WrongByte>(part, 0x20u); }) ==
        "vs.vertex_main: byte 0x20 of the image is not the part's");
  CHECK(text([&](auto &defects) { defects.template add<PartDoesNotFit>(part, 64u, 0x1cu); }) ==
        "vs.vertex_main of 64 bytes does not fit at 0x1c");
}

TEST_CASE("special registers have their names") {
  using isa::RegisterFile;
  auto nameOf = [](isa::RegisterRange range) {
    check::Defects defects;
    defects.add<ReadsUnwritten>({HardwareStage::Cs, 0, "compute"}, "x", range);
    return textOfOne(defects);
  };
  CHECK(nameOf({RegisterFile::Vcc, 0}).find("reads vcc_lo,") != std::string::npos);
  CHECK(nameOf({RegisterFile::Vcc, 1}).find("reads vcc_hi,") != std::string::npos);
  CHECK(nameOf({RegisterFile::Scc, 0}).find("reads scc,") != std::string::npos);
  CHECK(nameOf({RegisterFile::M0, 0}).find("reads m0,") != std::string::npos);
}
