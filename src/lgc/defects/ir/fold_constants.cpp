// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/fold_constants.h"
#include "src/lgc/defects/preserved_analyses.h"
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses FoldConstantsPass::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  bool hasChanged = false;
  for (Instruction &inst : instructions(function))
    for (Use &use : inst.operands()) {
      if (!isa<ConstantExpr, ConstantVector>(use))
        continue;
      auto *constant = cast<Constant>(use);
      Value *folded = ConstantFoldConstant(constant, layout);
      if (auto *expression = dyn_cast<ConstantExpr>(folded); expression && isa<SelectInst>(inst)) {
        Instruction *made = expression->getAsInstruction();
        made->insertBefore(inst.getIterator());
        folded = made;
      }
      if (folded == constant)
        continue;
      use.set(folded);
      hasChanged = true;
    }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
