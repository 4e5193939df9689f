// SPDX-License-Identifier: MIT
//
// LLVM addresses constants absolutely when it compiles for PAL, so code with a look-up table would have to be patched
// when it is copied to its place. This pass makes the addresses relative to the program counter. Joined code is then
// position-independent; the join fills in only the distance to the constants.
#pragma once

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/PassManager.h>

namespace lgc {

// Runs last, because it hides the constants from the optimiser.
class RelativeConstantsPass : public llvm::PassInfoMixin<RelativeConstantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

// Whether the assembly is a piece that the pass makes.
bool isAddressAssembly(const llvm::InlineAsm &assembly);

} // namespace lgc
