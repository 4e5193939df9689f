// SPDX-License-Identifier: MIT
#include "tests/merge/parts_by_hand.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

TEST_CASE("parts are pasted without a gap, stages start at multiples of 256") {
  auto image = joinStages(drawStages());
  REQUIRE(image);
  const Image &i = **image;
  CHECK(i.stages[0].entry == 0);
  CHECK(i.stages[1].entry == 256);
  CHECK(i.parts[0].offset == 0);
  CHECK(i.parts[1].offset == i.parts[0].size);
  CHECK(i.parts[2].offset == 256);
  CHECK(i.parts[3].offset == 256 + i.parts[2].size);
  CHECK(i.textSize == i.parts[3].offset + i.parts[3].size);
  for (const ImagePart &part : i.parts)
    CHECK(std::memcmp(&i.code[part.offset], part.part->code.data(), part.size) == 0);
}

TEST_CASE("there is room for instruction prefetch behind the text, filled with s_nop") {
  auto image = joinStages(drawStages());
  REQUIRE(image);
  const Image &i = **image;
  CHECK(i.code.size() % 256 == 0);
  CHECK(i.code.size() >= i.textSize + 192);
  for (size_t offset = i.textSize; offset < i.code.size(); offset += 4) {
    uint32_t word;
    std::memcpy(&word, &i.code[offset], 4);
    CHECK(word == 0xbf800000);
  }
}

TEST_CASE("constants follow all text at their alignment") {
  Part vertex = vertexMain();
  vertex.constants = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  Part epilog = fragmentEpilog();
  epilog.constants = {21, 22, 23, 24};
  epilog.constantsAlignment = 64;
  auto image = joinStages(
      {stageOf(HardwareStage::Vs, {vertexProlog(), vertex}), stageOf(HardwareStage::Ps, {fragmentMain(), epilog})});
  REQUIRE(image);
  const Image &i = **image;
  CHECK(i.parts[1].constantsOffset >= i.textSize);
  CHECK(i.parts[3].constantsOffset >= i.parts[1].constantsOffset + 12);
  CHECK(i.parts[3].constantsOffset % 64 == 0);
  CHECK(i.constantsStart == i.parts[1].constantsOffset);
  CHECK(i.constantsEnd == i.parts[3].constantsOffset + 4);
  CHECK(i.constantsAlignment == 64);
  CHECK(i.code[i.parts[1].constantsOffset + 11] == 12);
  CHECK(i.code[i.parts[3].constantsOffset] == 21);
  CHECK(i.code.size() >= i.textSize + 192);
}

TEST_CASE("parts have symbols by stage and kind") {
  auto image = joinStages(drawStages());
  REQUIRE(image);
  CHECK(partSymbol(**image, (*image)->parts[0]) == "vs.vertex_prolog");
  CHECK(partSymbol(**image, (*image)->parts[3]) == "ps.fragment_epilog");
}
