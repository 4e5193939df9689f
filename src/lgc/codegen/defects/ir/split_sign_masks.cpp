// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {

namespace {

bool isSignMask(const Instruction &inst) {
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  return type && type->getNumElements() == 2 && type->getElementType()->isIntegerTy(32) &&
         (match(&inst, m_c_And(m_Value(), m_MaxSignedValue())) || match(&inst, m_c_Or(m_Value(), m_SignMask())) ||
          match(&inst, m_c_Xor(m_Value(), m_SignMask())));
}

} // namespace

PreservedAnalyses SplitSignMasksPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isSignMask(inst))
      continue;
    IRBuilder<> builder(&inst);
    Value *result = PoisonValue::get(inst.getType());
    for (unsigned i = 0; i < 2; ++i) {
      Value *element = builder.CreateBinOp(static_cast<Instruction::BinaryOps>(inst.getOpcode()),
                                           builder.CreateExtractElement(inst.getOperand(0), i),
                                           builder.CreateExtractElement(inst.getOperand(1), i));
      result = builder.CreateInsertElement(result, element, i);
    }
    inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
