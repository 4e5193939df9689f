// SPDX-License-Identifier: MIT
//
// Scalar loads from buffers have 1, 2, 4, 8 or 16 dwords. LLVM's instruction combining removes unused elements from
// llvm.amdgcn.s.buffer.load and then cannot select the rest (LLVM 22.1.8: "Cannot select", for all numbers of elements
// above 4 but 8 and 16). So this pass widens such a load to a number of elements that the hardware can load. Elements
// behind the buffer's end read as zero.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class WidenScalarLoadsPass : public llvm::PassInfoMixin<WidenScalarLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
