// SPDX-License-Identifier: MIT
//
// Counts of instructions from marks to budgets, without anything that counts.
#include "tools/bench/variant-bench/instructions/budget.h"
#include "tools/bench/variant-bench/instructions/print_counts.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Two dumps, and the one that callgrind makes at the end of each process.
constexpr const char *Dumps = R"(# callgrind format
version: 1
part: 1

desc: Timerange: Basic block 0 - 2132
desc: Trigger: Client Request: textured/replay

positions: line
events: Ir
summary: 6014

fn=(0) main
0 6014

totals: 7014

part: 2

desc: Trigger: Client Request: textured/other

summary: 3013
totals: 3500

part: 3

desc: Trigger: Program termination

summary: 649
)";

ProgramCounts counts(const std::string &program, uint64_t translate, uint64_t emit) {
  ProgramCounts made;
  made.program = program;
  for (TierCounts *tier : {&made.llvm, &made.first}) {
    tier->phases[size_t(CompilePhase::Translate)] = translate;
    tier->phases[size_t(CompilePhase::Emit)] = emit;
  }
  return made;
}

Result<void> add(ProgramCounts &program, const std::string &label) {
  return addMarks({&program, 1}, std::array{Mark{label, 1}});
}

Budget budgetOf(const std::string &lines) {
  Result<Budget> budget = readBudget("llvm 22.1.8\n" + lines);
  REQUIRE(budget);
  return *budget;
}

} // namespace

TEST_CASE("marks are dumps that the process asked for") {
  const Result<std::vector<Mark>> marks = readMarks(Dumps);
  REQUIRE(marks);
  REQUIRE(marks->size() == 2);
  CHECK((*marks)[0].label == "textured/replay");
  CHECK((*marks)[0].instructions == 6014);
  CHECK((*marks)[1].label == "textured/other");
  CHECK((*marks)[1].instructions == 3013);
}

TEST_CASE("a printed mark is read back") {
  const Result<std::vector<Mark>> marks = readMarks(printMark({"a/b", 12}) + printMark({"c/d", 34}));
  REQUIRE(marks);
  REQUIRE(marks->size() == 2);
  CHECK((*marks)[1].label == "c/d");
  CHECK((*marks)[1].instructions == 34);
}

TEST_CASE("a dump without a summary is refused") {
  CHECK_FALSE(readMarks("desc: Trigger: Client Request: a/b\n"));
  CHECK_FALSE(readMarks("desc: Trigger: Client Request: a/b\n" + printMark({"c/d", 1})));
  CHECK_FALSE(readMarks("desc: Trigger: Client Request: a/b\nsummary: 1x\n"));
}

TEST_CASE("counts are summed by program and phase") {
  std::array<ProgramCounts, 2> programs = {counts("a", 0, 0), counts("b", 0, 0)};
  const std::array marks = {Mark{"a/validate", 1}, Mark{"a/reflect", 2},     Mark{"a/translate", 10},
                            Mark{"a/lower", 20},   Mark{"a/translate", 5},   Mark{"b/translate", 7},
                            Mark{"a/select", 100}, Mark{"a/check", 200},     Mark{"a/other", 1000},
                            Mark{"a/aco", 50},     Mark{"a/first-lower", 3}, Mark{"a/first-other", 4}};
  REQUIRE(addMarks(programs, marks));
  CHECK(programs[0].llvm.phases[size_t(CompilePhase::Translate)] == 15);
  CHECK(programs[0].llvm.front() == 35);
  CHECK(programs[0].llvm.whole() == 1335);
  CHECK(programs[0].first.front() == 3);
  CHECK(programs[0].first.whole() == 7);
  CHECK(programs[0].aco == 50);
  CHECK(programs[1].llvm.whole() == 7);
  CHECK_FALSE(programs[1].aco);
}

TEST_CASE("marks with unknown labels are refused") {
  ProgramCounts program = counts("a", 0, 0);
  CHECK(add(program, "a/emit"));
  CHECK_FALSE(add(program, "a/emits"));
  CHECK_FALSE(add(program, "a/first-emits"));
  CHECK_FALSE(add(program, "a/first"));
  CHECK_FALSE(add(program, "b/emit"));
  CHECK_FALSE(add(program, "a"));
}

TEST_CASE("script lines have each figure once") {
  InstructionResults results;
  results.programs = {counts("textured", 2'340'000, 12'600'000), counts("pbr", 25'000'000, 211'000'000)};
  results.programs[0].aco = 2'370'000;
  results.programs[0].first = counts("", 1'260'000, 636'000).llvm;
  results.programs[1].first = counts("", 24'500'000, 10'800'000).llvm;
  CHECK(printCountLines(results) ==
        "minstr front_textured 2.34\nminstr whole_textured 14.9\nratio aco_textured 6.30\n"
        "minstr first_front_textured 1.26\nminstr first_textured 1.90\nratio first_aco_textured 0.80\n"
        "minstr front_pbr 25.0\nminstr whole_pbr 236\nratio aco_pbr nan\n"
        "minstr first_front_pbr 24.5\nminstr first_pbr 35.3\nratio first_aco_pbr nan\n");
}

TEST_CASE("a count within the tolerance keeps its budget") {
  const Budget budget = budgetOf("a 1.000 3.000 1.000 3.000\n");
  CHECK(compareWithBudget(budget, std::array{counts("a", 1'029'000, 2'000'000)}).empty());
  CHECK(compareWithBudget(budget, std::array{counts("a", 971'000, 2'000'000)}).empty());
}

TEST_CASE("a count above the budget is reported with program and part") {
  const std::vector<std::string> lines = compareWithBudget(budgetOf("a 1.000 3.000 1.03 3.03\nb 5 6 7 8\n"),
                                                           std::array{counts("a", 1'031'000, 2'000'000)});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "a, front: 1.031 million instructions are 3.1 % above the budget of 1.000");
}

TEST_CASE("a count below the budget asks to lower it") {
  const std::vector<std::string> lines =
      compareWithBudget(budgetOf("a 1.000 3.000 1 2.8\n"), std::array{counts("a", 1'000'000, 1'800'000)});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0] == "a, whole: 2.800 million instructions are 6.7 % below the budget of 3.000; lower it");
}

TEST_CASE("a count of first code is held to its own budget") {
  ProgramCounts changed = counts("a", 1'000'000, 2'000'000);
  changed.first.other = 1'000'000;
  const std::vector<std::string> lines = compareWithBudget(budgetOf("a 1 3 1 3\n"), std::array{changed});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("a, first code's whole: 4.000 million instructions are 33.3 % above"));
}

TEST_CASE("each figure of a program without a budget is reported") {
  const std::vector<std::string> lines =
      compareWithBudget(budgetOf("a 1 3 1 3\n"), std::array{counts("b", 1'000'000, 500'000)});
  REQUIRE(lines.size() == FiguresOfProgram);
  CHECK(lines[0] == "b, front: 1.000 million instructions have no budget");
  CHECK(lines[1] == "b, whole: 1.500 million instructions have no budget");
  CHECK(lines[2] == "b, first code's front: 1.000 million instructions have no budget");
  CHECK(lines[3] == "b, first code's whole: 1.500 million instructions have no budget");
}

TEST_CASE("a printed budget is read back") {
  const std::array programs = {counts("a", 1'234'567, 2'000'000), counts("b", 1'000'000, 0)};
  const Result<Budget> budget = readBudget(printBudget("22.1.8", programs));
  REQUIRE(budget);
  CHECK(budget->llvm == "22.1.8");
  REQUIRE(budget->programs.size() == 2);
  CHECK(budget->programs[0].figures[0] == doctest::Approx(1.235));
  CHECK(budget->programs[0].figures[1] == doctest::Approx(3.235));
  CHECK(compareWithBudget(*budget, programs).empty());
}

TEST_CASE("budgets that cannot be read are refused") {
  CHECK_FALSE(readBudget("a 1 2 1 2\n"));
  CHECK_FALSE(readBudget("llvm 22.1.8\na 1 2 3\n"));
  CHECK_FALSE(readBudget("llvm 22.1.8\na 1 2 3 4 5\n"));
  CHECK_FALSE(readBudget("llvm 22.1.8\na 0 2 1 2\n"));
  CHECK_FALSE(readBudget("llvm\n"));
}
