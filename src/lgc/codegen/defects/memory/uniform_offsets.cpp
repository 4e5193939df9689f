// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// The scalar offset of a buffer access (TargetFamilies of known_intrinsics.cpp). Behind it are the cache policy and, if
// the buffer is typed, a format in front of that. nullptr for other instructions.
Use *scalarOffset(Instruction &inst) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  if (!intrinsic)
    return nullptr;
  const StringRef name = intrinsic->getCalledFunction()->getName();
  const bool isTyped = name.starts_with("llvm.amdgcn.struct.tbuffer.");
  if (!isTyped && !name.starts_with("llvm.amdgcn.raw.buffer.") && !name.starts_with("llvm.amdgcn.struct.buffer."))
    return nullptr;
  return &intrinsic->getArgOperandUse(intrinsic->arg_size() - (isTyped ? 3 : 2));
}

} // namespace

void UniformOffsetsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // the new values are uniform, and an analysis takes unknown values for uniform
}

bool UniformOffsetsPass::runOnFunction(Function &function) {
  const UniformityInfo &uniformity = getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo();
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    Use *offset = scalarOffset(inst);
    if (!offset || isa<Constant>(*offset) || !uniformity.isDivergentUse(*offset))
      continue;
    offset->set(IRBuilder<>(&inst).CreateIntrinsic(Intrinsic::amdgcn_readfirstlane, {offset->get()->getType()},
                                                   {offset->get()}));
    isChanged = true;
  }
  return isChanged;
}

} // namespace lgc
