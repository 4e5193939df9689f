// SPDX-License-Identifier: MIT
//
// What a shader leaves undefined is anything, but a register that holds anything is something else than one that was
// never written: that holds what another program left there, and checkImage and the emulator take reading it for a
// defect of the compiler. So behind all optimisation, which makes the best of undefined values, what is still left of
// them becomes zero: in a phi, where only some ways write a variable; as a coordinate; in what is written to memory;
// and in arrays that the back end keeps in registers, whose elements it all reads in order to write one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class DefineValuesPass : public llvm::PassInfoMixin<DefineValuesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
