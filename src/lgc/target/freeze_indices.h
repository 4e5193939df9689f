// SPDX-License-Identifier: MIT
//
// LLVM's AMDGPU back end keeps small arrays in registers (AMDGPUPromoteAlloca). It notes the index of each access, then
// replaces the array's loads and erases them, among them one that another access has as its index, as in a[a[i]]: what
// it noted is gone then (LLVM 19 to 22: wrong code, or a crash). So an index that is a load from private memory is
// frozen. The frozen value stays, and its operand is what takes the load's place.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that might find the freeze unnecessary.
class FreezeIndicesPass : public llvm::PassInfoMixin<FreezeIndicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
