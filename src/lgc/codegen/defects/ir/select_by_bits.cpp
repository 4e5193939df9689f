// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace lgc {

namespace {

bool isConstantSelected(const SelectInst &select) {
  return isa<Constant>(select.getTrueValue()) || isa<Constant>(select.getFalseValue());
}

// Whether the condition is a dangerous comparison, or may become one: LLVM makes a `one` of `olt` or `ogt`.
bool mayDifferForNan(const SelectInst &select) {
  if (auto *compare = dyn_cast<FCmpInst>(select.getCondition()))
    return compare->getPredicate() == FCmpInst::FCMP_ONE || compare->getPredicate() == FCmpInst::FCMP_UEQ;
  return isa<BinaryOperator>(select.getCondition()) || isa<SelectInst>(select.getCondition());
}

// Whether the selection compares two numbers that may be zeros and selects one of them.
bool mayDifferForZeros(const SelectInst &select) {
  auto *compare = dyn_cast<FCmpInst>(select.getCondition());
  if (!compare || select.hasNoSignedZeros())
    return false;
  auto isCompared = [&](const Value *value) {
    auto *constant =
        dyn_cast<Constant>(value); // a zero that is compared and one that is selected may have different signs
    return is_contained(compare->operands(), value) ||
           (constant && PatternMatch::match(constant, PatternMatch::m_AnyZeroFP()));
  };
  return isCompared(select.getTrueValue()) && isCompared(select.getFalseValue());
}

} // namespace

PreservedAnalyses SelectByBitsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *select = dyn_cast<SelectInst>(&inst);
    if (!select || !select->getType()->isFPOrFPVectorTy() ||
        !((isConstantSelected(*select) && mayDifferForNan(*select)) || mayDifferForZeros(*select)))
      continue;
    IRBuilder<> builder(select);
    Type *type = select->getType();
    Type *bits = type->getWithNewType(builder.getIntNTy(type->getScalarSizeInBits()));
    Value *selected = builder.CreateSelect(select->getCondition(), builder.CreateBitCast(select->getTrueValue(), bits),
                                           builder.CreateBitCast(select->getFalseValue(), bits));
    select->replaceAllUsesWith(builder.CreateBitCast(selected, type));
    select->eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
