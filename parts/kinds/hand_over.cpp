// SPDX-License-Identifier: MIT
#include "parts/kinds/hand_over.h"
#include "src/lgc/lowering/tessellation/hand_over_marks.h"
#include <array>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

namespace dovetail {

namespace {

using namespace llvm;

VertexDwords dwordsOf(const lgc::HandOverMark &mark) {
  VertexDwords dwords;
  for (unsigned i = 0; i < mark.dwordCount && mark.firstDword + i < dwords.size(); ++i)
    dwords.set(mark.firstDword + i);
  return dwords;
}

bool isInRegister(const lgc::HandOverMark &load) {
  return load.isOfOwnInvocation && load.dwordCount == 1;
}

void addAccesses(const Function &function, HandOver &handOver, SmallPtrSetImpl<const Function *> &visited) {
  if (!visited.insert(&function).second)
    return;
  for (const Instruction &instruction : instructions(function)) {
    if (auto *call = dyn_cast<CallInst>(&instruction); call && call->getCalledFunction())
      addAccesses(*call->getCalledFunction(), handOver, visited);
    std::optional<lgc::HandOverMark> mark = lgc::handOverMarkOf(instruction);
    if (!mark)
      continue;
    VertexDwords &kind = llvm::isa<StoreInst>(instruction) ? handOver.stored
                         : isInRegister(*mark)             ? handOver.inRegisters
                                                           : handOver.inLds;
    kind |= dwordsOf(*mark);
  }
}

void inlineCalls(Function &function) {
  for (bool hasInlined = true; hasInlined;) {
    hasInlined = false;
    SmallVector<CallInst *, 8> calls;
    for (Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration())
        calls.push_back(call);
    }
    for (CallInst *call : calls) {
      InlineFunctionInfo info;
      hasInlined |= InlineFunction(*call, info).isSuccess();
    }
  }
}

// Removes an access to LDS, and the computation of its address.
void removeAccess(Instruction &access, Value *address) {
  access.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(address);
}

} // namespace

HandOver findHandOver(const Function &vertex, const Function &control) {
  HandOver handOver;
  SmallPtrSet<const Function *, 8> visited;
  addAccesses(vertex, handOver, visited);
  addAccesses(control, handOver, visited);
  return handOver;
}

void handOverInRegisters(Function &merged, const HandOver &handOver) {
  inlineCalls(merged);
  SmallVector<StoreInst *, 32> stores;
  SmallVector<LoadInst *, 32> loads;
  for (Instruction &instruction : instructions(merged)) {
    if (!lgc::handOverMarkOf(instruction))
      continue;
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      stores.push_back(store);
    else if (auto *load = dyn_cast<LoadInst>(&instruction); load && isInRegister(*lgc::handOverMarkOf(*load)))
      loads.push_back(load);
  }

  // Memory of the function; the optimiser turns it into values.
  BasicBlock &entry = merged.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  constexpr unsigned privateSpace = 5;
  std::array<AllocaInst *, VertexDwords().size()> places = {};
  for (size_t dword = 0; dword < places.size(); ++dword) {
    if (!handOver.inRegisters[dword])
      continue;
    places[dword] = builder.CreateAlloca(builder.getInt32Ty(), privateSpace);
    if (!handOver.stored[dword]) // undefined: any value will do
      builder.CreateStore(builder.getInt32(0), places[dword]);
  }

  for (StoreInst *store : stores) {
    unsigned dword = lgc::handOverMarkOf(*store)->firstDword;
    builder.SetInsertPoint(store);
    if (AllocaInst *place = places[dword])
      builder.CreateStore(builder.CreateBitCast(store->getValueOperand(), builder.getInt32Ty()), place);
    if (!handOver.inLds[dword])
      removeAccess(*store, store->getPointerOperand());
  }
  for (LoadInst *load : loads) {
    builder.SetInsertPoint(load);
    load->replaceAllUsesWith(builder.CreateLoad(builder.getInt32Ty(), places[lgc::handOverMarkOf(*load)->firstDword]));
    removeAccess(*load, load->getPointerOperand());
  }
}

SlotMask slotsOf(const VertexDwords &dwords) {
  SlotMask slots = 0;
  for (size_t dword = 0; dword < dwords.size(); ++dword)
    if (dwords[dword])
      slots |= SlotMask(1) << dword / 4;
  return slots;
}

} // namespace dovetail
