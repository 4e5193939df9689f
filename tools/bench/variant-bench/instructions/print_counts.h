// SPDX-License-Identifier: MIT
#pragma once

#include "tools/bench/variant-bench/instructions/count_instructions.h"

namespace dovetail {

// A table, in million instructions, and the lines of what failed.
std::string printCounts(const InstructionResults &results, CounterKind counter);

// For scripts, three lines for each program: "minstr front_NAME 9.8", "minstr whole_NAME 95", "ratio aco_NAME 3.4"; nan
// without ACO.
std::string printCountLines(const InstructionResults &results);

} // namespace dovetail
