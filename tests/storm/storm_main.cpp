// SPDX-License-Identifier: MIT
//
// The storm as a program: the tests run `storm`, tools/soak runs `storm --seconds 600 --optimized-builds 2000`.
#include "tests/storm/judge.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>

using namespace dovetail;
using namespace dovetail::storm;

namespace {

float percentile(const std::vector<float> &sorted, double part) {
  return sorted[std::min(sorted.size() - 1, size_t(double(sorted.size()) * part))];
}

void printTimes(const StormReport &report) {
  fmt::print("binds, microseconds {:>12} {:>8} {:>8} {:>8} {:>8} {:>9}\n", "number", "p50", "p90", "p99", "p99.9",
             "max");
  for (size_t kind = 0; kind < TimedBindCount; ++kind) {
    std::vector<float> times = report.microseconds[kind];
    std::ranges::sort(times);
    if (times.empty())
      continue;
    fmt::print("  {:<18} {:>12} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>9.1f}\n", describe(TimedBind(kind)),
               times.size(), percentile(times, 0.5), percentile(times, 0.9), percentile(times, 0.99),
               percentile(times, 0.999), times.back());
  }
}

// Of the process, KB; 0 where the system does not say.
uint64_t peakResident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (uint64_t size = 0; word == "VmHWM:" && status >> size)
      return size;
  return 0;
}

void printStorm(const StormReport &report) {
  const DeviceStatistics &now = report.statistics;
  fmt::print("storm of {:.1f} s, the optimiser at work for {:.1f} s of it\n", report.seconds, report.optimizingSeconds);
  fmt::print("{} binds; built: {} joined, {} monolithic, {} optimised, {} no better; {} published\n", now.binds,
             now.joinedVariants, now.monolithicVariants, now.optimizedVariants, now.rejectedOptimizations,
             report.publications);
  fmt::print("held: peak {} KB, {} samples; process: peak {} KB\n", report.peakBytes >> 10, report.memory.size(),
             peakResident());
  printTimes(report);
}

} // namespace

int main(int argc, char **argv) {
  StormOptions options;
  JudgeOptions judgeOptions;
  size_t states = 2000;
  uint64_t budgetKb = options.memoryBudget >> 10;
  CLI::App app("Draws with thousands of states in random order while the background optimises them");
  app.add_option("--gpu", options.gpuName, "LLVM's name of the GPU")->capture_default_str();
  app.add_option("--states", states, "distinct states, over 20 programs")->capture_default_str();
  app.add_option("--threads", options.threads, "that draw")->capture_default_str();
  app.add_option("--seconds", options.seconds, "at least; each thread binds each state once in any case")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of states and their order")->capture_default_str();
  app.add_option("--budget-kb", budgetKb, "memory for variants and parts")->capture_default_str();
  app.add_option("--background-threads", options.background.threads, "that optimise")->capture_default_str();
  app.add_option("--max-queued", options.background.maxQueued, "builds that wait")->capture_default_str();
  app.add_option("--optimized-builds", judgeOptions.optimizedBuilds,
                 "optimised variants that are built anew to compare")
      ->capture_default_str();
  app.add_option("--drawings", judgeOptions.drawings, "states that are drawn")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  options.memoryBudget = budgetKb << 10;

  auto programs = makeProgramsOfStates(states, options.seed);
  if (!programs) {
    fmt::print(stderr, "{}\n", programs.error().text);
    return 1;
  }
  auto report = runStorm(*programs, options);
  if (!report) {
    fmt::print(stderr, "{}\n", report.error().text);
    return 1;
  }
  printStorm(*report);
  auto verdicts = judge(*programs, options, *report, judgeOptions);
  if (!verdicts) {
    fmt::print(stderr, "{}\n", verdicts.error().text);
    return 1;
  }
  size_t passed = 0;
  for (const Verdict &verdict : *verdicts) {
    fmt::print("{} {}: {}\n", verdict.holds ? "ok    " : "FAILED", verdict.what, verdict.details);
    passed += verdict.holds;
  }
  fmt::print("{} passed, {} failed\n", passed, verdicts->size() - passed);
  return passed == verdicts->size() ? 0 : 1;
}
