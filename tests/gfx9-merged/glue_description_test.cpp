// SPDX-License-Identifier: MIT
//
// The descriptions of glue, for all kinds of merged programs.
#include "tests/gfx9-merged/halves_by_hand.h"
#include "tests/parts/described_part.h"

using namespace dovetail;
using namespace dovetail::test;

namespace {

void checkGlue(const StageParts &merged) {
  unsigned pieces = 0;
  for (const PartRef &part : merged.parts) {
    if (part->key.kind != PartKind::Glue)
      continue;
    ++pieces;
    INFO(part->description);
    checkDescription(*part, "gfx900");
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
