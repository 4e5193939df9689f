// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/program_counts.h"
#include <algorithm>
#include <numeric>

namespace dovetail {

namespace {

uint64_t sum(const TierCounts &counts, CompilePhase first, CompilePhase last) {
  return std::accumulate(&counts.phases[size_t(first)], &counts.phases[size_t(last)] + 1, uint64_t(0));
}

uint64_t *find(TierCounts &counts, std::string_view what) {
  if (what == Other)
    return &counts.other;
  for (size_t phase = 0; phase < CompilePhaseCount; ++phase)
    if (what == toString(CompilePhase(phase)))
      return &counts.phases[phase];
  return nullptr;
}

// The count that a word of a label stands for; nullptr: none.
uint64_t *find(ProgramCounts &counts, std::string_view what) {
  if (what == Reflecting)
    return &counts.reflect;
  if (what == AcoPipeline)
    return counts.aco ? &*counts.aco : &counts.aco.emplace(0);
  return what.starts_with(WithFirstCode) ? find(counts.first, what.substr(WithFirstCode.size()))
                                         : find(counts.llvm, what);
}

} // namespace

uint64_t TierCounts::front() const {
  return sum(*this, CompilePhase::Translate, CompilePhase::Lower);
}

uint64_t TierCounts::whole() const {
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
