// SPDX-License-Identifier: MIT
//
// Third step of first code: places in registers. Each register keeps its place for life, so nothing moves but what
// instructions copy.
//
// A register is occupied while it is alive (lives.h). VGPRs of whole waves have places of their own behind the others,
// because what writes one leaves no lane alone.
#pragma once

#include "src/first/form/machine.h"
#include <string>

namespace dovetail::first {

// The reasons for which a second attempt saves registers.
constexpr const char *TooFewSgprs = "too few SGPRs", *TooFewVgprs = "too few VGPRs";

// Returns a reason to refuse (there are not enough registers), or nothing.
std::string placeRegisters(const Program &program, Machine &machine);

} // namespace dovetail::first
