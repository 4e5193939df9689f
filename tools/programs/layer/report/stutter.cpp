// SPDX-License-Identifier: MIT
#include "tools/programs/layer/report/stutter.h"
#include <fmt/format.h>

namespace dovetail::layer {

namespace {

std::string_view nameOfTier(uint32_t tier) {
  return tier == DOVETAIL_TIER_FIRST_CODE ? "first code" : "LLVM";
}

std::vector<PipelineInFrame> byPipeline(const Frame &frame) {
  std::vector<PipelineInFrame> all;
  for (const FrameWork &work : frame.work) {
    auto found = std::ranges::find(all, work.pipeline, &PipelineInFrame::pipeline);
    if (found == all.end())
      found = all.insert(found, PipelineInFrame{.pipeline = work.pipeline, .compiles = {}});
    (work.isInTheWay ? found->nanoseconds : found->asideNanoseconds) += work.nanoseconds;
    found->binds += work.isDraw;
    found->isMade |= !work.isDraw;
    found->hasWaited |= work.bind.waited != 0;
    found->compiles.insert(found->compiles.end(), work.compiles.begin(), work.compiles.end());
  }
  std::ranges::stable_sort(all, [](const PipelineInFrame &a, const PipelineInFrame &b) {
    return std::pair(a.nanoseconds, a.asideNanoseconds) > std::pair(b.nanoseconds, b.asideNanoseconds);
  });
  return all;
}

FrameStory tell(const Frame &frame, const FrameTimes &times, const Measured &measured, uint64_t sessionStart) {
  FrameStory story;
  story.number = frame.number;
  story.seconds = static_cast<double>(frame.start - sessionStart) * 1e-9;
  story.nanoseconds = frame.nanoseconds;
  story.dovetailNanoseconds = frame.dovetailNanoseconds;
  story.isByDovetail = times.isLongByDovetail(frame);
  story.pipelines = byPipeline(frame);
  story.leftOut = frame.leftOut;
  story.advice = adviseOn({&frame}, measured);
  story.sentences = sentencesOf(story.advice, measured);
  return story;
}

} // namespace

std::string PipelineInFrame::describe() const {
  std::string text = isMade ? "made" : "";
  const auto add = [&](const std::string &more) { text += (text.empty() ? "" : "; ") + more; };
  if (!compiles.empty()) {
    std::string list;
    for (const Compile &compile : compiles)
      list += fmt::format("{}{} {} ({})", list.empty() ? "" : ", ", nameOfPart(compile.kind),
                          timeText(compile.nanoseconds), nameOfTier(compile.tier));
    add(fmt::format("{} compiled: {}", compiles.size() == 1 ? "1 part" : fmt::format("{} parts", compiles.size()),
                    list));
  }
  if (hasWaited)
    add("waited for another thread");
  if (binds > 0 && compiles.empty())
    add(binds == 1 ? "1 bind" : fmt::format("{} binds", binds));
  if (nanoseconds == 0)
    add("beside the frame, on another thread");
  return text;
}

std::string FrameStory::describe() const {
  const auto inTheWay =
      std::ranges::count_if(pipelines, [](const PipelineInFrame &pipeline) { return pipeline.nanoseconds > 0; });
  if (dovetailNanoseconds == 0)
    return "Dovetail took nothing of it; the application, its driver or the system did";
  return fmt::format("Dovetail took {}, for {}{}", timeText(dovetailNanoseconds),
                     inTheWay == 1 ? "1 pipeline" : fmt::format("{} pipelines", inTheWay),
                     isByDovetail ? "" : "; most is the application's, its driver's or the system's");
}

Stutter summarizeFrames(const Session::Totals &totals, uint64_t sessionStart) {
  const FrameTimes &times = *totals.frameTimes;
  Stutter stutter;
  stutter.isPresented = times.end == FrameEnd::Presentation;
  stutter.count = times.times.count();
  stutter.median = times.median();
  stutter.p99 = times.times.percentile(0.99);
  stutter.longest = times.times.most();
  stutter.longAt = times.longAt();
  stutter.start = tell(times.start, times, totals.measured, sessionStart);
  std::vector<const Frame *> told;
  if (times.start.nanoseconds > 0)
    told.push_back(&times.start);
  for (const Frame &frame : times.kept)
    if (times.isLong(frame)) {
      told.push_back(&frame);
      stutter.frames.push_back(tell(frame, times, totals.measured, sessionStart));
    }
  std::ranges::stable_sort(stutter.frames, [](const FrameStory &first, const FrameStory &second) {
    return std::pair(first.dovetailNanoseconds, first.nanoseconds) >
           std::pair(second.dovetailNanoseconds, second.nanoseconds);
  });
  stutter.longFrames = stutter.frames.size();
  stutter.areAll = times.areAllLongKept();
  stutter.advice = adviseOn(told, totals.measured);
  stutter.sentences = sentencesOf(stutter.advice, totals.measured);
  return stutter;
}

} // namespace dovetail::layer
