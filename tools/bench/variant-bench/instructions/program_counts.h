// SPDX-License-Identifier: MIT
//
// The instructions that a program's compile takes, by phase, summed over its shaders.
#pragma once

#include "src/base/compile_phases.h"
#include "tools/bench/variant-bench/instructions/marks.h"
#include <array>
#include <optional>
#include <span>

namespace dovetail {

// What a process does outside of all phases. The words are in labels of marks, beside the names of the phases.
constexpr std::string_view Reflecting = "reflect";   // while a shader is made
constexpr std::string_view Other = "other";          // while parts are made: keys, the cache, encoded parts
constexpr std::string_view AcoPipeline = "aco";      // ACO's whole pipeline
constexpr std::string_view WithFirstCode = "first-"; // in front of the words of compiles with first code

// Of main parts of one tier.
struct TierCounts {
  std::array<uint64_t, CompilePhaseCount> phases{};
  uint64_t other = 0;

  // From SPIR-V to hardware form: everything in front of code generation.
  uint64_t front() const;
  // From SPIR-V to all parts. Making the shaders, validation included, is in neither.
  uint64_t whole() const;
};

struct ProgramCounts {
  std::string program;
  uint64_t reflect = 0;
  TierCounts llvm, first;
  std::optional<uint64_t> aco; // nullopt: not measured
};

// "PROGRAM/WHAT", where WHAT is the name of a phase or one of the words above.
std::string labelOf(std::string_view program, std::string_view what);

// Adds marks to the programs that their labels name. Errors: InvalidInput for a label of another form, or of a program
// that is not in the list.
Result<void> addMarks(std::span<ProgramCounts> programs, std::span<const Mark> marks);

} // namespace dovetail
