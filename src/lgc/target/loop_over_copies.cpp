// SPDX-License-Identifier: MIT
#include "src/lgc/target/loop_over_copies.h"
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

using namespace llvm;

namespace lgc {

namespace {

constexpr uint64_t MinBytes = 256;

bool isLarge(const MemCpyInst &copy) {
  auto *length = dyn_cast<ConstantInt>(copy.getLength());
  return length && length->getZExtValue() >= MinBytes && copy.getSourceAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS &&
         copy.getDestAddressSpace() == AMDGPUAS::PRIVATE_ADDRESS;
}

} // namespace

PreservedAnalyses LoopOverCopiesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  SmallVector<MemCpyInst *, 8> copies;
  for (Instruction &inst : instructions(function))
    if (auto *copy = dyn_cast<MemCpyInst>(&inst); copy && isLarge(*copy))
      copies.push_back(copy);
  if (copies.empty())
    return PreservedAnalyses::all();
  const TargetTransformInfo &target = analyses.getResult<TargetIRAnalysis>(function);
  for (MemCpyInst *copy : copies) {
    expandMemCpyAsLoop(copy, target);
    copy->eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace lgc
