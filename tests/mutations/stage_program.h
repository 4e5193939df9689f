// SPDX-License-Identifier: MIT
//
// All parts of a stage as one program, and what a compiler would ask of it. Which mutations matter is decided with
// this, not with what is to catch them.
#pragma once

#include "src/mc/disassembler.h"
#include "tests/mutations/subject.h"

namespace dovetail::mutations {

struct StageProgram {
  std::vector<isa::Instruction> instructions;
  std::vector<std::vector<size_t>> successors;
  std::vector<size_t> firstOfPart; // index into instructions, by part; the last part is followed by the end
};

// Falling off a part's end, or branching there, leads to the next part.
StageProgram programOf(const Subject &subject, size_t stage);

// Is the register read from an instruction on before it is written? A write kills the register whatever EXEC is, as it
// does for a compiler.
bool isLive(const StageProgram &program, size_t instruction, Register reg);

// Why nothing is lost without an s_waitcnt, or an empty string if something is: on no path is a register that it waits
// for used, or memory that shows a store that it waits for accessed, before another s_waitcnt waits as long.
std::string whyRedundant(const StageProgram &program, size_t wait);

// Waves without lanes in a half of a merged program skip it to save time. Why nothing is lost if they do not, or an
// empty string if the half does something without lanes.
std::string whyIdleWithoutLanes(const Subject &subject, size_t stage, bool isSecondHalf);

// Why no strip of a geometry shader is cut short or goes on wrongly if behind this message there is a cut or none, or
// an empty string: nothing is emitted before the next cut or the end, or vertices are points.
std::string whyCutIsNothing(const Subject &subject, size_t stage, const StageProgram &program, size_t message);

} // namespace dovetail::mutations
