// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// Whether a user extends the sign of a value that has been extended by zeros.
bool extendsSign(const User *user) {
  auto *call = dyn_cast<IntrinsicInst>(user);
  auto *operation = dyn_cast<BinaryOperator>(user);
  return (call && call->getIntrinsicID() == Intrinsic::amdgcn_sbfe) ||
         (operation && operation->getOpcode() == Instruction::Shl);
}

// Users that take the value as it is, or as an unsigned number. For all others, LLVM may extend the sign.
bool isSignless(const User *user) {
  if (auto *comparison = dyn_cast<ICmpInst>(user))
    return !comparison->isSigned();
  if (isa<ZExtInst>(user))
    return none_of(user->users(), extendsSign);
  auto *operation = dyn_cast<BinaryOperator>(user);
  return isa<TruncInst, UIToFPInst, PHINode>(user) || (operation && operation->isBitwiseLogicOp());
}

bool isNarrowLoad(const Instruction &inst) {
  const Type *type = inst.getType();
  return isa<CallInst>(inst) && inst.mayReadFromMemory() && (type->isIntegerTy(8) || type->isIntegerTy(16));
}

} // namespace

PreservedAnalyses OrderSignedLoadsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> found;
  for (BasicBlock &block : function) {
    bool isWrittenBehind = false;
    for (Instruction &inst : reverse(block)) {
      if (isWrittenBehind && isNarrowLoad(inst) && !all_of(inst.users(), isSignless))
        found.push_back(&inst);
      isWrittenBehind |= inst.mayWriteToMemory();
    }
  }
  for (Instruction *load : found) {
    SmallVector<Use *, 4> uses;
    for (Use &use : load->uses())
      if (!isSignless(use.getUser()))
        uses.push_back(&use);
    IRBuilder<> builder(load->getNextNode());
    Value *hidden = hideValue(builder, load);
    for (Use *use : uses)
      use->set(hidden);
  }
  return preserveControlFlow(!found.empty());
}

} // namespace lgc
