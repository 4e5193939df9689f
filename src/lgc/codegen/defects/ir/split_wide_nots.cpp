// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses SplitWideNotsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *inverted = nullptr;
    if (!inst.getType()->isIntOrIntVectorTy(64) ||
        !PatternMatch::match(&inst, PatternMatch::m_Not(PatternMatch::m_Value(inverted))))
      continue;
    IRBuilder<> builder(&inst);
    const unsigned count =
        isa<FixedVectorType>(inst.getType()) ? cast<FixedVectorType>(inst.getType())->getNumElements() : 1;
    Type *halves = FixedVectorType::get(builder.getInt32Ty(), 2 * count);
    Value *whole = builder.CreateBitCast(inverted, halves), *result = PoisonValue::get(halves);
    for (unsigned half = 0; half < 2 * count; ++half)
      result = builder.CreateInsertElement(result, builder.CreateNot(builder.CreateExtractElement(whole, half)), half);
    inst.replaceAllUsesWith(builder.CreateBitCast(result, inst.getType()));
    inst.eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
