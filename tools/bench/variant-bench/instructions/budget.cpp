// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/budget.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace dovetail {

namespace {

constexpr std::string_view FigureNames[FiguresOfProgram] = {"front", "whole", "first code's front",
                                                            "first code's whole"};

std::array<uint64_t, FiguresOfProgram> figuresOf(const ProgramCounts &counts) {
  return {counts.llvm.front(), counts.llvm.whole(), counts.first.front(), counts.first.whole()};
}

// `allowed`: million instructions; nothing: there is no budget.
void compare(std::vector<std::string> &lines, const std::string &program, std::string_view part,
             std::optional<double> allowed, uint64_t instructions) {
  const double counted = double(instructions) * 1e-6;
  if (!allowed) {
    lines.push_back(fmt::format("{}, {}: {:.3f} million instructions have no budget", program, part, counted));
    return;
  }
  const double change = counted / *allowed - 1;
  if (std::abs(change) > BudgetTolerance)
    lines.push_back(fmt::format("{}, {}: {:.3f} million instructions are {:.1f} % {} the budget of {:.3f}{}", program,
                                part, counted, std::abs(change) * 100, change > 0 ? "above" : "below", *allowed,
                                change > 0 ? "" : "; lower it"));
}

} // namespace

Result<Budget> readBudget(std::string_view text) {
  Budget budget;
  std::istringstream lines{std::string(text)};
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    ProgramBudget program;
    std::string more;
    if (!(words >> program.program))
      continue;
    const bool isRead =
        program.program == "llvm"
            ? bool(words >> budget.llvm)
            : std::ranges::all_of(program.figures, [&](double &figure) { return words >> figure && figure > 0; });
    if (!isRead || words >> more)
      return makeError(ErrorCode::InvalidInput,
                       "line {} of the budget has not the form \"PROGRAM FRONT WHOLE FIRST_FRONT FIRST_WHOLE\": {}",
                       number, line);
    if (program.program != "llvm")
      budget.programs.push_back(std::move(program));
  }
  if (budget.llvm.empty())
    return makeError(ErrorCode::InvalidInput, "the budget does not name its LLVM");
  return budget;
}

std::string printBudget(const std::string &llvm, std::span<const ProgramCounts> programs) {
  std::string text =
      fmt::format("# Million instructions of compiles: the program, in front of code generation, whole, then both "
                  "with first code.\n# The test fails where a count is {:.0f} % above or below. To renew them all:\n"
                  "#     build/tools/variant-bench --instructions --write-budget "
                  "tests/variant-bench/instruction_budget.txt\nllvm {}\n",
                  BudgetTolerance * 100, llvm);
  for (const ProgramCounts &counts : programs) {
    text += counts.program;
    for (const uint64_t figure : figuresOf(counts))
      text += fmt::format(" {:.3f}", double(figure) * 1e-6);
    text += '\n';
  }
  return text;
}

std::vector<std::string> compareWithBudget(const Budget &budget, std::span<const ProgramCounts> programs) {
  std::vector<std::string> lines;
  for (const ProgramCounts &counts : programs) {
    const auto found = std::ranges::find(budget.programs, counts.program, &ProgramBudget::program);
    const bool isThere = found != budget.programs.end();
    for (size_t index = 0; index < FiguresOfProgram; ++index)
      compare(lines, counts.program, FigureNames[index], isThere ? std::optional(found->figures[index]) : std::nullopt,
              figuresOf(counts)[index]);
  }
  return lines;
}

} // namespace dovetail
