// SPDX-License-Identifier: MIT
//
// The rules of one selected instruction (check_instructions.h has those of several).
#pragma once

#include "src/first/form/machine.h"
#include <string_view>

namespace dovetail::first {

// Returns the first rule that an instruction of the block does not keep, or nothing: operands are of the bank, the
// width and the kind that the opcode's row takes, and fit the encodings.
std::string_view checkOperands(const Program &program, const Machine &machine, const MachineInstruction &instruction,
                               uint16_t block, bool isGfx9);

} // namespace dovetail::first
