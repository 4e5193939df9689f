// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/third_opinion.h"
#include "tools/proof/emulator/wave/trap.h"
#include "tools/proof/reference/reference.h"

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

namespace {

bool isEndless(const Error &error) {
  return error.text.find(emulator::toString(emulator::TrapKind::TooManyInstructions)) != std::string::npos;
}

} // namespace

Result<ThirdOpinion> askRadv(PictureJudge &judge, const DrawCase &drawCase, const std::string &gpu,
                             const Result<SceneResult> &ours, const SceneResult *lavapipe) {
  ThirdOpinion opinion;
  if (!ours && !isEndless(ours.error()))
    return opinion;
  const Result<SceneResult> theirs = drawWithRadvCode(drawCase.scene, gpu);
  if (!theirs) {
    const bool isLikeOurs = !ours && isEndless(theirs.error());
    opinion.verdict = isLikeOurs ? RadvVerdict::Ours : RadvVerdict::CannotSay;
    opinion.reason = isLikeOurs ? "its code does not end either" : theirs.error().text;
    return opinion;
  }
  if (ours)
    opinion.withOurs = DOVETAIL_TRY(judge.compare(*theirs, *ours));
  else
    opinion.reason = "its code ends";
  if (lavapipe)
    opinion.withLavapipe = DOVETAIL_TRY(judge.compare(*theirs, *lavapipe));
  const bool isLikeLavapipe = lavapipe && opinion.withLavapipe.matches;
  if (ours && opinion.withOurs.matches)
    opinion.verdict = isLikeLavapipe ? RadvVerdict::Both : RadvVerdict::Ours;
  else
    opinion.verdict = isLikeLavapipe ? RadvVerdict::Lavapipe : RadvVerdict::Neither;
  return opinion;
}

} // namespace dovetail
