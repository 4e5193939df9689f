// SPDX-License-Identifier: MIT
//
// Marks on the accesses by which an LS leaves its vertices in LDS and a control shader finds them there. Whoever
// compiles both as one function can tell by them which loads are of the vertex that the same lane has stored
// (parts/kinds/hand_over.h).
#pragma once

#include <llvm/IR/Instruction.h>
#include <optional>

namespace lgc {

// Dwords of a vertex, numbered slot * 4 + component (interface_slots.h).
struct HandOverMark {
  unsigned firstDword = 0;
  unsigned dwordCount = 1;       // more than one: at a dynamic place among them
  bool isOfOwnInvocation = true; // loads: vertex i of the patch, in invocation i
};

void markHandOver(llvm::Instruction &access, const HandOverMark &mark);
// Nothing if the instruction has no mark.
std::optional<HandOverMark> handOverMarkOf(const llvm::Instruction &access);

} // namespace lgc
