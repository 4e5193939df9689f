// SPDX-License-Identifier: MIT
//
// An LS leaves its vertices in LDS, and a control shader finds them there; marks on these accesses say which dwords
// they are. Code that compiles both as one function can tell by the marks which loads read the vertex that the same
// lane has stored (parts/kinds/hand_over.h).
#pragma once

#include <llvm/IR/Instruction.h>
#include <optional>

namespace lgc {

// Dwords of a vertex, numbered slot * 4 + component (interface_slots.h).
struct HandOverMark {
  unsigned firstDword = 0;
  unsigned dwordCount = 1;       // more than one: the access is at a dynamic place among them
  bool isOfOwnInvocation = true; // loads: invocation i reads vertex i of the patch
};

void markHandOver(llvm::Instruction &access, const HandOverMark &mark);
// std::nullopt if the instruction has no mark.
std::optional<HandOverMark> handOverMarkOf(const llvm::Instruction &access);

} // namespace lgc
