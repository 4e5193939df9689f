// SPDX-License-Identifier: MIT
#include "src/lgc/lowering/output_values.h"
#include "src/lgc/ops/op.h"
#include <llvm/IR/InstIterator.h>
#include <set>

using namespace llvm;

namespace lgc {

namespace {

Value *toWord(IRBuilderBase &builder, Value *value) {
  return value->getType()->isFloatTy() ? builder.CreateBitCast(value, builder.getInt32Ty()) : value;
}

Value *toFloat(IRBuilderBase &builder, Value *value) {
  return value->getType()->isFloatTy() ? value : builder.CreateBitCast(value, builder.getFloatTy());
}

} // namespace

AllocaInst *OutputValues::placeOf(const Component &component) {
  AllocaInst *&place = m_places[component];
  if (!place) {
    BasicBlock &entry = m_function.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    constexpr unsigned privateSpace = 5;
    place = builder.CreateAlloca(builder.getInt32Ty(), privateSpace);
    builder.CreateStore(builder.getInt32(0), place);
  }
  return place;
}

void OutputValues::lowerWrites(BasicBlock *exit) {
  SmallVector<std::pair<WriteOutputOp *, Component>, 32> writes;
  std::set<Component> elsewhere; // written in other blocks than the exit
  for (Instruction &instruction : make_early_inc_range(instructions(m_function))) {
    auto *write = dyn_cast<WriteOutputOp>(&instruction);
    if (!write)
      continue;
    const OutputSlot slot = {write->kind(), write->slot()};
    if (writtenComponents(m_usage, slot.kind, slot.slot) >> write->component() & 1) {
      writes.push_back({write, {slot, write->component()}});
      if (write->getParent() != exit)
        elsewhere.insert(writes.back().second);
    } else {
      write->eraseFromParent();
    }
  }
  for (auto &[write, component] : writes) {
    IRBuilder<> builder(write);
    AllocaInst *place = elsewhere.contains(component) ? placeOf(component) : nullptr;
    Value *value = write->value();
    if (write->condition()) {
      Value *before = builder.getInt32(0);
      if (place)
        before = builder.CreateLoad(builder.getInt32Ty(), place);
      else if (const auto found = m_values.find(component); found != m_values.end())
        before = toWord(builder, found->second);
      value = builder.CreateSelect(write->condition(), toWord(builder, value), before);
    }
    if (place)
      builder.CreateStore(toWord(builder, value), place);
    else
      m_values[component] = value;
    write->eraseFromParent();
  }
}

Value *OutputValues::valueOf(IRBuilderBase &builder, OutputSlot output, unsigned component) const {
  if (const auto found = m_values.find({output, component}); found != m_values.end())
    return toFloat(builder, found->second);
  const auto found = m_places.find({output, component});
  if (found == m_places.end())
    return PoisonValue::get(builder.getFloatTy());
  return toFloat(builder, builder.CreateLoad(builder.getInt32Ty(), found->second));
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
