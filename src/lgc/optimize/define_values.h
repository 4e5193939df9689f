// SPDX-License-Identifier: MIT
//
// A value that SPIR-V leaves undefined may be any number. But a register that nobody wrote holds what another program
// left there; checkImage and the emulator take a read of it for a defect of the compiler. So this pass replaces
// undefined values by zero. It runs after all optimisation, which makes use of undefined values. It defines them in:
// - phis, where only some paths write a variable
// - coordinates
// - values that are written to memory
// - arrays that the back end keeps in registers, because writing one element reads all others
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class DefineValuesPass : public llvm::PassInfoMixin<DefineValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
