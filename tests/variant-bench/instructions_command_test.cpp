// SPDX-License-Identifier: MIT
//
// variant-bench --instructions as a user runs it, under callgrind. Not built where valgrind is missing.
#include "parts/compile/toolchain_version.h"
#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <sstream>

using namespace dovetail;

namespace {

const std::string UintProgram = " " DOVETAIL_BENCH_SHADERS "/uint.vert " DOVETAIL_BENCH_SHADERS "/uint.frag ";

Run count(const std::string &arguments, const std::string &before = "") {
  return runCommand(DOVETAIL_VARIANT_BENCH, "--instructions --count-with callgrind " + arguments, before);
}

// The figures of the script lines, by the words in front of them.
std::map<std::string, double> figuresOf(const std::string &output) {
  std::map<std::string, double> figures;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string unit, name, figure, more;
    if (words >> unit >> name >> figure && !(words >> more) && (unit == "minstr" || unit == "ratio"))
      figures[unit + " " + name] = std::stod(figure);
  }
  return figures;
}

} // namespace

TEST_CASE("instructions are counted beside ACO's, where RADV is installed, and written as a budget") {
  TemporaryFolder folder;
  const Run run = count(UintProgram + "--write-budget " + folder / "budget.txt");
  INFO(run.errors);
  REQUIRE(run.status == 0);
  std::map<std::string, double> figures = figuresOf(run.output);
  CHECK(figures.size() == 6);
  CHECK(figures["minstr first_front_uint"] > 0.5);
  CHECK(figures["minstr first_uint"] > figures["minstr first_front_uint"]);
  CHECK(figures["minstr first_uint"] < figures["minstr whole_uint"] / 4);
  CHECK(figures["minstr front_uint"] > 1);
  CHECK(figures["minstr whole_uint"] > 2 * figures["minstr front_uint"]);
  const double ratio = figures["ratio aco_uint"];
  CHECK((run.output.find("RADV was not measured") != std::string::npos ? std::isnan(ratio) : ratio > 1));
  std::ifstream budget(folder / "budget.txt");
  const std::string text(std::istreambuf_iterator<char>(budget), {});
  CHECK(text.find("\nllvm 22.") != std::string::npos);
  CHECK(text.find("\nuint ") != std::string::npos);
}

TEST_CASE("a missed budget gives status 1 and names the program and the part") {
  TemporaryFolder folder;
  const std::string llvm(llvmVersion());
  const Run run = count(UintProgram + "--no-radv --budget " +
                        folder.write("budget.txt", "llvm " + llvm + "\nuint 1000 1 1000 1\n"));
  CHECK(run.status == 1);
  CHECK(run.output.find("budget: uint, front: ") != std::string::npos);
  CHECK(run.output.find("% below the budget of 1000.000; lower it") != std::string::npos);
  CHECK(run.output.find("budget: uint, whole: ") != std::string::npos);
  CHECK(run.output.find("budget: uint, first code's front: ") != std::string::npos);
  CHECK(run.output.find("budget: 0 passed, 4 failed\n") != std::string::npos);
  CHECK(run.output.find("RADV was not measured: it was left out") != std::string::npos);
}

TEST_CASE("budgets of another LLVM are skipped with status 77") {
  TemporaryFolder folder;
  const Run run = count(UintProgram + "--budget " + folder.write("budget.txt", "llvm 1.2.3\nuint 1 1 1 1\n"));
  CHECK(run.status == 77);
  CHECK(run.output.find("The budget is for LLVM 1.2.3") != std::string::npos);
}

TEST_CASE("options that instructions cannot have are refused") {
  TemporaryFolder folder;
  CHECK(count("--html a.html").status != 0);
  CHECK(runCommand(DOVETAIL_VARIANT_BENCH, "--budget a.txt").status != 0);
  const std::string budget = folder.write("budget.txt", "llvm 1.2.3\n");
  checkError(runCommand(DOVETAIL_VARIANT_BENCH, "--instructions --count-with perf --budget " + budget), "callgrind");
  checkError(count("--budget " + folder.write("bad.txt", "uint 1 1 1 1\n")), "does not name its LLVM");
  checkError(count(UintProgram + "--gpu gfx1"), "gfx1");
  checkError(count(UintProgram, "PATH=/nowhere "), "valgrind");
}
