// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses SplitVectorSelectsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *select = dyn_cast<SelectInst>(&inst);
    auto *type = select ? dyn_cast<FixedVectorType>(select->getType()) : nullptr;
    if (!type || !select->getCondition()->getType()->isVectorTy() ||
        none_of(select->users(), [](const User *user) { return isa<BitCastInst>(user); }))
      continue;
    IRBuilder<> builder(select);
    Value *result = PoisonValue::get(type);
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      Value *element = builder.CreateSelect(builder.CreateExtractElement(select->getCondition(), i),
                                            builder.CreateExtractElement(select->getTrueValue(), i),
                                            builder.CreateExtractElement(select->getFalseValue(), i));
      result = builder.CreateInsertElement(result, element, i);
    }
    select->replaceAllUsesWith(result);
    select->eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
