// SPDX-License-Identifier: MIT
//
// The process that counts. It first makes other programs, so that the tables of the compiler exist. Then it reads and
// makes each program in a forked copy of itself. So each count begins in the same state, whatever programs are measured
// with it, and a compiler that crashes loses one program.
#pragma once

#include "tools/bench/variant-bench/instructions/counter.h"
#include "tools/bench/variant-bench/measure/programs.h"

namespace dovetail {

// Own: main parts by LLVM. First: main parts by first code.
enum class CountedSide { Own, First, Aco };
std::string_view toString(CountedSide side); // "own", "first", "aco"

struct CountingOptions {
  CountedSide side = CountedSide::Own;
  CounterKind counter = CounterKind::Callgrind;
  std::filesystem::path folder; // of the marks
  std::string gpu = "gfx900";
};

// A program as an argument of the process.
struct CountedProgram {
  std::string name;
  std::vector<std::string> files;
};
std::string toArgument(const CountedProgram &program);
CountedProgram fromArgument(const std::string &argument);

// Counts programs under their first states. The marks go to files in the folder. Prints a line for each program that
// fails: its name, ": ", and the reason. To be called before this process has any threads. Errors: those of the counter
// and of the programs that are made first; Unsupported if RADV is not installed.
Result<void> countPrograms(const CountingOptions &options, const std::vector<CountedProgram> &programs);

} // namespace dovetail
