// SPDX-License-Identifier: MIT
#include "tools/common/report/page.h"
#include "tools/programs/layer/execute/print_execution.h"
#include "tools/programs/layer/report/report.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace dovetail::layer {

namespace {

using report::Unit;

constexpr double None = std::numeric_limits<double>::quiet_NaN();

double microseconds(uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e3;
}

std::string count(uint64_t number) {
  return report::format(static_cast<double>(number), Unit::Plain);
}

Histogram allOf(const std::array<Histogram, BindKindCount> &kinds) {
  Histogram all;
  for (size_t kind = 1; kind < BindKindCount; ++kind) // leaves out failed binds
    all.add(kinds[kind]);
  return all;
}

void addHighlights(const Report &report, report::Page &page) {
  const Session::Totals &totals = report.totals;
  const Histogram binds = allOf(totals.work.costs.allKinds());
  const Stutter &stutter = report.stutter;
  const auto compiled = [](const CompileSum &sum, const char *when) {
    return report::Page::Highlight{report::format(microseconds(sum.nanoseconds), Unit::Microseconds),
                                   fmt::format("{} parts compiled {}", count(sum.count), when)};
  };
  page.highlights(
      {{count(totals.work.draws.get() + totals.work.dispatches.get()), "draws and dispatches"},
       {count(totals.frames), "frames"},
       {report::format(microseconds(stutter.median), Unit::Microseconds), fmt::format("a {}, median", stutter.noun())},
       {report::format(microseconds(stutter.p99), Unit::Microseconds),
        fmt::format("a {}, 99th percentile", stutter.noun())},
       {fmt::format("{}{}", stutter.areAll ? "" : "≥ ", count(stutter.longFrames)),
        fmt::format("long {}s", stutter.noun())},
       compiled(totals.pipelineCompiles, "while pipelines were made"),
       compiled(totals.drawCompiles, "while drawing"),
       compiled(totals.compiles[DOVETAIL_COMPILE_FOR_BACKGROUND], "in the background"),
       {report::format(microseconds(binds.percentile(0.5)), Unit::Microseconds), "a bind, median"},
       {report::format(microseconds(binds.percentile(0.99)), Unit::Microseconds), "a bind, 99th percentile"},
       {count(totals.pipelines + totals.libraries), "pipelines and libraries"},
       {count(totals.statistics.joined_variants + totals.statistics.monolithic_variants), "variants"},
       {count(totals.statistics.parts_made), "parts made"},
       {count(report.problems.size()), "errors"}});
}

void addBinds(const Report &report, report::Page &page) {
  const auto kinds = report.totals.work.costs.allKinds();
  report::DotChart chart;
  chart.x = {"time of a bind", Unit::Microseconds, true};
  chart.series = {"median", "99th percentile", "longest"};
  std::vector<std::vector<std::string>> rows = {{"kind", "number", "median", "p99", "longest", "together"}};
  for (size_t kind = 0; kind < BindKindCount; ++kind) {
    const Histogram &costs = kinds[kind];
    if (costs.count() == 0)
      continue;
    const double median = microseconds(costs.percentile(0.5)), p99 = microseconds(costs.percentile(0.99)),
                 most = microseconds(costs.most());
    const std::string name(nameOfBind(kind));
    chart.rows.push_back({name, {median > 0 ? median : None, p99 > 0 ? p99 : None, most > 0 ? most : None}});
    rows.push_back({name, count(costs.count()), report::format(median, Unit::Microseconds),
                    report::format(p99, Unit::Microseconds), report::format(most, Unit::Microseconds),
                    report::format(microseconds(costs.sum()), Unit::Microseconds)});
  }
  if (chart.rows.empty())
    return;
  page.section("Binds");
  page.paragraph("One bind for each draw and dispatch, by how it came by its variant: unchanged since the last draw; "
                 "known, and looked up; found for a new state; joined of known parts; with parts that were encoded, or "
                 "that were compiled.");
  page.figure(chart, "What binds cost, by kind. Further left is better.");
  page.table(rows);
}

std::string joined(const std::vector<std::string> &sentences) {
  std::string text;
  for (const std::string &sentence : sentences)
    text += (text.empty() ? "" : " ") + sentence;
  return text;
}

void addFrames(const Report &report, report::Page &page) {
  const Stutter &stutter = report.stutter;
  if (stutter.start.nanoseconds == 0)
    return;
  page.section("Frames");
  page.paragraph(stutter.isPresented
                     ? "A frame lasts from one presentation to the next. It is long if it takes at least twice the "
                       "median, and a millisecond more."
                     : "This program presented nothing. In place of frames, these are the times from one submission of "
                       "command buffers to the next. One is long if it takes at least twice the median, and a "
                       "millisecond more.");
  page.paragraph(fmt::format("Until the first {}: {}, of it Dovetail {}.", stutter.noun(),
                             timeText(stutter.start.nanoseconds), timeText(stutter.start.dovetailNanoseconds)));
  for (const std::string &sentence : stutter.sentences)
    page.paragraph("At the start and in long " + std::string(stutter.noun()) + "s together: " + sentence);
  report::LineChart chart;
  chart.x = {"seconds"};
  chart.y = {"longest frame", Unit::Microseconds};
  chart.series = {{"longest " + std::string(stutter.noun()), {}}};
  for (const Sample &sample : report.totals.samples)
    if (sample.longestFrame > 0)
      chart.series[0].points.emplace_back(sample.seconds, microseconds(sample.longestFrame));
  if (chart.series[0].points.size() > 1)
    page.figure(chart, fmt::format("The longest {} of each interval.", stutter.noun()));
  std::vector<std::vector<std::string>> rows = {{"time", "at", "Dovetail", "pipelines", "help"}};
  constexpr size_t ShownFrames = 20, ShownPipelines = 6;
  const auto add = [&](const FrameStory &frame) {
    std::string pipelines = frame.describe() + ".";
    for (size_t index = 0; index < std::min(frame.pipelines.size(), ShownPipelines); ++index) {
      const PipelineInFrame &pipeline = frame.pipelines[index];
      pipelines += fmt::format(" {}: {}, {}.", pipeline.pipeline->describe(), timeText(pipeline.nanoseconds),
                               pipeline.describe());
    }
    rows.push_back({report::format(microseconds(frame.nanoseconds), Unit::Microseconds),
                    frame.number == 0 ? "start" : fmt::format("{:.2f} s", frame.seconds),
                    report::format(microseconds(frame.dovetailNanoseconds), Unit::Microseconds), pipelines,
                    frame.sentences.empty() ? "-" : joined(frame.sentences)});
  };
  if (stutter.start.dovetailNanoseconds > 0)
    add(stutter.start);
  for (size_t index = 0; index < std::min(stutter.frames.size(), ShownFrames); ++index)
    add(stutter.frames[index]);
  if (rows.size() > 1)
    page.proseTable(rows, {3, 4});
}

void addStalls(const Report &report, report::Page &page) {
  if (report.totals.stalls.empty())
    return;
  page.section("Longest binds");
  std::vector<std::vector<std::string>> rows = {{"time", "CPU time", "at", "when", "kind", "cause", "pipeline"}};
  constexpr size_t Shown = 30;
  for (const Stall &stall : report.totals.stalls) {
    if (rows.size() > Shown)
      break;
    rows.push_back({report::format(microseconds(stall.time.nanoseconds), Unit::Microseconds),
                    stall.time.cpuNanoseconds > 0
                        ? report::format(microseconds(stall.time.cpuNanoseconds), Unit::Microseconds)
                        : "-",
                    fmt::format("{:.2f} s", stall.seconds), stall.isDraw ? "draw" : "pipeline made",
                    std::string(nameOfBind(stall.bind.kind)), describeCause(stall), stall.pipeline->describe()});
  }
  page.proseTable(rows, {5, 6});
}

void addTime(const Report &report, report::Page &page) {
  const std::vector<Sample> &samples = report.totals.samples;
  if (samples.size() < 2)
    return;
  page.section("Over time");
  report::LineChart draws, variants, bytes;
  draws.x = variants.x = bytes.x = {"seconds"};
  draws.y = {"draws a second"};
  variants.y = {"variants"};
  bytes.y = {"memory", Unit::Bytes};
  draws.series = {{"draws", {}}};
  variants.series = {{"variants held", {}}, {"optimized variants published", {}}};
  bytes.series = {{"variants and parts", {}}};
  variants.hasSteps = true;
  for (size_t index = 0; index < samples.size(); ++index) {
    const Sample &sample = samples[index];
    variants.series[0].points.emplace_back(sample.seconds, sample.variants);
    variants.series[1].points.emplace_back(sample.seconds, sample.published);
    bytes.series[0].points.emplace_back(sample.seconds, sample.bytes);
    if (index == 0 || sample.seconds <= samples[index - 1].seconds)
      continue;
    draws.series[0].points.emplace_back(sample.seconds, static_cast<double>(sample.draws - samples[index - 1].draws) /
                                                            (sample.seconds - samples[index - 1].seconds));
  }
  page.figure(draws, "Draws a second.");
  page.figure(variants, "Variants that are held, and optimized ones that replaced joined ones.");
  page.figure(bytes, "Memory of variants and parts.");
}

void addPipelines(const Report &report, report::Page &page) {
  if (report.totals.pipelinesByDraws.empty())
    return;
  page.section("Pipelines by draws");
  std::vector<std::vector<std::string>> rows = {{"pipeline", "draws"}};
  constexpr size_t Shown = 50;
  for (const PipelineSummary &pipeline : report.totals.pipelinesByDraws)
    if (rows.size() <= Shown)
      rows.push_back({pipeline.name, count(pipeline.draws)});
  page.proseTable(rows, {0});
}

void addErrors(const Report &report, report::Page &page) {
  if (report.problems.empty() && report.unfollowed.empty())
    return;
  page.section("Errors");
  std::vector<std::vector<std::string>> rows = {{"what", "draws", "shaders"}};
  for (const Problem *problem : report.problems)
    rows.push_back({problem->status + ": " + problem->text, count(problem->draws.load(std::memory_order_relaxed)),
                    problem->shaders});
  for (const auto &[what, number] : report.unfollowed)
    rows.push_back({"not followed: " + what, count(number), ""});
  page.proseTable(rows, {0, 2});
}

void addTotals(const Report &report, report::Page &page) {
  const dovetail_device_statistics &device = report.totals.statistics;
  const WorkCounts &work = report.totals.work;
  page.section("Totals");
  page.table({{"what", "number"},
              {"pipelines", count(report.totals.pipelines)},
              {"pipeline libraries", count(report.totals.libraries)},
              {"shaders", count(report.totals.shaders)},
              {"states", count(report.totals.states)},
              {"pipelines bound", count(work.pipelineBinds.get())},
              {"dynamic states set", count(work.stateChanges.get())},
              {"variants joined", count(device.joined_variants)},
              {"variants compiled as a whole", count(device.monolithic_variants)},
              {"optimized variants", count(device.optimized_variants)},
              {"optimized variants published", count(device.generation)},
              {"optimizations that were no better", count(device.rejected_optimizations)},
              {"main parts of first code", count(device.first_code_parts)},
              {"main parts that first code refused", count(device.first_code_refused)},
              {"variants changed over to LLVM's code", count(device.changed_over_variants)},
              {"programs that keep first code because LLVM failed", count(device.failed_change_overs)},
              {"parts made", count(device.parts_made)},
              {"parts found, thus shared", count(device.parts_found)},
              {"memory of variants", report::format(static_cast<double>(device.variant_bytes), Unit::Bytes)},
              {"memory of parts", report::format(static_cast<double>(device.part_memory_bytes), Unit::Bytes)},
              {"parts read from the store", count(device.store_hits)},
              {"parts written to the store", count(device.store_written)},
              {"the layer's own time for a draw",
               work.ownTimes.count() > 0 ? fmt::format("{} ns", work.ownTimes.percentile(0.5)) : "-"}});
}

} // namespace

std::string printHtml(const Report &report) {
  report::Page page(fmt::format("{} on {}", report.program, report.options.gpu));
  page.paragraph(
      fmt::format("What {} would have had of Dovetail in {:.1f} seconds.", report.program, report.totals.seconds));
  if (!report.application.name.empty() || !report.application.engine.empty())
    page.paragraph(fmt::format("The application calls itself \"{}\", its engine \"{}\".", report.application.name,
                               report.application.engine));
  if (report.time != ReportTime::End)
    page.paragraph("This report is " + describeTime(report) + ".");
  for (const std::string &warning : report.warnings)
    page.paragraph("Warning: " + warning);
  addHighlights(report, page);
  addErrors(report, page);
  if (report.totals.execution.isOn)
    addExecution(report.totals.execution, page);
  addFrames(report, page);
  addBinds(report, page);
  addStalls(report, page);
  addTime(report, page);
  addPipelines(report, page);
  addTotals(report, page);
  return page.html();
}

} // namespace dovetail::layer
