// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/program_counts.h"
#include <algorithm>
#include <numeric>

namespace dovetail {

namespace {

uint64_t sum(const ProgramCounts &counts, CompilePhase first, CompilePhase last) {
  return std::accumulate(&counts.phases[size_t(first)], &counts.phases[size_t(last)] + 1, uint64_t(0));
}

// The count that a word of a label stands for; nullptr: none.
uint64_t *find(ProgramCounts &counts, std::string_view what) {
  if (what == Reflecting)
    return &counts.reflect;
  if (what == Other)
    return &counts.other;
  if (what == FirstCodeWhole)
    return &counts.first;
  if (what == AcoPipeline)
    return counts.aco ? &*counts.aco : &counts.aco.emplace(0);
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    if (what == toString(CompilePhase(phase)))
      return &counts.phases[phase];
  return nullptr;
}

} // namespace

uint64_t ProgramCounts::front() const {
  return sum(*this, CompilePhase::Translate, CompilePhase::Lower);
}

uint64_t ProgramCounts::whole() const {
  return sum(*this, CompilePhase::Translate, CompilePhase::Check) + other;
}

std::string labelOf(std::string_view program, std::string_view what) {
  return fmt::format("{}/{}", program, what);
}

Result<void> addMarks(std::span<ProgramCounts> programs, std::span<const Mark> marks) {
  for (const Mark &mark : marks) {
    const std::string_view label = mark.label;
    const size_t slash = std::min(label.find('/'), label.size());
    const auto counts = std::ranges::find(programs, label.substr(0, slash), &ProgramCounts::program);
    uint64_t *count =
        counts != programs.end() && slash < label.size() ? find(*counts, label.substr(slash + 1)) : nullptr;
    if (!count)
      return makeError(ErrorCode::InvalidInput, "a count has the unknown label \"{}\"", label);
    *count += mark.instructions;
  }
  return {};
}

} // namespace dovetail
