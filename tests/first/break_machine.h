// SPDX-License-Identifier: MIT
//
// Faults of selection, each in a copy of the machine. They are faults by their making: the comment of each kind says
// why the code cannot be right.
#pragma once

#include "src/first/form/control_flow.h"
#include "src/first/form/machine.h"
#include <optional>
#include <random>
#include <string_view>

namespace dovetail::first {

enum class Break : uint8_t {
  Bank,        // a VGPR where the instruction takes an SGPR alone, or the other way round
  Width,       // a tuple of one register more or less
  Literal,     // a literal that no field has room for
  Scalars,     // two SGPRs in a vector instruction
  Early,       // an instruction in front of the only one that writes its source
  Lost,        // the only instruction that writes a register is missing
  LostPhi,     // a phi is not set on one of the ways to its block
  Scc,         // another instruction writes SCC in front of its reader
  Vcc,         // a division's mask is overwritten in front of its reader
  LostExec,    // EXEC is not narrowed, or not set back
  WrongExec,   // EXEC is set to another mask than the one that was kept
  LostSlot,    // lanes are not added to those that wait for a block
  Tied,        // a result takes the place of a source that is none
  HelperWrite, // helper lanes write memory
  Whole,       // an instruction of the whole wave runs in some lanes, or another one in all
  WholeVgpr,   // a VGPR of the whole wave counts as one of lanes
  SavedExec,   // EXEC is kept or narrowed where it must be both, or it is kept elsewhere
};
constexpr unsigned BreakCount = 17;
std::string_view toString(Break kind);

using Random = std::mt19937_64;

// Nothing if the machine has no place for the fault.
std::optional<Machine> breakInstructions(const Program &program, const ControlFlow &flow, const Machine &machine,
                                         Break kind, Random &random);

} // namespace dovetail::first
