// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/print_bench.h"
#include "tools/common/report/page.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace dovetail {

namespace {

using report::Unit;

constexpr double None = std::numeric_limits<double>::quiet_NaN();

// All charts use the same colours; RADV's are the warm ones.
constexpr unsigned RadvColor = 4, RadvAcoColor = 5, RadvLlvmColor = 6, ArchivedColor = 7, RadvCachedColor = 8;

constexpr unsigned colorOf(Way way) {
  if (way == Way::Archived)
    return ArchivedColor;
  if (way == Way::RadvCached)
    return RadvCachedColor;
  return unsigned(way) - (way > Way::Archived); // in this order
}
static_assert(colorOf(Way::RadvLinked) == RadvColor && colorOf(Way::RadvAco) == RadvAcoColor &&
              colorOf(Way::RadvLlvm) == RadvLlvmColor);

unsigned colorOf(CodeKind kind) {
  switch (kind) {
  case CodeKind::Joined:
    return colorOf(Way::Parts);
  case CodeKind::Monolithic:
    return colorOf(Way::Monolithic);
  case CodeKind::Optimized:
    return colorOf(Way::Optimized);
  case CodeKind::RadvAco:
    return RadvAcoColor;
  case CodeKind::RadvLlvm:
    return RadvLlvmColor;
  }
  return 0;
}

std::string ratioText(const StepComparison &comparison) {
  const std::vector<double> ratios = comparison.ratios();
  return ratios.empty() ? "-" : fmt::format("{:.2f} ×", median(ratios));
}

// The figures that are read first.
void addHighlights(const BenchResults &results, report::Page &page) {
  std::vector<report::Page::Highlight> highlights = {
      {report::format(percentile(results.firstUses, 0.5), Unit::Microseconds),
       "first use of a state, median; the main parts are known"},
      {report::format(percentile(results.firstUses, 0.99), Unit::Microseconds),
       "first use of a state, 99th percentile"},
      {fmt::format("{} ns", shortNumber(median(results.knownBind))),
       fmt::format("bind of a variant among {} known ones", shortCount(results.options.knownVariants))}};
  constexpr std::pair<std::string_view, std::string_view> Groups[] = {
      {"new_variant_", "times RADV's fast link: a new variant from known parts"},
      {"cold_vertex_prolog", "times RADV's: a vertex prolog that is new"},
      {"cold_epilog_", "times RADV's: an epilog that is new"},
      {"main_cpu_", "times RADV with LLVM: main parts, CPU time"},
      {"main_wall_", "times RADV with LLVM: main parts, wall time"}};
  for (auto [begin, text] : Groups) {
    std::vector<double> ratios;
    for (const StepComparison &comparison : results.comparisons)
      if (comparison.name.starts_with(begin) && !comparison.theirs.empty())
        ratios.push_back(median(comparison.ratios()));
    if (ratios.empty())
      continue;
    const Spread spread = spreadOf(ratios);
    highlights.push_back({ratios.size() == 1 ? fmt::format("{:.2f}", spread.median)
                                             : fmt::format("{:.2f} – {:.2f}", spread.least, spread.most),
                          std::string(text)});
  }
  page.highlights(highlights);
}

// Takes every Nth point and the last one, so that a page does not grow with the number of variants.
std::vector<std::pair<double, double>> thin(const std::vector<std::pair<double, double>> &points) {
  constexpr size_t MostPoints = 200;
  const size_t every = points.size() / MostPoints + 1;
  std::vector<std::pair<double, double>> thinned;
  for (size_t i = 0; i < points.size(); ++i)
    if (i % every == 0 || i + 1 == points.size())
      thinned.push_back(points[i]);
  return thinned;
}

report::LineChart readyOverVariants(const std::vector<WayTotal> &totals) {
  report::LineChart chart = {.x = {"draws with a new state"},
                             .y = {"time spent waiting since the first draw", Unit::Microseconds, true},
                             .series = {},
                             .colors = {}};
  for (const WayTotal &total : totals) {
    std::vector<std::pair<double, double>> points;
    double spent = 0;
    for (size_t i = 0; i < total.ready.size(); ++i)
      points.push_back({double(i + 1), spent += total.ready[i]});
    chart.series.push_back({std::string(toString(total.way)), thin(points)});
    chart.colors.push_back(colorOf(total.way));
  }
  return chart;
}

void addStutter(const std::vector<WayTotal> &totals, report::Page &page) {
  report::LineChart chart = {.x = {"wait of a draw", Unit::Microseconds, true},
                             .y = {"share of the draws that wait at least so long", Unit::Percent, true},
                             .series = {},
                             .colors = {},
                             .hasSteps = true};
  for (const WayTotal &total : totals) {
    std::vector<double> waits = total.ready;
    std::ranges::sort(waits);
    std::vector<std::pair<double, double>> points;
    for (size_t i = 0; i < waits.size(); ++i)
      points.push_back({waits[i], 100.0 * double(waits.size() - i) / double(waits.size())});
    chart.series.push_back({std::string(toString(total.way)), thin(points)});
    chart.colors.push_back(colorOf(total.way));
  }
  page.figure(chart, "The stutter: how many of the draws with a state that is new wait how long. The further left and "
                     "down, the better. Both scales are logarithmic.");
}

void addWays(const BenchResults &results, report::Page &page) {
  const std::vector<WayTotal> totals = totalsOfWays(results);
  if (totals.empty())
    return;
  page.section("All variants, way by way");
  page.figure(readyOverVariants(totals),
              "Time to ready over the number of variants. A step is a new program, whose main parts or "
              "pipelines are compiled; between steps the slope is what a new state costs. The scale is "
              "logarithmic.");
  addStutter(totals, page);
  std::vector<std::vector<std::string>> rows = {
      {"way", "variants", "compiles", "time", "of rounds", "p50", "p99", "longest", "code", "heap"}};
  auto time = [](double microseconds) { return report::format(microseconds, Unit::Microseconds); };
  for (const WayTotal &total : totals) {
    const Spread wall = spreadOf(total.wall);
    rows.push_back({std::string(toString(total.way)), shortNumber(total.variants), shortNumber(total.compiles),
                    time(wall.median), fmt::format("{} – {}", time(wall.least), time(wall.most)),
                    time(percentile(total.ready, 0.5)), time(percentile(total.ready, 0.99)),
                    time(percentile(total.ready, 1)),
                    total.codeBytes > 0 ? report::format(total.codeBytes, Unit::Bytes) : "-",
                    report::format(total.heapBytes, Unit::Bytes)});
  }
  page.table(rows);
  page.paragraph(
      "Compiles are shaders that went through a compiler. Code: ours with the alignment and padding that the "
      "hardware wants; of RADV's libraries without prologs and epilogs, of which it does not tell. Heap: "
      "what the process holds more than before.");
}

void addSharing(const BenchResults &results, report::Page &page) {
  if (results.sharing.empty())
    return;
  page.section("Sharing of parts");
  report::BarChart chart = {.x = {"number"}, .series = {"in variants", "parts"}, .rows = {}, .colors = {}};
  for (const auto &[kind, sharing] : results.sharing)
    chart.rows.push_back({std::string(toString(kind)), {double(sharing.uses), double(sharing.parts)}});
  page.figure(chart, "How many variants have a part of a kind, and how many parts serve them.");
}

void addCode(const BenchResults &results, report::Page &page) {
  if (results.code.empty())
    return;
  page.section("Code");
  struct Measure {
    const char *name, *caption;
    double StageCost::*field;
  };
  constexpr Measure Measures[] = {
      {"VGPRs", "Registers of each hardware shader. Fewer let more waves run at the same time.", &StageCost::vgprs},
      {"waves of a SIMD", "How many waves of each hardware shader a SIMD can hold: ten at most.", &StageCost::waves},
      {"instructions, monolithic = 100 %",
       "Instructions of each hardware shader, of which the monolithic code has 100 %.", &StageCost::instructions}};
  for (const Measure &measure : Measures) {
    const bool isShare = measure.field == &StageCost::instructions;
    report::DotChart chart = {
        .x = {measure.name, isShare ? Unit::Percent : Unit::Plain}, .series = {}, .rows = {}, .colors = {}};
    for (unsigned kind = 0; kind < CodeKindCount; ++kind) {
      chart.series.push_back(std::string(toString(CodeKind(kind))));
      chart.colors.push_back(colorOf(CodeKind(kind)));
    }
    for (const ShaderCost &shader : results.code) {
      report::Row row = {fmt::format("{} {}", shader.program, toString(shader.stage)), {}};
      const std::optional<StageCost> &whole = shader.costs[unsigned(CodeKind::Monolithic)];
      const double unit = isShare && whole ? whole->instructions / 100 : 1;
      for (const std::optional<StageCost> &cost : shader.costs)
        row.values.push_back(cost ? *cost.*measure.field / unit : None);
      chart.rows.push_back(std::move(row));
    }
    page.figure(chart, measure.caption);
  }
}

void addFirstDraws(const BenchResults &results, report::Page &page) {
  if (results.firstDraws.empty())
    return;
  page.section("Phases of a compile");
  report::BarChart chart = {
      .x = {"CPU time", Unit::Microseconds}, .series = {}, .rows = {}, .colors = {}, .isStacked = true};
  for (const auto &[phase, time] : results.firstDraws[0].phases)
    chart.series.push_back(phase);
  for (const FirstDraw &draw : results.firstDraws) {
    report::Row row = {draw.program, {}};
    for (const auto &[phase, time] : draw.phases)
      row.values.push_back(time);
    chart.rows.push_back(std::move(row));
  }
  page.figure(
      chart,
      "Where the time of a program's first draw goes, with nothing known of it. Encoding is of prologs, epilogs and "
      "glue, which go through no compiler.");
}

void addSteps(const BenchResults &results, report::Page &page) {
  page.section("Single steps beside RADV");
  report::DotChart chart = {.x = {"median time", Unit::Microseconds, true},
                            .series = {"Dovetail", "RADV"},
                            .rows = {},
                            .colors = {0, RadvColor}};
  std::vector<std::vector<std::string>> rows = {{"step", "Dovetail", "RADV", "ratio", "of rounds", "RADV's way"}};
  for (const StepComparison &comparison : results.comparisons) {
    const double ours = median(comparison.ours), theirs = median(comparison.theirs);
    chart.rows.push_back({comparison.name, {ours, theirs}});
    const Spread ratio = spreadOf(comparison.ratios());
    rows.push_back({comparison.name, report::format(ours, Unit::Microseconds),
                    report::format(theirs, Unit::Microseconds), ratioText(comparison),
                    fmt::format("{:.2f} – {:.2f}", ratio.least, ratio.most), comparison.peer});
  }
  page.figure(chart, "Medians over the rounds; the scale is logarithmic.");
  page.table(rows);
}

void addNotes(const BenchResults &results, report::Page &page) {
  std::vector<std::string> notes;
  if (!results.noRadv.empty())
    notes.push_back("RADV was not measured: " + results.noRadv);
  else if (!results.noRadvLlvm.empty())
    notes.push_back("RADV with LLVM was not measured: " + results.noRadvLlvm);
  for (const std::string &line : results.refused)
    notes.push_back("Refused: " + line);
  for (const std::string &line : results.failures)
    notes.push_back("Failed: " + line);
  for (const ProgramResult &program : results.programs)
    for (Way way : AllWays)
      if (const std::string &failure = program.failures[unsigned(way)]; !failure.empty())
        notes.push_back(fmt::format("Failed: {}, {}: {}", program.name, toString(way), failure));
  if (notes.empty())
    return;
  page.section("Not measured");
  for (const std::string &note : notes)
    page.paragraph(note);
}

} // namespace

std::string printBenchPicture(const BenchResults &results) {
  return report::picture(readyOverVariants(totalsOfWays(results)),
                         "How long draws have waited in all, over the number of draws with a new state, way by way");
}

std::string printBenchHtml(const BenchResults &results) {
  report::Page page("What variants cost");
  const GridSize &grid = results.options.grid;
  page.paragraph(fmt::format("Measured by variant-bench on {}, for {}: {} programs under {} × {} × {} states (vertex "
                             "inputs, colours, others), medians of {} rounds on one CPU. RADV compiles the same SPIR-V "
                             "under the same states for a GPU that is not there, by turns with Dovetail, its caches "
                             "off.",
                             results.machine, results.options.gpu, results.programs.size(), grid.vertexInputs,
                             grid.colors, grid.others, results.options.rounds));
  addHighlights(results, page);
  addWays(results, page);
  addSteps(results, page);
  addSharing(results, page);
  addCode(results, page);
  addFirstDraws(results, page);
  addNotes(results, page);
  return page.html();
}

} // namespace dovetail
