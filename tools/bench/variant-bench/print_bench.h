// SPDX-License-Identifier: MIT
//
// What the benchmark found, for people, for programs and for scripts.
#pragma once

#include "tools/bench/variant-bench/bench.h"
#include <string>

namespace dovetail {

// Tables.
std::string printBench(const BenchResults &results);

// A figure in each line: "ratio NAME VALUE", "us NAME VALUE", "ns NAME VALUE". What was not measured is nan.
std::string printScriptLines(const BenchResults &results);

// All of it as JSON; what was not measured is null or not there.
std::string printBenchJson(const BenchResults &results);

// A page for a browser, which needs nothing but itself.
std::string printBenchHtml(const BenchResults &results);

// Its first chart, as an SVG file for documents.
std::string printBenchPicture(const BenchResults &results);

// "1e6" for a power of ten, any other number as it is.
std::string shortCount(uint64_t count);

// "4.1", "0.31", "96", "1,234": three digits at least, none that says nothing. "-" for what is no number.
std::string shortNumber(double value);

// What a way cost over all programs that every way that ran at all could be used for, pass by pass. Empty: it never
// ran.
struct WayTotal {
  Way way;
  std::vector<double> wall, cpu;                                   // µs, of each round
  std::vector<double> ready;                                       // µs; of each variant the median over the rounds
  double variants = 0, compiles = 0, codeBytes = 0, heapBytes = 0; // medians
};
std::vector<WayTotal> totalsOfWays(const BenchResults &results);
// Of one program.
std::vector<WayTotal> totalsOfWays(const ProgramResult &program);

} // namespace dovetail
