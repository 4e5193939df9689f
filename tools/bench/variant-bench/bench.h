// SPDX-License-Identifier: MIT
//
// Runs the benchmark: all ways over all programs, round by round and in turns; then single steps, ours and RADV's in
// turns. Its results are plain data, which reports print.
#pragma once

#include "tools/bench/variant-bench/measure/way.h"
#include "tools/bench/variant-bench/ways/code_cost.h"
#include "tools/bench/variant-bench/ways/own_ways.h"
#include <functional>

namespace dovetail {

struct BenchOptions {
  std::vector<std::string> paths; // empty: the benchmark's own programs
  size_t limit = 0;               // programs; 0: all
  GridSize grid;
  std::string gpu = "gfx900";
  CodeTier firstTier = DeviceOptions().firstTier; // of the ways; single steps are of LLVM's code
  unsigned rounds = 3;                            // without the first one, which warms up
  unsigned runs = 3;                              // of each main part in a round
  unsigned coldStates = 48;                       // prologs and epilogs in a round
  unsigned firstUses = 400;                       // states of each pair of a vertex and a fragment shader
  unsigned knownVariants = 1'000'000;
  bool radv = true;
  std::optional<unsigned> cpu; // the CPU to run on; nullopt: the current one
  bool ways = true;            // false: measure single steps only
};

struct ProgramResult {
  std::string name, stages; // "vertex, fragment"
  size_t states = 0;
  std::array<std::vector<Pass>, WayCount> passes; // one for each round
  std::array<std::string, WayCount> failures;     // why there are no passes; a way that was left out has neither
};

// A step of ours and of RADV's. Each has one value per round, the round's median; an empty list: not measured.
struct StepComparison {
  std::string name;
  std::string peer;                 // RADV's step, in words
  std::vector<double> ours, theirs; // µs

  // One for each round.
  std::vector<double> ratios() const;
};

// CPU times in µs of the phases of a program's first draw, in their order.
struct FirstDraw {
  std::string program;
  std::vector<std::pair<std::string, double>> phases;
};

struct BenchResults {
  BenchOptions options;
  std::string machine;              // the CPU's name
  std::vector<std::string> refused; // paths that are no program, with the reason
  std::string noRadv;               // why RADV is missing; empty: it is not
  std::string noRadvLlvm;           // the same for RADV with LLVM
  std::vector<ProgramResult> programs;
  std::vector<StepComparison> comparisons;
  std::vector<double> firstUses;   // µs, over all pairs; each state's median over the rounds
  std::vector<double> trivialPart; // µs, one for each round
  std::vector<double> knownBind;   // ns, one for each round
  std::vector<ShaderCost> code;
  std::map<PartKind, PartSharing> sharing; // in one round
  std::vector<FirstDraw> firstDraws;
  std::vector<std::string> failures; // of single steps, a line each
};

// `progress` gets texts about the current work. To be called before this process has any threads. Errors: those of
// readBenchPrograms(); UnknownGpu; Unsupported for a GPU that RADV does not know by name.
using Progress = std::function<void(const std::string &)>;
Result<BenchResults> runBench(const BenchOptions &options, const Progress &progress);

} // namespace dovetail
