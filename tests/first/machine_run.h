// SPDX-License-Identifier: MIT
//
// Tells whether the places of registers matter, without the data-flow of checkPlaces(). A wave of a few lanes runs
// selected instructions: masks, copies, selections, branches and jumps for what they are, other instructions as hashes
// of their sources. Each register has its value twice: in a room of its own, and in its place.
#pragma once

#include "src/first/form/machine.h"
#include <string>

namespace dovetail::first {

// Returns the first read that finds another value in the place than in the register's own room, or nothing. `seed`:
// decides which ways the lanes take.
std::string runInPlaces(const Program &program, const Machine &machine, uint64_t seed);

} // namespace dovetail::first
