// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/memory/memory_passes.h"
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace lgc {

namespace {

// Selection drops casts in front of a store.
Value *withoutCasts(Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

// The insertion of an element at a variable index whose vector is stored; nullptr for other stores.
InsertElementInst *storedInsertion(StoreInst &store) {
  auto *insertion = dyn_cast<InsertElementInst>(withoutCasts(store.getValueOperand()));
  const bool isFound =
      insertion && !isa<Constant>(insertion->getOperand(2)) && isa<LoadInst>(withoutCasts(insertion->getOperand(0)));
  return isFound ? insertion : nullptr;
}

} // namespace

void AlignElementStoresPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll();
}

bool AlignElementStoresPass::runOnFunction(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    auto *store = dyn_cast<StoreInst>(&inst);
    const InsertElementInst *insertion = store ? storedInsertion(*store) : nullptr;
    if (!insertion)
      continue;
    const Align element = layout.getABITypeAlign(insertion->getType()->getElementType());
    if (store->getAlign() <= element)
      continue;
    store->setAlignment(element);
    isChanged = true;
  }
  return isChanged;
}

} // namespace lgc
