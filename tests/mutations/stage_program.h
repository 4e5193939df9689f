// SPDX-License-Identifier: MIT
//
// All parts of a stage as one program, with a compiler's analyses of it. The analyses decide which mutations matter,
// independently of the checks that must catch the mutations.
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

// Whether, from an instruction on, the register is read before it is written. A write kills the register whatever EXEC
// is, as it does for a compiler.
bool isLive(const StageProgram &program, size_t instruction, Register reg);

// Why nothing is lost without an s_waitcnt, or an empty string if something is. Nothing is lost if no path uses a
// register that it waits for, or accesses memory that shows a store that it waits for, before another s_waitcnt waits
// as long.
std::string whyRedundant(const StageProgram &program, size_t wait);

// Waves without lanes in a half of a merged program skip the half to save time. Why nothing is lost if they run it, or
// an empty string if the half does something without lanes.
std::string whyIdleWithoutLanes(const Subject &subject, size_t stage, bool isSecondHalf);

// Why it does not matter to a geometry shader's strips whether there is a cut behind this message, or an empty string.
// It does not if nothing is emitted before the next cut or the end, or if vertices are points.
std::string whyCutIsNothing(const Subject &subject, size_t stage, const StageProgram &program, size_t message);

} // namespace dovetail::mutations
