// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {

namespace {

// Doubles are correct: LLVM negates them as doubles and adds 0.
bool isZeroDifference(Instruction &inst) {
  const Type *type = inst.getType()->getScalarType();
  if (!(type->isHalfTy() || type->isFloatTy()) || !isa<FPMathOperator>(inst) || inst.hasNoSignedZeros())
    return false;
  // Selection turns the second form into the first if no pass has combined it before.
  return match(&inst, m_FSub(m_PosZeroFP(), m_Value())) || match(&inst, m_c_FAdd(m_PosZeroFP(), m_FNeg(m_Value())));
}

} // namespace

PreservedAnalyses HideZeroDifferencesPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (isZeroDifference(inst))
      found.push_back(&inst);
  for (Instruction *inst : found)
    hideResult(*inst);
  return preserveControlFlow(!found.empty());
}

} // namespace lgc
