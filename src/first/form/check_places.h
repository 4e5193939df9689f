// SPDX-License-Identifier: MIT
//
// Proves that each read finds the register that selection meant, in the places that registers have got. Written without
// the code that places, for builds with assertions and for tests.
//
// VGPRs follow the lanes: a lane goes along the program's edges, and what code writes for others leaves it alone.
// SGPRs follow the code: it comes by jumps, also where no lane goes on, and passes blocks in which other lanes run.
#pragma once

#include "src/first/form/machine.h"
#include <string>

namespace dovetail::first {

// Returns the first rule that does not hold, with its place, or nothing: places are in the bank and within the limits,
// tuples are aligned and side by side, arguments are where they come, copies have a place aside that nobody needs, and
// no place is overwritten between a value's last definition and a use of it.
std::string checkPlaces(const Program &program, const Machine &machine);

} // namespace dovetail::first
