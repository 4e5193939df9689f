// SPDX-License-Identifier: MIT
//
// An infinite loop gets an exit for the case that no lane is active; the optimiser cannot know that this never happens.
// On the new paths, values that no longer dominate their uses in the returning block are undefined. LLVM's demotion to
// memory and back repairs them.
#include "src/lgc/codegen/defects/ir/reach_return.h"
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

using namespace llvm;

namespace lgc {

namespace {

// Makes `from` a predecessor that brings undefined values.
void addPoisonFrom(BasicBlock *from, BasicBlock *to) {
  for (PHINode &phi : to->phis())
    phi.addIncoming(PoisonValue::get(phi.getType()), from);
}

// A reachable block from which no path leads to a return, the first in postorder; or nullptr. With some `ends`,
// `unreachable` counts as a return.
BasicBlock *findTrapped(Function &function, ReachReturnPass::Ends ends) {
  SmallPtrSet<BasicBlock *, 32> leading;
  SmallVector<BasicBlock *, 32> work;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()) ||
        (ends == ReachReturnPass::Loops && isa<UnreachableInst>(block.getTerminator())))
      work.push_back(&block);
  while (!work.empty()) {
    BasicBlock *block = work.pop_back_val();
    if (leading.insert(block).second)
      append_range(work, predecessors(block));
  }
  for (BasicBlock *block : post_order(&function))
    if (!leading.contains(block))
      return block;
  return nullptr;
}

void addExit(BasicBlock *block, BasicBlock *returning) {
  if (isa<UnreachableInst>(block->getTerminator())) {
    block->getTerminator()->eraseFromParent();
    BranchInst::Create(returning, block);
    return addPoisonFrom(block, returning);
  }
  BasicBlock *rest = block->splitBasicBlock(block->getTerminator());
  block->getTerminator()->eraseFromParent();
  IRBuilder<> builder(block);
  Value *lanes = builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::amdgcn_ballot, {builder.getTrue()});
  builder.CreateCondBr(builder.CreateICmpEQ(lanes, builder.getInt64(0)), returning, rest);
  addPoisonFrom(block, returning);
}

void repairDominance(Function &function) {
  DominatorTree dominators(function);
  SmallVector<Instruction *, 16> broken;
  for (Instruction &instruction : instructions(function))
    if (any_of(instruction.uses(), [&](const Use &use) { return !dominators.dominates(&instruction, use); }))
      broken.push_back(&instruction);
  SmallVector<AllocaInst *, 16> memory;
  for (Instruction *instruction : broken)
    if (AllocaInst *slot = DemoteRegToStack(*instruction))
      memory.push_back(slot);
  erase_if(memory, [](AllocaInst *slot) { return !isAllocaPromotable(slot); });
  dominators.recalculate(function);
  PromoteMemToReg(memory, dominators);
}

} // namespace

PreservedAnalyses ReachReturnPass::run(Function &function, FunctionAnalysisManager &) {
  if ((m_ends == LoopsAndUnreachable && function.getReturnType()->isVoidTy()) || !findTrapped(function, m_ends))
    return PreservedAnalyses::all();
  removeUnreachableBlocks(function);

  BasicBlock *returning = nullptr;
  for (BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()))
      returning = &block;
  if (!returning) {
    returning = BasicBlock::Create(function.getContext(), "", &function);
    Type *type = function.getReturnType();
    ReturnInst::Create(function.getContext(), type->isVoidTy() ? nullptr : PoisonValue::get(type), returning);
  }
  // Each exit frees at least its own block.
  while (BasicBlock *trapped = findTrapped(function, m_ends))
    addExit(trapped, returning);
  repairDominance(function);
  return PreservedAnalyses::none();
}

} // namespace lgc
