// SPDX-License-Identifier: MIT
//
// LLVM's AMDGPU back end keeps small arrays in registers (AMDGPUPromoteAlloca). It notes the index of each access and
// the value of each store, then replaces the arrays' loads and erases them. If one of these is what it has noted, as in
// a[a[i]] or b = a, the note is of an instruction that is gone: wrong code, or a crash. So a load from private memory
// that is an index or is stored there is frozen. The frozen value stays, and its operand is what takes the load's
// place.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that might find the freeze unnecessary.
class FreezeArrayLoadsPass : public llvm::PassInfoMixin<FreezeArrayLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
