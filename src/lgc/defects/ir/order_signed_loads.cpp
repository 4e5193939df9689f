// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/order_signed_loads.h"
#include "src/lgc/defects/ir/hide_result.h"
#include "src/lgc/defects/preserved_analyses.h"

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
