// SPDX-License-Identifier: MIT
//
// The benchmark: every way over every program, round by round and by turns, then the figures of single steps, ours and
// RADV's by turns. What it finds is plain data, for reports to print.
#pragma once

#include "tools/bench/variant-bench/measure/way.h"
#include "tools/bench/variant-bench/ways/code_cost.h"
#include "tools/bench/variant-bench/ways/own_ways.h"
#include <functional>

namespace dovetail {

struct BenchOptions {
  std::vector<std::string> paths; // empty: the benchmark's own programs
  size_t limit = 0;               // of programs; 0: all
  GridSize grid;
  std::string gpu = "gfx900";
  unsigned rounds = 3;      // that count; one more warms up
  unsigned runs = 3;        // of main parts in a round
  unsigned coldStates = 48; // prologs and epilogs in a round
  unsigned firstUses = 400; // states of each pair of a vertex and a fragment shader
  unsigned knownVariants = 1'000'000;
  bool radv = true;
  std::optional<unsigned> cpu; // to run on; nullopt: whichever it is
  bool ways = true;            // false: figures of single steps alone
};

struct ProgramResult {
  std::string name, stages; // "vertex, fragment"
  size_t states = 0;
  std::array<std::vector<Pass>, WayCount> passes; // one for each round
  std::array<std::string, WayCount> failures;     // why there are none; a way that was left out has neither
};

// A step here and in RADV. Each has one value a round, the median of the round; an empty list: not measured.
struct Comparison {
  std::string name;
  std::string peer;                 // what is compared with, in words
  std::vector<double> ours, theirs; // µs

  // Round by round.
  std::vector<double> ratios() const;
};

// CPU times in µs of what the first draw of a program needs, in the order in which it happens.
struct FirstDraw {
  std::string program;
  std::vector<std::pair<std::string, double>> phases;
};

struct BenchResults {
  BenchOptions options;
  std::string machine;              // the CPU's name
  std::vector<std::string> refused; // paths that are no program, with the reason
  std::string noRadv;               // why RADV is not there; empty: it is
  std::string noRadvLlvm;           // likewise with LLVM
  std::vector<ProgramResult> programs;
  std::vector<Comparison> comparisons;
  std::vector<double> firstUses;   // µs, over all pairs; of each state the median over the rounds
  std::vector<double> trivialPart; // µs, of each round
  std::vector<double> knownBind;   // ns, of each round
  std::vector<ShaderCost> code;
  std::map<PartKind, PartSharing> sharing; // of one round
  std::vector<FirstDraw> firstDraws;
  std::vector<std::string> failures; // of single steps, a line each
};

// `progress` is told what is being done. To be called before this process has any threads. Errors: those of
// readBenchPrograms(); UnknownGpu; Unsupported for a GPU that RADV does not know by name.
using Progress = std::function<void(const std::string &)>;
Result<BenchResults> runBench(const BenchOptions &options, const Progress &progress);

} // namespace dovetail
