// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/print_counts.h"
#include "tools/common/pipelines/report.h"

namespace dovetail {

namespace {

// "0.04", "9.81", "95.2", "136"
std::string millions(uint64_t instructions) {
  const double value = double(instructions) * 1e-6;
  return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

double ratioOf(const ProgramCounts &counts, uint64_t whole) {
  return counts.aco ? double(whole) / double(*counts.aco) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> headOf() {
  std::vector<std::string> head = {"program"};
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase) {
    head.emplace_back(toString(CompilePhase(phase)));
    if (CompilePhase(phase) == CompilePhase::Validate)
      head.emplace_back(Reflecting);
  }
  head.emplace_back(Other);
  for (const char *sum : {"front", "whole", "ACO", "ratio", "first front", "first", "ratio"})
    head.emplace_back(sum);
  return head;
}

std::vector<std::string> rowOf(const ProgramCounts &counts) {
  std::vector<std::string> row = {counts.program};
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase) {
    row.push_back(millions(counts.llvm.phases[phase]));
    if (CompilePhase(phase) == CompilePhase::Validate)
      row.push_back(millions(counts.reflect));
  }
  for (const uint64_t sum : {counts.llvm.other, counts.llvm.front(), counts.llvm.whole()})
    row.push_back(millions(sum));
  row.push_back(counts.aco ? millions(*counts.aco) : "-");
  row.push_back(counts.aco ? fmt::format("{:.2f}", ratioOf(counts, counts.llvm.whole())) : "-");
  row.push_back(millions(counts.first.front()));
  row.push_back(millions(counts.first.whole()));
  row.push_back(counts.aco ? fmt::format("{:.2f}", ratioOf(counts, counts.first.whole())) : "-");
  return row;
}

} // namespace

std::string printCounts(const InstructionResults &results, CounterKind counter) {
  std::vector<std::vector<std::string>> rows = {headOf()};
  for (const ProgramCounts &counts : results.programs)
    rows.push_back(rowOf(counts));
  std::string notes;
  if (!results.noRadv.empty())
    notes += fmt::format("RADV was not measured: {}\n", results.noRadv);
  for (const std::string &failure : results.failures)
    notes += fmt::format("failed: {}\n", failure);
  return fmt::format("Million instructions of a compile, counted by {}\n\n{}{}{}", toString(counter), printTable(rows),
                     notes.empty() ? "" : "\n", notes);
}

std::string printCountLines(const InstructionResults &results) {
  std::string text;
  for (const ProgramCounts &counts : results.programs)
    text +=
        fmt::format("minstr front_{0} {1}\nminstr whole_{0} {2}\nratio aco_{0} {3:.2f}\nminstr first_front_{0} {4}\n"
                    "minstr first_{0} {5}\nratio first_aco_{0} {6:.2f}\n",
                    counts.program, millions(counts.llvm.front()), millions(counts.llvm.whole()),
                    ratioOf(counts, counts.llvm.whole()), millions(counts.first.front()),
                    millions(counts.first.whole()), ratioOf(counts, counts.first.whole()));
  return text;
}

} // namespace dovetail
