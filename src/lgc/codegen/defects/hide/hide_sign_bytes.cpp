// SPDX-License-Identifier: MIT
//
// LLVM looks at one block, and only at an `or` that is divergent. For LLVM, a shift by a variable is no shift by whole
// bytes. It also turns a sign extension of the highest bits into an arithmetic shift.
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {

namespace {

bool makesSignBytes(const Instruction &inst) {
  if (inst.getOpcode() == Instruction::AShr) {
    const APInt *count = nullptr;
    auto isWholeBytes = [&](Constant *element) { return match(element, m_APInt(count)) && count->urem(8) == 0; };
    auto *counts = dyn_cast<Constant>(inst.getOperand(1));
    auto *vector = dyn_cast<FixedVectorType>(inst.getType());
    if (!counts || !vector)
      return counts && isWholeBytes(counts);
    return any_of(seq(vector->getNumElements()),
                  [&](unsigned element) { return isWholeBytes(counts->getAggregateElement(element)); });
  }
  return isa<SExtInst>(inst) && !inst.getOperand(0)->getType()->isIntOrIntVectorTy(1);
}

// Instructions that may become an `or`. That includes sums, if LLVM finds that their operands have no bit in common; it
// knows more of instructions than of IR.
bool putsBytesTogether(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Or:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Xor:
    return true;
  default:
    return isa<IntrinsicInst>(inst);
  }
}

// Instructions that pass bytes on.
bool movesBytes(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Mul: // by powers of two, and by other numbers that are sums of few
    return isa<ConstantInt>(inst.getOperand(1));
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
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
  usage.setPreservesAll(); // each changed operand belongs to a divergent instruction, so it may be divergent
}

bool HideSignBytesPass::runOnFunction(Function &function) {
  const UniformityInfo &uniformity = getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo();
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (inst.getType()->isIntOrIntVectorTy() && makesSignBytes(inst) && reachesDivergentOr(inst, uniformity))
      found.push_back(&inst);
  for (Instruction *inst : found)
    hideResult(*inst);
  return !found.empty();
}

} // namespace lgc
