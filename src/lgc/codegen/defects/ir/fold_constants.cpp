// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/fold_constants.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

namespace {

bool foldOperands(Function &function, const DataLayout &layout) {
  bool hasChanged = false;
  for (Instruction &inst : instructions(function))
    for (Use &use : inst.operands()) {
      if (!isa<ConstantExpr, ConstantVector>(use))
        continue;
      Constant *folded = ConstantFoldConstant(cast<Constant>(use), layout);
      hasChanged |= folded != use;
      use.set(folded);
    }
  return hasChanged;
}

// Folds also within arrays and structures.
Constant *fold(Constant *constant, const DataLayout &layout) {
  if (!isa<ConstantArray, ConstantStruct>(constant))
    return ConstantFoldConstant(constant, layout);
  SmallVector<Constant *, 16> elements;
  for (Use &element : constant->operands())
    elements.push_back(fold(cast<Constant>(element), layout));
  if (auto *array = dyn_cast<ArrayType>(constant->getType()))
    return ConstantArray::get(array, elements);
  return ConstantStruct::get(cast<StructType>(constant->getType()), elements);
}

} // namespace

PreservedAnalyses FoldConstantsPass::run(Module &module, ModuleAnalysisManager &) {
  const DataLayout &layout = module.getDataLayout();
  bool hasChanged = false;
  for (Function &function : module)
    hasChanged |= foldOperands(function, layout);
  for (GlobalVariable &variable : module.globals())
    if (variable.hasInitializer()) {
      Constant *folded = fold(variable.getInitializer(), layout);
      hasChanged |= folded != variable.getInitializer();
      variable.setInitializer(folded);
    }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
