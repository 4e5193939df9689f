// SPDX-License-Identifier: MIT
#include "src/lgc/target/freeze_indices.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses FreezeIndicesPass::run(Function &function, FunctionAnalysisManager &) {
  if (none_of(function.getEntryBlock(), [](const Instruction &inst) { return isa<AllocaInst>(inst); }))
    return PreservedAnalyses::all();
  bool hasChanged = false;
  for (Instruction &inst : instructions(function)) {
    auto *address = dyn_cast<GetElementPtrInst>(&inst);
    if (!address || address->getAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS)
      continue;
    for (Use &index : address->indices()) {
      auto *load = dyn_cast<LoadInst>(index);
      if (!load || load->getPointerAddressSpace() != AMDGPUAS::PRIVATE_ADDRESS)
        continue;
      index.set(IRBuilder<>(address).CreateFreeze(load));
      hasChanged = true;
    }
  }
  if (!hasChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
