// SPDX-License-Identifier: MIT
//
// LLVM looks at one block, and only at an `or` that is divergent. A shift by a variable is no shift by whole bytes to
// it. It makes an arithmetic shift of a sign extension of the highest bits, too.
#include "src/lgc/defects/hide/hide_sign_bytes.h"
#include "src/lgc/defects/hide/hide_result.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

namespace {

bool makesSignBytes(const Instruction &inst) {
  if (inst.getOpcode() == Instruction::AShr) {
    auto *count = dyn_cast<ConstantInt>(inst.getOperand(1));
    return count && count->getZExtValue() % 8 == 0;
  }
  return isa<SExtInst>(inst) && !inst.getOperand(0)->getType()->isIntegerTy(1);
}

// What becomes an `or`: sums of numbers that have no bit in common, too.
bool putsBytesTogether(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Or:
    return true;
  case Instruction::Add:
  case Instruction::Xor:
    return haveNoCommonBitsSet(inst.getOperand(0), inst.getOperand(1), SimplifyQuery(inst.getDataLayout(), &inst));
  default:
    return isa<IntrinsicInst>(inst);
  }
}

// What hands bytes on.
bool movesBytes(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Add:
  case Instruction::Xor:
    return putsBytesTogether(inst);
  case Instruction::Mul: // by powers of two, and by others that are sums of few
    return isa<ConstantInt>(inst.getOperand(1));
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::BitCast:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
    return true;
  default:
    break;
  }
  auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
  if (!intrinsic)
    return false;
  const Intrinsic::ID id = intrinsic->getIntrinsicID();
  return id == Intrinsic::fshl || id == Intrinsic::fshr || id == Intrinsic::bswap;
}

bool reachesDivergentOr(const Instruction &inst, const UniformityInfo &uniformity) {
  SmallVector<const Instruction *, 8> open = {&inst};
  SmallPtrSet<const Instruction *, 8> seen;
  while (!open.empty())
    for (const User *user : open.pop_back_val()->users()) {
      auto *next = dyn_cast<Instruction>(user);
      if (!next || next->getParent() != inst.getParent() || !movesBytes(*next) || !seen.insert(next).second)
        continue;
      if (putsBytesTogether(*next) && uniformity.isDivergent(next))
        return true;
      open.push_back(next);
    }
  return false;
}

} // namespace

void HideSignBytesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // an operand of a divergent instruction is divergent now
}

bool HideSignBytesPass::runOnFunction(Function &function) {
  const UniformityInfo &uniformity = getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo();
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (inst.getType()->isIntegerTy() && makesSignBytes(inst) && reachesDivergentOr(inst, uniformity))
      found.push_back(&inst);
  for (Instruction *inst : found)
    hideResult(*inst);
  return !found.empty();
}

char HideSignBytesPass::ID = 0;

} // namespace lgc
