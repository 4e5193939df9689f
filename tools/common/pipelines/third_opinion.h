// SPDX-License-Identifier: MIT
//
// Where our code and lavapipe draw something else: what RADV's code draws in the emulator, and whom that supports.
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include <string>
#include <string_view>

namespace dovetail {

enum class RadvVerdict : uint8_t {
  NotAsked,
  Both,     // within tolerance, or within what rounding and undefined choices explain, of either
  Ours,     // of what our code draws alone
  Lavapipe, // of what lavapipe draws alone
  Neither,
  CannotSay, // RADV refuses the shaders, its code traps, or the emulated driver does not do what they need
};
constexpr unsigned RadvVerdictCount = unsigned(RadvVerdict::CannotSay) + 1;
std::string_view toString(RadvVerdict verdict);

struct ThirdOpinion {
  RadvVerdict verdict = RadvVerdict::NotAsked;
  std::string reason;                // CannotSay, and where our code does not end
  Comparison withOurs, withLavapipe; // RADV's picture with each; empty where it cannot say
};

// `judge` and `gpu` are the case's. Without lavapipe's picture (nullptr), Ours and Neither are what can be said.
// `ours`: what our code draws. If it was stopped because it did not end, RADV agrees if its code does not end either:
// made-up inputs can make a loop endless, which lavapipe leaves after 65,535 rounds, and which RADV's compiler removes
// if nothing comes of it. With any other Error, RADV is not asked. Errors: those of PictureJudge::compare().
Result<ThirdOpinion> askRadv(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                             const Result<SceneResult> &ours, const SceneResult *lavapipe);

} // namespace dovetail
