// SPDX-License-Identifier: MIT
//
// LLVM's AMDGPU back end leads all ends of a shader to one block, also those that are never reached: infinite loops and
// `unreachable`. It then mixes the return values with undefined ones, and cannot keep those in SGPRs that only some
// lanes would have (it stops the process with "Not supported instr"). So this pass gives every block of a shader that
// returns values a path to its return before code generation. It gives infinite loops of all shaders one earlier, where
// outputs have no place yet: the hardware needs a shader's exports, and its last message, on each path to its end.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ReachReturnPass : public llvm::PassInfoMixin<ReachReturnPass> {
public:
  // The ends that get a path. Loops get one also in shaders that return nothing.
  enum Ends { Loops, LoopsAndUnreachable };

  explicit ReachReturnPass(Ends ends = LoopsAndUnreachable) : m_ends(ends) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  Ends m_ends;
};

} // namespace lgc
