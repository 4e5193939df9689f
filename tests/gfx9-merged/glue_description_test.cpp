// SPDX-License-Identifier: MIT
//
// Glue is not decoded in the library, so here it is: what it says of its code is what LLVM's disassembler finds.
#include "parts/compile/fill_part.h"
#include "src/mc/disassembler.h"
#include "tests/gfx9-merged/halves_by_hand.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// A copy of a piece of glue about which LLVM's disassembler says what there is to say.
Part decodedAgain(const Part &glue) {
  Part part{};
  part.contract = glue.contract;
  ObjectCode object;
  object.code = glue.code;
  object.usage = glue.usage;
  REQUIRE(fillPart(part, std::move(object), "gfx900"));
  return part;
}

void checkGlue(const StageParts &merged) {
  unsigned pieces = 0;
  for (const PartRef &part : merged.parts) {
    if (part->key.kind != PartKind::Glue)
      continue;
    ++pieces;
    INFO(part->description);
    const Part decoded = decodedAgain(*part);
    CHECK(part->instructionCount == decoded.instructionCount);
    CHECK(part->usage.numberedSgprs == decoded.usage.numberedSgprs);
    CHECK(part->usage.specialSgprs == decoded.usage.specialSgprs);
    CHECK(part->usage.vgprs == decoded.usage.vgprs);
    CHECK(part->usage.sgprs == part->usage.numberedSgprs + 4); // VCC, and XNACK_MASK in front of it
    CHECK((part->hazards.pendingAtEnd == decoded.hazards.pendingAtEnd));
    CHECK((part->hazards.sensitiveAtStart == decoded.hazards.sensitiveAtStart));
    CHECK(part->hazards.length == decoded.hazards.length);
  }
  CHECK(pieces == 2);
}

} // namespace

TEST_CASE("what glue says of its code is what LLVM's disassembler finds") {
  for (bool hasLsVgprInitBug : {false, true})
    for (uint8_t secondMode : {0xc0, 0xf0}) {
      Part ls = lsHalf(), hs = hsHalf();
      ls.usage.floatMode = 0xc0;
      hs.usage.floatMode = secondMode;
      const TargetInfo target = mergedTarget(hasLsVgprInitBug);
      checkGlue(merge(HardwareStage::Hs, {ls}, {hs}, target));
    }
  checkGlue(merge(HardwareStage::Gs, {esHalf()}, {gsHalf()}));
  checkGlue(merge(HardwareStage::Gs, {tessEvalEsHalf()}, {gsHalf()}));
}
