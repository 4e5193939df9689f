// SPDX-License-Identifier: MIT
//
// LLVM addresses constants absolutely when it compiles for PAL, so that code with a look-up table could not be copied
// to its place without patching it there. This pass makes the addresses relative to the program counter: joined code is
// then position-independent, and only the distance to the constants is filled in when parts are joined.
#pragma once

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/PassManager.h>

namespace lgc {

// Runs last, because it hides the constants from the optimiser.
class RelativeConstantsPass : public llvm::PassInfoMixin<RelativeConstantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

// Whether it is the assembly that the pass makes.
bool isAddressAssembly(const llvm::InlineAsm &assembly);

} // namespace lgc
