// SPDX-License-Identifier: MIT
//
// Third step of first code: places in registers. Each register keeps its place for life, so nothing moves but what
// instructions copy.
//
// SGPRs: a register is occupied from its first to its last mention in the order of the code, and to the end of a loop
// that it is carried into. So whatever lanes wait, no block that runs between two others overwrites what they share.
// VGPRs: a register is occupied where control flow leads from a definition to a use. Blocks that run in between for
// other lanes may use the place, because they leave the waiting lanes of a VGPR alone.
// VGPRs of whole waves: what writes one leaves no lane alone. So they live like SGPRs, in places of their own behind
// the others.
#pragma once

#include "src/first/form/machine.h"
#include <string>

namespace dovetail::first {

// The reason for which selection saves scalars in a second attempt.
constexpr const char *TooFewSgprs = "too few SGPRs";

// Returns a reason to refuse (there are not enough registers), or nothing.
std::string placeRegisters(const Program &program, Machine &machine);

} // namespace dovetail::first
