// SPDX-License-Identifier: MIT
//
// For pictures in which our code and lavapipe differ: runs RADV's code in the emulator, and says whom its picture
// supports.
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include <string>
#include <string_view>

namespace dovetail {

enum class RadvVerdict : uint8_t {
  NotAsked,
  Both,     // like both: within tolerance, or within what rounding and undefined choices explain
  Ours,     // like our code's picture alone
  Lavapipe, // like lavapipe's picture alone
  Neither,
  CannotSay, // RADV refuses the shaders, its code traps, or the emulated driver lacks something that they need
};
constexpr unsigned RadvVerdictCount = unsigned(RadvVerdict::CannotSay) + 1;
std::string_view toString(RadvVerdict verdict);

struct ThirdOpinion {
  RadvVerdict verdict = RadvVerdict::NotAsked;
  std::string reason;                // if CannotSay, or if our code does not end
  Comparison withOurs, withLavapipe; // RADV's picture compared with each; empty if RADV cannot say
};

// `judge` and `gpu` are the case's. Without lavapipe's picture (nullptr), the verdict can be Ours or Neither. `ours` is
// the result of our code. If our code was stopped because it did not end, RADV agrees if its code does not end either.
// (Made-up inputs can make a loop endless. lavapipe leaves it after 65,535 rounds, and RADV's compiler removes it if
// its result is unused.) After any other Error of our code, RADV is not asked. Errors: those of
// PictureJudge::compare().
Result<ThirdOpinion> askRadv(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                             const Result<SceneResult> &ours, const SceneResult *lavapipe);

} // namespace dovetail
