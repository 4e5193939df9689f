// SPDX-License-Identifier: MIT
//
// Which paths of a copy shader waves of one vertex stream can take.
#pragma once

#include "merge/check/checks.h"

namespace dovetail::check {

// True for a copy shader that gets the number of its wave's stream, which only comes with transform feedback.
bool runsForStreams(const Program &program);

// The program's successors without those that no wave of the stream reaches. Instructions that none reaches have no
// successors.
std::vector<std::vector<uint32_t>> successorsForStream(const Program &program, unsigned stream);

} // namespace dovetail::check
