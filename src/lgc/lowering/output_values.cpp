// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/output_values.h"
#include "src/lgc/ops/op.h"
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace lgc {

void OutputValues::lowerWrites() {
  for (Instruction &instruction : make_early_inc_range(instructions(m_function)))
    if (auto *write = dyn_cast<WriteOutputOp>(&instruction))
      lowerWrite(*write);
}

void OutputValues::lowerWrite(WriteOutputOp &write) {
  OutputSlot slot = {write.kind(), write.slot()};
  unsigned component = write.component();
  if (writtenComponents(m_usage, slot.kind, slot.slot) >> component & 1) {
    IRBuilder<> builder(&write);
    AllocaInst *&place = m_places[{slot, component}];
    if (!place) {
      BasicBlock &entry = m_function.getEntryBlock();
      builder.SetInsertPoint(&entry, entry.begin());
      constexpr unsigned privateSpace = 5;
      place = builder.CreateAlloca(builder.getInt32Ty(), privateSpace);
      builder.CreateStore(builder.getInt32(0), place);
    }
    builder.SetInsertPoint(&write);
    Value *value = write.value();
    if (value->getType()->isFloatTy())
      value = builder.CreateBitCast(value, builder.getInt32Ty());
    if (write.condition())
      value = builder.CreateSelect(write.condition(), value, builder.CreateLoad(builder.getInt32Ty(), place));
    builder.CreateStore(value, place);
  }
  write.eraseFromParent();
}

Value *OutputValues::valueOf(IRBuilderBase &builder, OutputSlot output, unsigned component) const {
  auto found = m_places.find({output, component});
  if (found == m_places.end())
    return PoisonValue::get(builder.getFloatTy());
  Value *word = builder.CreateLoad(builder.getInt32Ty(), found->second);
  return builder.CreateBitCast(word, builder.getFloatTy());
}

uint8_t writtenComponents(const ResourceUsage &usage, OutputKind kind, unsigned slot) {
  auto found = usage.outputs.find({kind, slot});
  return found == usage.outputs.end() ? 0 : found->second.componentMask;
}

BasicBlock *makeSingleExit(Function &function) {
  SmallVector<Instruction *, 4> ends;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()) || isa<UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  if (ends.size() == 1 && isa<ReturnInst>(ends[0]))
    return ends[0]->getParent();
  BasicBlock *exit = BasicBlock::Create(function.getContext(), "exit", &function);
  ReturnInst::Create(function.getContext(), exit);
  for (Instruction *end : ends) {
    BranchInst::Create(exit, end->getParent());
    end->eraseFromParent();
  }
  return exit;
}

} // namespace lgc
