// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/instructions/command.h"
#include "parts/compile/toolchain_version.h"
#include "tools/bench/variant-bench/instructions/budget.h"
#include "tools/bench/variant-bench/instructions/print_counts.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/write_file.h"

namespace dovetail {

namespace {

constexpr int Skipped = 77;

Result<int> countHere(const InstructionCommand &command, const InstructionOptions &options) {
  std::vector<CountedProgram> programs;
  for (const std::string &argument : options.paths)
    programs.push_back(fromArgument(argument));
  DOVETAIL_CHECK(countPrograms({*command.side, options.counter, command.marksFolder, options.gpu}, programs));
  DOVETAIL_CHECK(finishOutput());
  return 0;
}

// Budgets are made with callgrind, because its counts are the same on all machines.
Result<CounterKind> counterOf(const InstructionCommand &command) {
  const bool hasBudget = !command.budget.empty() || !command.newBudget.empty();
  if (hasBudget && command.counter == CounterKind::Perf)
    return makeError(ErrorCode::InvalidInput, "budgets are for instructions that callgrind counts");
  return command.counter ? *command.counter : hasBudget ? CounterKind::Callgrind : bestCounter();
}

} // namespace

void addInstructionOptions(CLI::App &app, InstructionCommand &command) {
  CLI::Option *chosen =
      app.add_flag("--instructions", command.isChosen,
                   "count instructions of each phase of the programs' compiles and of ACO's, and nothing else");
  for (const char *other : {"--only-steps", "--quick", "--json", "--html", "--picture"})
    chosen->excludes(app.get_option(other));
  const std::map<std::string, CounterKind> counters = {{"perf", CounterKind::Perf},
                                                       {"callgrind", CounterKind::Callgrind}};
  addChoice<CounterKind>(
      app, "--count-with", counters, [&command](CounterKind kind) { command.counter = kind; },
      "how to count; otherwise with perf_event_open where the system has it");
  app.add_option("--budget", command.budget,
                 "compare instructions with the budgets in this file: status 1 if one is missed by 3 %, 77 if they are "
                 "those of another LLVM")
      ->check(notEmpty())
      ->needs(chosen);
  app.add_option("--write-budget", command.newBudget, "write the instructions as budgets to this file")
      ->check(notEmpty())
      ->needs(chosen);
  // For the processes that countInstructions() starts; --help does not show them.
  const std::map<std::string, CountedSide> sides = {
      {"own", CountedSide::Own}, {"first", CountedSide::First}, {"aco", CountedSide::Aco}};
  addChoice<CountedSide>(
      app, CountSideOption, sides, [&command](CountedSide side) { command.side = side; }, "")
      ->group("");
  app.add_option(MarksFolderOption, command.marksFolder)->group("");
}

Result<int> runInstructions(const InstructionCommand &command, InstructionOptions options) {
  options.counter = DOVETAIL_TRY(counterOf(command));
  if (command.side)
    return countHere(command, options);
  std::optional<Budget> budget;
  if (!command.budget.empty()) {
    const std::string text = DOVETAIL_TRY(readWholeFile(command.budget));
    budget = DOVETAIL_TRY(readBudget(text));
    if (budget->llvm != llvmVersion()) {
      print(fmt::format("The budget is for LLVM {}; this is LLVM {}\n", budget->llvm, llvmVersion()));
      DOVETAIL_CHECK(finishOutput());
      return Skipped;
    }
  }

  const InstructionResults results = DOVETAIL_TRY(countInstructions(options));
  const std::vector<std::string> complaints =
      budget ? compareWithBudget(*budget, results.programs) : std::vector<std::string>();
  if (!command.newBudget.empty())
    DOVETAIL_CHECK(writeFileAtomically(command.newBudget, printBudget(std::string(llvmVersion()), results.programs)));
  std::string text = printCounts(results, options.counter);
  for (const std::string &complaint : complaints)
    text += fmt::format("budget: {}\n", complaint);
  if (budget)
    text += fmt::format("budget: {} passed, {} failed\n",
                        results.programs.size() * FiguresOfProgram - complaints.size(), complaints.size());
  print(text + "\n" + printCountLines(results));
  DOVETAIL_CHECK(finishOutput());
  return results.failures.empty() && complaints.empty() ? 0 : 1;
}

} // namespace dovetail
