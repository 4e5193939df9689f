// SPDX-License-Identifier: MIT
#include "tools/dovetail/third_opinion.h"
#include "tools/emulator/wave/trap.h"
#include "tools/reference/reference.h"

namespace dovetail {

std::string_view toString(RadvVerdict verdict) {
  switch (verdict) {
  case RadvVerdict::NotAsked:
    return "not asked";
  case RadvVerdict::Both:
    return "agrees with both";
  case RadvVerdict::Ours:
    return "agrees with us";
  case RadvVerdict::Lavapipe:
    return "agrees with lavapipe";
  case RadvVerdict::Neither:
    return "agrees with neither";
  case RadvVerdict::CannotSay:
    return "cannot say";
  }
  return "?";
}

Result<ThirdOpinion> askRadv(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                             const SceneResult &ours, const SceneResult *lavapipe) {
  ThirdOpinion opinion;
  const Result<SceneResult> theirs = drawWithRadvCode(drawCase.scene, gpu);
  if (!theirs) {
    opinion.verdict = RadvVerdict::CannotSay;
    opinion.reason = theirs.error().text;
    return opinion;
  }
  opinion.withOurs = DOVETAIL_TRY(judge.compare(*theirs, ours));
  if (lavapipe)
    opinion.withLavapipe = DOVETAIL_TRY(judge.compare(*theirs, *lavapipe));
  const bool isLikeLavapipe = lavapipe && opinion.withLavapipe.matches;
  if (opinion.withOurs.matches)
    opinion.verdict = isLikeLavapipe ? RadvVerdict::Both : RadvVerdict::Ours;
  else
    opinion.verdict = isLikeLavapipe ? RadvVerdict::Lavapipe : RadvVerdict::Neither;
  return opinion;
}

Result<ThirdOpinion> askRadvWhetherItEnds(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                                          const Error &error, const SceneResult &lavapipe) {
  auto isEndless = [](const Error &from) {
    return from.text.find(emulator::toString(emulator::TrapKind::TooManyInstructions)) != std::string::npos;
  };
  ThirdOpinion opinion;
  if (!isEndless(error))
    return opinion;
  const Result<SceneResult> theirs = drawWithRadvCode(drawCase.scene, gpu);
  if (theirs) {
    opinion.withLavapipe = DOVETAIL_TRY(judge.compare(*theirs, lavapipe));
    opinion.verdict = opinion.withLavapipe.matches ? RadvVerdict::Lavapipe : RadvVerdict::Neither;
    opinion.reason = "its code ends";
    return opinion;
  }
  opinion.verdict = isEndless(theirs.error()) ? RadvVerdict::Ours : RadvVerdict::CannotSay;
  opinion.reason = isEndless(theirs.error()) ? "its code does not end either" : theirs.error().text;
  return opinion;
}

} // namespace dovetail
