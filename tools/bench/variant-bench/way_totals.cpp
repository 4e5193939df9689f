// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/statistics.h"
#include "tools/bench/variant-bench/print_bench.h"
#include <algorithm>

namespace dovetail {

namespace {

using Programs = std::vector<const ProgramResult *>;

double medianOf(const std::vector<Pass> &passes, double Pass::*field) {
  std::vector<double> values;
  for (const Pass &pass : passes)
    values.push_back(pass.*field);
  return median(std::move(values));
}

WayTotal totalOf(Way way, const Programs &programs) {
  WayTotal total;
  total.way = way;
  for (const ProgramResult *program : programs) {
    const std::vector<Pass> &passes = program->passes[unsigned(way)];
    total.wall.resize(std::max(total.wall.size(), passes.size()));
    total.cpu.resize(total.wall.size());
    std::vector<std::vector<double>> ready;
    for (size_t round = 0; round < passes.size(); ++round) {
      total.wall[round] += passes[round].wall;
      total.cpu[round] += passes[round].cpu;
      ready.push_back(passes[round].ready);
    }
    const std::vector<double> medians = medianOfRounds(ready);
    total.ready.insert(total.ready.end(), medians.begin(), medians.end());
    total.variants += medianOf(passes, &Pass::variants);
    total.compiles += medianOf(passes, &Pass::compiles);
    total.codeBytes += medianOf(passes, &Pass::codeBytes);
    total.heapBytes += medianOf(passes, &Pass::heapBytes);
  }
  return total;
}

bool ran(Way way, const ProgramResult &program) {
  return !program.passes[unsigned(way)].empty();
}

} // namespace

std::vector<WayTotal> totalsOfWays(const ProgramResult &program) {
  std::vector<WayTotal> totals;
  for (Way way : AllWays)
    if (ran(way, program))
      totals.push_back(totalOf(way, {&program}));
  return totals;
}

std::vector<WayTotal> totalsOfWays(const BenchResults &results) {
  std::vector<Way> ways;
  for (Way way : AllWays)
    if (std::ranges::any_of(results.programs, [&](const ProgramResult &program) { return ran(way, program); }))
      ways.push_back(way);
  Programs programs;
  for (const ProgramResult &program : results.programs)
    if (std::ranges::all_of(ways, [&](Way way) { return ran(way, program); }))
      programs.push_back(&program);
  std::vector<WayTotal> totals;
  for (Way way : ways)
    if (!programs.empty())
      totals.push_back(totalOf(way, programs));
  return totals;
}

} // namespace dovetail
