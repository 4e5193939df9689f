// SPDX-License-Identifier: MIT
//
// The rules of selected instructions, before their registers have places. Written without the code that selects, for
// builds with assertions and for tests.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/form/control_flow.h"
#include "src/first/form/machine.h"
#include <string>

namespace dovetail::first {

// Returns the first rule that does not hold, with its place, or nothing:
//
// - operands are of the bank, the width and the kind that the opcode's row takes, and fit the encodings: one SGPR or
//   literal of a vector instruction, literals where the short form has them, DPP of VGPRs, results in place of a source
// - each register is written on every way of lanes before it is read, and each phi on every way to its block
// - SCC is read behind the comparison or the sum that it is of; VCC of a division behind v_div_scale
// - lanes that wait for a block are in its slot, which its setter begins and all blocks add to that lead there
// - what narrows EXEC within a block is undone there, from a copy of it, and writes no VGPR but by memory accesses
// - helper lanes and discarded ones write no memory
// - no SGPR is carried out of a loop that lanes leave apart
std::string checkInstructions(const Program &program, const ControlFlow &flow, const Machine &machine,
                              const TargetInfo &target);

} // namespace dovetail::first
