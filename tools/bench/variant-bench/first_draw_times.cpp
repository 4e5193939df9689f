// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/first_draw_times.h"
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/print_bench.h"
#include "tools/common/pipelines/report.h"
#include <algorithm>
#include <limits>

namespace dovetail {

namespace {

using Programs = std::vector<const ProgramResult *>;

bool hasRun(const ProgramResult &program, Way way) {
  const std::vector<Pass> &passes = program.passes[unsigned(way)];
  return !passes.empty() && std::ranges::none_of(passes, [](const Pass &pass) { return pass.ready.empty(); });
}

// One figure for each round: the first draws of all programs, µs.
std::vector<double> firstDrawsOf(const Programs &programs, Way way) {
  std::vector<double> times;
  for (const ProgramResult *program : programs) {
    const std::vector<Pass> &passes = program->passes[unsigned(way)];
    times.resize(std::max(times.size(), passes.size()));
    for (size_t round = 0; round < passes.size(); ++round)
      times[round] += passes[round].ready.front();
  }
  return times;
}

StepComparison compare(const std::string &name, const Programs &programs) {
  return {name, std::string(toString(Way::RadvLinked)), firstDrawsOf(programs, Way::Parts),
          firstDrawsOf(programs, Way::RadvLinked)};
}

std::vector<Way> waysOf(const BenchResults &results) {
  std::vector<Way> ways;
  for (Way way : AllWays)
    if (std::ranges::any_of(results.programs, [&](const ProgramResult &program) { return hasRun(program, way); }))
      ways.push_back(way);
  return ways;
}

std::vector<std::string> rowOf(const std::string &name, const Programs &programs, const std::vector<Way> &ways) {
  std::vector<std::string> row = {name};
  for (Way way : ways) {
    const bool isWhole = std::ranges::all_of(programs, [&](const ProgramResult *each) { return hasRun(*each, way); });
    row.push_back(isWhole ? shortNumber(median(firstDrawsOf(programs, way)) / 1000) : "-");
  }
  return row;
}

} // namespace

std::vector<StepComparison> compareFirstDraws(const BenchResults &results) {
  std::vector<StepComparison> comparisons;
  Programs both;
  for (const ProgramResult &program : results.programs)
    if (hasRun(program, Way::Parts) && hasRun(program, Way::RadvLinked)) {
      comparisons.push_back(compare("first_draw_" + program.name, {&program}));
      both.push_back(&program);
    }
  comparisons.push_back(compare("first_draws", both));
  return comparisons;
}

std::string printFirstDrawTimes(const BenchResults &results) {
  const std::vector<Way> ways = waysOf(results);
  if (ways.empty())
    return "";
  std::vector<std::vector<std::string>> rows = {{"program"}};
  for (Way way : ways)
    rows[0].emplace_back(toString(way));
  Programs all;
  for (const ProgramResult &program : results.programs) {
    rows.push_back(rowOf(program.name, {&program}, ways));
    all.push_back(&program);
  }
  rows.push_back(rowOf("all together", all, ways));
  std::string text = "The first draw of each program, ms until it can go on\n\n" + printTable(rows);
  const std::vector<double> ratios = compareFirstDraws(results).back().ratios();
  if (!ratios.empty()) {
    const Spread ratio = spreadOf(ratios);
    text += fmt::format("\nparts, divided by RADV's libraries: {:.2f} ({:.2f} - {:.2f})\n", ratio.median, ratio.least,
                        ratio.most);
  }
  return text + "\n";
}

} // namespace dovetail
