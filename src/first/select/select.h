// SPDX-License-Identifier: MIT
//
// Second step of first code: machine instructions for those nodes that somebody needs, from the last to the first, so
// that each instruction knows what its users have folded.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/form/control_flow.h"
#include "src/first/form/machine.h"
#include <string>
#include <variant>

namespace dovetail::first {

// Counts the uses of the program's nodes first. `savesScalars`: loads of constant memory are repeated near their users,
// and constants in SGPRs are not kept, so that fewer SGPRs are occupied at a time.
std::variant<Machine, Refusal> selectInstructions(Program &program, const ControlFlow &flow, const TargetInfo &target,
                                                  bool savesScalars);

} // namespace dovetail::first
