// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/fold_constants.h"
#include "src/lgc/defects/preserved_analyses.h"
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses FoldConstantsPass::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  bool hasChanged = false;
  for (Instruction &inst : instructions(function))
    for (Use &use : inst.operands()) {
      if (!isa<ConstantExpr, ConstantVector>(use))
        continue;
      Constant *folded = ConstantFoldConstant(cast<Constant>(use), layout);
      hasChanged |= folded != use;
      use.set(folded);
    }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
