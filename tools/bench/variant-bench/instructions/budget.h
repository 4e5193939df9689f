// SPDX-License-Identifier: MIT
//
// A budget of instructions for programs' compiles. A change of the compiler that needs more than the budget is found in
// the run that measures it. One that needs less must lower the budget, so that the next change cannot use up the
// difference unseen.
#pragma once

#include "tools/bench/variant-bench/instructions/program_counts.h"

namespace dovetail {

// How far a count may be from its budget, in either direction.
constexpr double BudgetTolerance = 0.03;

constexpr size_t FiguresOfProgram = 4;

struct ProgramBudget {
  std::string program;
  // Million instructions: front and whole, then both with first code.
  std::array<double, FiguresOfProgram> figures{};
};

struct Budget {
  std::string llvm; // "22.1.8": another LLVM takes other instructions
  std::vector<ProgramBudget> programs;
};

// Reads lines of words: "llvm VERSION", then "PROGRAM FRONT WHOLE FIRST_FRONT FIRST_WHOLE" for each program. "#" begins
// a comment. Errors: InvalidInput, with the line.
Result<Budget> readBudget(std::string_view text);

// Prints the counts as a budget, with a comment that says how to renew it.
std::string printBudget(const std::string &llvm, std::span<const ProgramCounts> programs);

// A line for each figure that is too far from its budget, or has none. Programs of the budget that were not counted do
// not matter.
std::vector<std::string> compareWithBudget(const Budget &budget, std::span<const ProgramCounts> programs);

} // namespace dovetail
