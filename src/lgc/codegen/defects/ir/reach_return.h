// SPDX-License-Identifier: MIT
//
// LLVM's AMDGPU back end joins all ends of a shader in one block, also those that are never reached: infinite loops and
// `unreachable`. It then merges the return values with undefined ones, and cannot keep those in SGPRs that only some
// lanes would have (it stops the process with "Not supported instr"). So every block of a shader that returns values is
// given a way to its return before code generation. Infinite loops of all shaders are given one earlier, where outputs
// have no place yet: the hardware wants to see a shader's exports, and its last message, on each way to its end.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ReachReturnPass : public llvm::PassInfoMixin<ReachReturnPass> {
public:
  // What is given a way; the first also in shaders that return nothing.
  enum Ends { Loops, LoopsAndUnreachable };

  explicit ReachReturnPass(Ends ends = LoopsAndUnreachable) : m_ends(ends) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  Ends m_ends;
};

} // namespace lgc
