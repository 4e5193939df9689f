// SPDX-License-Identifier: MIT
//
// Which paths of a copy shader the waves of one vertex stream can take.
#pragma once

#include "merge/check/checks.h"

namespace dovetail::check {

// Whether this is a copy shader that gets the number of its wave's stream; only transform feedback gives it the number.
bool runsForStreams(const Program &program);

// The program's successors, but only those that waves of the stream can reach. Unreached instructions have no
// successors.
std::vector<std::vector<uint32_t>> successorsForStream(const Program &program, unsigned stream);

} // namespace dovetail::check
