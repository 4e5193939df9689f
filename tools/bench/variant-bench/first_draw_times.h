// SPDX-License-Identifier: MIT
//
// The first draws of the programs, way by way: how long an application waits that shows something new.
#pragma once

#include "tools/bench/variant-bench/bench.h"

namespace dovetail {

// Way::Parts beside Way::RadvLinked, for each program that both of them could draw, and last for all of these together.
std::vector<StepComparison> compareFirstDraws(const BenchResults &results);

// A table; empty if no way ran.
std::string printFirstDrawTimes(const BenchResults &results);

} // namespace dovetail
