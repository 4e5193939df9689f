// SPDX-License-Identifier: MIT
//
// `variant-bench --instructions`: the options, and what it does.
#pragma once

#include "tools/bench/variant-bench/instructions/count_instructions.h"

namespace CLI {
class App;
}

namespace dovetail {

struct InstructionCommand {
  bool isChosen = false;
  std::optional<CounterKind> counter; // nullopt: the best one; for budgets, callgrind
  std::string budget, newBudget;      // files
  // Of a process that counts for another one.
  std::optional<CountedSide> side;
  std::string marksFolder;
};

void addInstructionOptions(CLI::App &app, InstructionCommand &command);

// Counts, prints, and compares with the budget or writes it. Returns the exit status: 1 if something failed or is too
// far from the budget; 77, as test harnesses have it for a test that is skipped, if the budget is one of another LLVM.
// Errors: those of countInstructions(), readBudget() and of files.
Result<int> runInstructions(const InstructionCommand &command, InstructionOptions options);

} // namespace dovetail
