// SPDX-License-Identifier: MIT
//
// LLVM's AMDGPU back end keeps small arrays in registers (AMDGPUPromoteAlloca). It notes the index of each access and
// the value of each store, then replaces the arrays' loads and erases them. A noted value may be one of these loads, as
// in a[a[i]] or b = a. The note then refers to an erased instruction: wrong code, or a crash. So this pass freezes a
// load from private memory that is an index or is stored there. The frozen value stays, and LLVM replaces its operand.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that might find the freeze unnecessary.
class FreezeArrayLoadsPass : public llvm::PassInfoMixin<FreezeArrayLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
