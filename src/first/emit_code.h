// SPDX-License-Identifier: MIT
//
// Last step of first code: encodes the instructions, with the waits and wait states that they need between them.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/first_code.h"
#include "src/first/machine.h"
#include <string>

namespace dovetail::first {

// Returns a reason to refuse, or nothing.
std::string emitCode(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code);

} // namespace dovetail::first
