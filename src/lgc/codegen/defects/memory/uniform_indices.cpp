// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// The index of an element that is read or written; nullptr for other instructions.
Use *elementIndex(Instruction &inst) {
  if (isa<ExtractElementInst>(inst))
    return &inst.getOperandUse(1);
  return isa<InsertElementInst>(inst) ? &inst.getOperandUse(2) : nullptr;
}

} // namespace

void UniformIndicesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // the new values are uniform, and an analysis takes unknown values for uniform
}

bool UniformIndicesPass::runOnFunction(Function &function) {
  const UniformityInfo &uniformity = getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo();
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    Use *index = elementIndex(inst);
    if (!index || isa<Constant>(*index) || uniformity.isDivergentUse(*index))
      continue;
    IRBuilder<> builder(&inst);
    Value *number = builder.CreateZExtOrTrunc(*index, builder.getInt32Ty());
    index->set(builder.CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {number->getType()}, {number}));
    isChanged = true;
  }
  return isChanged;
}

} // namespace lgc
