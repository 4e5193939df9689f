// SPDX-License-Identifier: MIT
//
// Prints the benchmark's results for people, for programs and for scripts.
#pragma once

#include "tools/bench/variant-bench/bench.h"
#include <string>

namespace dovetail {

// Tables.
std::string printBench(const BenchResults &results);

// Prints a figure per line: "ratio NAME VALUE", "us NAME VALUE", "ns NAME VALUE". A figure that was not measured is
// nan.
std::string printScriptLines(const BenchResults &results);

// All results as JSON; figures that were not measured are null or missing.
std::string printBenchJson(const BenchResults &results);

// A self-contained page for a browser.
std::string printBenchHtml(const BenchResults &results);

// The page's first chart, as an SVG file for documents.
std::string printBenchPicture(const BenchResults &results);

// "1e6" for a power of ten, any other number as it is.
std::string shortCount(uint64_t count);

// "4.1", "0.31", "96", "1,234": at least three digits, without trailing ones that say nothing. "-" for what is no
// number.
std::string shortNumber(double value);

// The cost of a way, summed over programs, pass by pass. Only programs count that all ways (those that ran at all)
// could run. Empty: the way never ran.
struct WayTotal {
  Way way;
  std::vector<double> wall, cpu;                                   // µs, of each round
  std::vector<double> ready;                                       // µs; each variant's median over the rounds
  double variants = 0, compiles = 0, codeBytes = 0, heapBytes = 0; // medians
};
std::vector<WayTotal> totalsOfWays(const BenchResults &results);
// Of one program.
std::vector<WayTotal> totalsOfWays(const ProgramResult &program);

} // namespace dovetail
