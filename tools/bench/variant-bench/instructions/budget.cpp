// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/budget.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace dovetail {

namespace {

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
    const bool isRead = program.program == "llvm"
                            ? bool(words >> budget.llvm)
                            : bool(words >> program.front >> program.whole) && program.front > 0 && program.whole > 0;
    if (!isRead || words >> more)
      return makeError(ErrorCode::InvalidInput, "line {} of the budget is no \"PROGRAM FRONT WHOLE\": {}", number,
                       line);
    if (program.program != "llvm")
      budget.programs.push_back(std::move(program));
  }
  if (budget.llvm.empty())
    return makeError(ErrorCode::InvalidInput, "the budget does not name its LLVM");
  return budget;
}

std::string printBudget(const std::string &llvm, std::span<const ProgramCounts> programs) {
  std::string text =
      fmt::format("# Million instructions of compiles: the program, in front of code generation, whole. The test fails "
                  "where a count is\n# {:.0f} % above or below. To renew them all:\n"
                  "#     build/tools/variant-bench --instructions --write-budget "
                  "tests/variant-bench/instruction_budget.txt\nllvm {}\n",
                  BudgetTolerance * 100, llvm);
  for (const ProgramCounts &counts : programs)
    text +=
        fmt::format("{} {:.3f} {:.3f}\n", counts.program, double(counts.front()) * 1e-6, double(counts.whole()) * 1e-6);
  return text;
}

std::vector<std::string> compareWithBudget(const Budget &budget, std::span<const ProgramCounts> programs) {
  std::vector<std::string> lines;
  for (const ProgramCounts &counts : programs) {
    const auto found = std::ranges::find(budget.programs, counts.program, &ProgramBudget::program);
    const bool isThere = found != budget.programs.end();
    compare(lines, counts.program, "front", isThere ? std::optional(found->front) : std::nullopt, counts.front());
    compare(lines, counts.program, "whole", isThere ? std::optional(found->whole) : std::nullopt, counts.whole());
  }
  return lines;
}

} // namespace dovetail
