// SPDX-License-Identifier: MIT
#include "src/lgc/builder/builder_replayer.h"
#include "src/lgc/builder/builder_impl.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace lgc {

namespace {

// The lowered value of a recorded op; null for an internal op, which a later pass lowers.
Value *replay(BuilderImpl &builder, Op &op, bool &isRecorded) {
  isRecorded = true;
  switch (op.opCode()) {
#define LGC_OPERAND_READ(r, data, operand) typedOp->LGC_OPERAND_NAME(operand)(),
#define LGC_OP(name_, mnemonic_, effects_, resultType_, operands_)                                                     \
  case OpCode::name_: {                                                                                                \
    [[maybe_unused]] auto *typedOp = cast<name_##Op>(&op);                                                             \
    return builder.Create##name_(BOOST_PP_SEQ_FOR_EACH(LGC_OPERAND_READ, _, operands_) Twine());                       \
  }
#include "src/lgc/ops/ops.def"
#undef LGC_OP
#undef LGC_OPERAND_READ
  default:
    isRecorded = false;
    return nullptr;
  }
}

} // namespace

PreservedAnalyses BuilderReplayer::run(Module &module, ModuleAnalysisManager &) {
  // Lowering an op may split blocks and make new calls, so the ops are collected first.
  SmallVector<Op *, 64> ops;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *op = dyn_cast<Op>(&instruction))
        ops.push_back(op);

  for (Op *op : ops) {
    m_builder.SetInsertPoint(op);
    m_builder.setFastMathFlags(isa<FPMathOperator>(op) ? op->getFastMathFlags() : FastMathFlags());
    bool isRecorded;
    Value *value = replay(m_builder, *op, isRecorded);
    if (!isRecorded)
      continue;
    if (!op->getType()->isVoidTy()) {
      assert(value && value->getType() == op->getType() && "BuilderImpl gave another type than the op table says");
      if (isa<Instruction>(value) && !value->hasName())
        value->takeName(op);
      op->replaceAllUsesWith(value);
    }
    op->eraseFromParent();
  }
  m_builder.ClearInsertionPoint();

  // Removes the declarations of ops that are gone.
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return PreservedAnalyses::none();
}

} // namespace lgc
