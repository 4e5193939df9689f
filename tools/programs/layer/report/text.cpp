// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/print_execution.h"
#include "tools/programs/layer/report/report.h"
#include <fmt/format.h>

namespace dovetail::layer {

namespace {

using Text = fmt::memory_buffer;

template <typename... Args> void line(Text &text, fmt::format_string<Args...> format, Args &&...args) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  text.push_back('\n');
}

void printCosts(Text &text, const char *title, const std::array<Histogram, BindKindCount> &kinds) {
  bool isFirst = true;
  for (size_t kind = 0; kind < BindKindCount; ++kind) {
    const Histogram &costs = kinds[kind];
    if (costs.count() == 0)
      continue;
    if (std::exchange(isFirst, false))
      line(text, "  {:<24}{:>12}{:>10}{:>10}{:>12}  ns", title, "number", "p50", "p99", "max");
    line(text, "    {:<22}{:>12}{:>10}{:>10}{:>12}", nameOfBind(kind), costs.count(), costs.percentile(0.5),
         costs.percentile(0.99), costs.most());
  }
}

void printFrame(Text &text, const Stutter &stutter, const FrameStory &frame) {
  line(text, "    {:>10} {} {} at {:.2f} s: {}", timeText(frame.nanoseconds), stutter.noun(), frame.number,
       frame.seconds, frame.describe());
  constexpr size_t ShownPipelines = 4;
  for (size_t index = 0; index < std::min(frame.pipelines.size(), ShownPipelines); ++index) {
    const PipelineInFrame &pipeline = frame.pipelines[index];
    line(text, "      {:>10} {}: {}", timeText(pipeline.nanoseconds), pipeline.pipeline->describe(),
         pipeline.describe());
  }
  for (const std::string &sentence : frame.sentences)
    line(text, "      {}", sentence);
}

void printFrames(Text &text, const Report &report) {
  const Stutter &stutter = report.stutter;
  const CompileSum &pipelines = report.totals.pipelineCompiles, &draws = report.totals.drawCompiles;
  line(text, "  compiled while pipelines were made: {} parts, {}; while drawing: {} parts, {}", pipelines.count,
       timeText(pipelines.nanoseconds), draws.count, timeText(draws.nanoseconds));
  if (stutter.start.nanoseconds > 0)
    line(text, "  until the first {}: {}, of it Dovetail {}", stutter.noun(), timeText(stutter.start.nanoseconds),
         timeText(stutter.start.dovetailNanoseconds));
  if (stutter.count == 0)
    return;
  line(text, "  {}s: p50 {}, p99 {}, max {}; {}{} long (from {} on)", stutter.noun(), timeText(stutter.median),
       timeText(stutter.p99), timeText(stutter.longest), stutter.areAll ? "" : "at least ", stutter.longFrames,
       timeText(stutter.longAt));
  constexpr size_t ShownFrames = 5;
  for (size_t index = 0; index < std::min(stutter.frames.size(), ShownFrames); ++index)
    printFrame(text, stutter, stutter.frames[index]);
}

void printAdvice(Text &text, const Stutter &stutter) {
  if (stutter.sentences.empty())
    return;
  line(text, "  what would have helped, at the start and in long {}s", stutter.noun());
  for (const std::string &sentence : stutter.sentences)
    line(text, "    {}", sentence);
}

std::string titleOf(const Report &report) {
  std::string title = report.program;
  if (!report.application.name.empty())
    title += fmt::format(" \"{}\"", report.application.name);
  if (!report.application.engine.empty())
    title += fmt::format(" on {}", report.application.engine);
  return title;
}

} // namespace

std::string printText(const Report &report) {
  const Session::Totals &totals = report.totals;
  const WorkCounts &work = totals.work;
  const dovetail_device_statistics &device = totals.statistics;
  Text text;
  line(text, "dovetail shadow: {} ({}), {}, {:.1f} s", titleOf(report), report.process, report.options.gpu,
       totals.seconds);
  if (report.time != ReportTime::End)
    line(text, "  {}", describeTime(report));
  if (report.options.reportsImageIndexing)
    line(text, "  the layer reports the dynamic indexing of images (DOVETAIL_SHADOW_FEATURES)");
  for (const std::string &warning : report.warnings)
    line(text, "  warning: {}", warning);
  line(text, "  {} frames, {} draws, {} dispatches, {} pipelines bound, {} dynamic states set, {} bytes pushed",
       totals.frames, work.draws.get(), work.dispatches.get(), work.pipelineBinds.get(), work.stateChanges.get(),
       work.pushConstantBytes.get());
  line(text, "  {} pipelines, {} libraries, {} shaders, {} states; making a pipeline: p50 {:.0f} us, max {:.0f} us",
       totals.pipelines, totals.libraries, totals.shaders, totals.states,
       static_cast<double>(totals.pipelineTimes.percentile(0.5)) / 1e3,
       static_cast<double>(totals.pipelineTimes.most()) / 1e3);
  printFrames(text, report);
  printAdvice(text, report.stutter);
  printCosts(text, "binds", work.costs.allKinds());
  printCosts(text, "binds, steady state", work.costs.steadyKinds);
  if (work.ownTimes.count() > 0)
    line(text, "  the layer's own cost: {} ns a draw (median), 99th percentile {} ns", work.ownTimes.percentile(0.5),
         work.ownTimes.percentile(0.99));
  if (work.emptyCpuTimes.count() > 0)
    line(text, "  CPU time of known binds: at most {:.1f} us; of as many intervals without a bind: at most {:.1f} us",
         static_cast<double>(work.knownBindCpuTimes.most()) / 1e3,
         static_cast<double>(work.emptyCpuTimes.most()) / 1e3);
  line(text, "  variants: {} joined, {} monolithic, {} optimized, {} published, {} optimizations no better",
       device.joined_variants, device.monolithic_variants, device.optimized_variants, device.generation,
       device.rejected_optimizations);
  if (device.first_code_parts + device.first_code_refused > 0)
    line(text, "  main parts: {} of first code, {} that it refused; {} variants were changed over to LLVM's code",
         device.first_code_parts, device.first_code_refused, device.changed_over_variants);
  line(text,
       "  parts: {} made, {} found; {:.1f} MB of variants, {:.1f} MB of parts; store: {} hits, {} misses, {} written",
       device.parts_made, device.parts_found, static_cast<double>(device.variant_bytes) / 1e6,
       static_cast<double>(device.part_memory_bytes) / 1e6, device.store_hits, device.store_misses,
       device.store_written);

  if (!report.captured.empty())
    line(text, "  captured: {} pipelines", report.captured.size());
  if (totals.execution.isOn)
    printExecution(totals.execution, text);
  constexpr size_t ShownStalls = 5;
  if (!totals.stalls.empty())
    line(text, "  longest binds");
  for (size_t index = 0; index < std::min(totals.stalls.size(), ShownStalls); ++index) {
    const Stall &stall = totals.stalls[index];
    line(text, "    {:>10.1f} us at {:.2f} s, {}, {}: {}", static_cast<double>(stall.time.nanoseconds) / 1e3,
         stall.seconds, stall.isDraw ? "draw" : "pipeline", nameOfBind(stall.bind.kind), describeCause(stall));
  }
  line(text, "  {} errors", report.problems.size());
  for (const Problem *problem : report.problems)
    line(text, "    {} draws: {}: {} [{}]", problem->draws.load(std::memory_order_relaxed), problem->status,
         problem->text, problem->shaders);
  for (const auto &[what, count] : report.unfollowed)
    line(text, "  not followed: {} times {}", count, what);
  return fmt::to_string(text);
}

} // namespace dovetail::layer
