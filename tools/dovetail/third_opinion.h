// SPDX-License-Identifier: MIT
//
// Where our code and lavapipe draw something else: what RADV's code draws in the emulator, and whom that supports.
#pragma once

#include "tools/dovetail/draw_case.h"
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
  std::string reason;                // CannotSay
  Comparison withOurs, withLavapipe; // RADV's picture with each; empty where it cannot say
};

// `judge` and `gpu` are the case's. Without lavapipe's picture (nullptr), Ours and Neither are what can be said.
// Errors: those of PictureJudge::compare().
Result<ThirdOpinion> askRadv(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                             const SceneResult &ours, const SceneResult *lavapipe);

// Of a case in which our code was stopped, as it did not end: Ours if RADV's does not end either, else whether it draws
// what lavapipe does. Made-up inputs can make a loop endless, which lavapipe leaves after 65,535 rounds, and which
// RADV's compiler removes if nothing comes of it. `error`: of our code; for any other RADV is not asked. Errors: those
// of PictureJudge::compare().
Result<ThirdOpinion> askRadvWhetherItEnds(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                                          const Error &error, const SceneResult &lavapipe);

} // namespace dovetail
