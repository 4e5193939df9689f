// SPDX-License-Identifier: MIT
//
// Scalar loads from buffers are of 1, 2, 4, 8 or 16 dwords. LLVM's instruction combining leaves elements that nobody
// uses out of llvm.amdgcn.s.buffer.load and then cannot select what is left (LLVM 22.1.8: "Cannot select", for all
// numbers of elements above 4 but 8 and 16). So those that are left of a load become as many as the hardware can load.
// What lies behind the buffer's end reads as zero.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class WidenScalarLoadsPass : public llvm::PassInfoMixin<WidenScalarLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
