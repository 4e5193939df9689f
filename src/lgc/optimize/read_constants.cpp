// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

namespace {

// What uses a variable, users behind what they use.
struct Uses {
  MemCpyInst *copy = nullptr; // fills it with constants
  SmallVector<Instruction *, 8> reads;
  SmallVector<Instruction *, 2> lifetimes;
};

// Whether the variable is read, and written by one copy of as many constants alone.
bool find(AllocaInst &variable, Value &pointer, uint64_t size, Uses &uses) {
  for (User *user : pointer.users()) {
    if (auto *gep = dyn_cast<GetElementPtrInst>(user)) {
      if (gep->getType()->isVectorTy())
        return false;
      uses.reads.push_back(gep);
      if (!find(variable, *gep, size, uses))
        return false;
    } else if (auto *load = dyn_cast<LoadInst>(user)) {
      if (!load->isSimple())
        return false;
      uses.reads.push_back(load);
    } else if (auto *copy = dyn_cast<MemCpyInst>(user)) {
      const auto *length = dyn_cast<ConstantInt>(copy->getLength());
      const auto *table = dyn_cast<GlobalVariable>(copy->getRawSource());
      if (uses.copy || copy->isVolatile() || copy->getRawDest() != &variable || !length ||
          length->getZExtValue() != size || !table || !table->isConstant() || !table->hasDefinitiveInitializer())
        return false;
      uses.copy = copy;
    } else if (auto *mark = dyn_cast<LifetimeIntrinsic>(user)) {
      uses.lifetimes.push_back(mark);
    } else {
      return false;
    }
  }
  return true;
}

void readFromTable(AllocaInst &variable, const Uses &uses) {
  DenseMap<const Value *, Value *> pointers = {{&variable, uses.copy->getRawSource()}};
  for (Instruction *read : uses.reads) {
    IRBuilder<> builder(read);
    if (auto *gep = dyn_cast<GetElementPtrInst>(read)) {
      const SmallVector<Value *, 4> indices(gep->indices());
      pointers[gep] = builder.CreateGEP(gep->getSourceElementType(), pointers.lookup(gep->getPointerOperand()), indices,
                                        "", gep->getNoWrapFlags());
      continue;
    }
    auto *load = cast<LoadInst>(read);
    load->replaceAllUsesWith(
        builder.CreateAlignedLoad(load->getType(), pointers.lookup(load->getPointerOperand()),
                                  std::min(load->getAlign(), uses.copy->getSourceAlign().valueOrOne())));
  }
  for (Instruction *read : reverse(uses.reads))
    read->eraseFromParent();
  for (Instruction *mark : uses.lifetimes)
    mark->eraseFromParent();
  uses.copy->eraseFromParent();
  variable.eraseFromParent();
}

} // namespace

PreservedAnalyses ReadConstantsPass::run(Function &function, FunctionAnalysisManager &) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<AllocaInst *, 8> variables;
  for (Instruction &inst : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&inst))
      variables.push_back(variable);
  bool hasChanged = false;
  for (AllocaInst *variable : variables) {
    const std::optional<TypeSize> size = variable->getAllocationSize(layout);
    Uses uses;
    if (!size || !find(*variable, *variable, size->getFixedValue(), uses) || !uses.copy)
      continue;
    readFromTable(*variable, uses);
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
