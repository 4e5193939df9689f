// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/order_signed_loads.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace lgc {

namespace {

// What takes the value as it is, or as an unsigned number. Of all else, LLVM may extend the sign.
bool isSignless(const User *user) {
  if (auto *comparison = dyn_cast<ICmpInst>(user))
    return !comparison->isSigned();
  auto *operation = dyn_cast<BinaryOperator>(user);
  return isa<ZExtInst, TruncInst, UIToFPInst, PHINode>(user) || (operation && operation->isBitwiseLogicOp());
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
    IRBuilder<> builder(load->getNextNode());
    Type *held = builder.getInt32Ty(); // what a VGPR is
    InlineAsm *nothing = InlineAsm::get(FunctionType::get(held, {held}, false), "", "=v,0", /*hasSideEffects=*/false);
    Value *given = builder.CreateZExt(load, held);
    Value *result = builder.CreateTrunc(builder.CreateCall(nothing, {given}), load->getType());
    load->replaceUsesWithIf(result, [&](Use &use) { return use.getUser() != given && !isSignless(use.getUser()); });
  }
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
