// SPDX-License-Identifier: MIT
//
// A lane takes one exit, so values that different exits read share phis of the new exit block: a phi has the value of
// its type that its lane's exit reads. In lanes whose exit reads no such value, the phi is zero and not poison: LLVM 22
// takes a phi of one constant and poison for the same in all lanes.
#include "src/lgc/codegen/slow/slow_passes.h"
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

using namespace llvm;

namespace lgc {

namespace {

// With fewer exits, a chain is as fast.
constexpr unsigned MaxExits = 16;

SmallVector<BasicBlock *, 32> exitsOf(const Loop &loop) {
  SmallVector<BasicBlock *, 8> exits;
  loop.getUniqueExitBlocks(exits);
  return SmallVector<BasicBlock *, 32>(exits.begin(), exits.end());
}

// An innermost one of the loops that have too many exits; nullptr if there is none.
Loop *findLoop(const LoopInfo &loops) {
  const SmallVector<Loop *, 4> preorder(loops.getLoopsInPreorder());
  for (Loop *loop : reverse(preorder))
    if (exitsOf(*loop).size() > MaxExits)
      return loop;
  return nullptr;
}

// The only value that a phi can have, if it is available in front of the loop, too.
Value *onlyValue(PHINode &phi, const Loop &loop) {
  Value *value = phi.hasConstantValue();
  return value && loop.isLoopInvariant(value) ? value : nullptr;
}

class Merging {
public:
  Merging(Loop &loop, const Loop *parent) : m_loop(loop), m_exits(exitsOf(loop)) {
    // Exits into the loop around this one come first, so that few branches leave that loop.
    if (parent)
      std::stable_partition(m_exits.begin(), m_exits.end(),
                            [&](const BasicBlock *exit) { return parent->contains(exit); });
  }

  void merge() {
    LLVMContext &context = m_exits.front()->getContext();
    m_merged = BasicBlock::Create(context, "", m_exits.front()->getParent(), m_exits.front());
    IRBuilder<> builder(m_merged);
    m_number = builder.CreatePHI(builder.getInt32Ty(), unsigned(m_exits.size()));
    for (unsigned number = 0; number < m_exits.size(); ++number)
      redirect(*m_exits[number], number);
    fillGaps();
    dispatch(m_merged, m_exits, 0);
  }

private:
  // Redirects the loop's edges to `exit`: they go to the new block.
  void redirect(BasicBlock &exit, unsigned number) {
    const SmallVector<BasicBlock *, 4> leaving(predecessors(&exit));
    for (BasicBlock *from : leaving) {
      from->getTerminator()->replaceSuccessorWith(&exit, m_merged);
      m_number->addIncoming(ConstantInt::get(m_number->getType(), number), from);
    }
    DenseMap<Type *, unsigned> used;
    for (PHINode &phi : make_early_inc_range(exit.phis())) {
      Value *value = onlyValue(phi, m_loop);
      if (!value) {
        PHINode *way = wayOut(phi.getType(), used[phi.getType()]++);
        for (BasicBlock *from : leaving)
          way->addIncoming(phi.getIncomingValueForBlock(from), from);
        value = way;
      }
      phi.replaceAllUsesWith(value);
      phi.eraseFromParent();
    }
  }

  // The phi of the new block for the value with this number of a type.
  PHINode *wayOut(Type *type, unsigned place) {
    SmallVector<PHINode *, 4> &ways = m_ways[type];
    if (place == ways.size())
      ways.push_back(PHINode::Create(type, m_number->getNumIncomingValues(), "", m_number->getIterator()));
    return ways[place];
  }

  void fillGaps() {
    for (auto &[type, ways] : m_ways)
      for (PHINode *way : ways) {
        SmallPtrSet<BasicBlock *, 32> known(way->block_begin(), way->block_end());
        for (BasicBlock *from : m_number->blocks())
          if (!known.contains(from))
            way->addIncoming(Constant::getNullValue(type), from);
      }
  }

  // Ends `block` with branches to one of the exits; `first` is the number of the first exit.
  void dispatch(BasicBlock *block, ArrayRef<BasicBlock *> exits, unsigned first) {
    IRBuilder<> builder(block);
    if (exits.size() == 1) {
      builder.CreateBr(exits[0]);
      return;
    }
    const unsigned half = unsigned(exits.size() / 2);
    Value *isLow = builder.CreateICmpULT(m_number, builder.getInt32(first + half));
    const auto next = [&](ArrayRef<BasicBlock *> side, unsigned number) {
      if (side.size() == 1)
        return side[0];
      BasicBlock *inner = BasicBlock::Create(block->getContext(), "", block->getParent(), side[0]);
      dispatch(inner, side, number);
      return inner;
    };
    BasicBlock *low = next(exits.take_front(half), first);
    BasicBlock *high = next(exits.drop_front(half), first + half);
    builder.CreateCondBr(isLow, low, high);
  }

  const Loop &m_loop;
  SmallVector<BasicBlock *, 32> m_exits;
  BasicBlock *m_merged = nullptr;
  PHINode *m_number = nullptr;
  MapVector<Type *, SmallVector<PHINode *, 4>> m_ways;
};

} // namespace

PreservedAnalyses MergeExitsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  if (!findLoop(analyses.getResult<LoopAnalysis>(function)))
    return PreservedAnalyses::all();
  // A block with a switch may leave a loop several times, so switches are lowered first.
  analyses.invalidate(function, LowerSwitchPass().run(function, analyses));
  for (;;) {
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    Loop *loop = findLoop(loops);
    if (!loop)
      return PreservedAnalyses::none();
    formDedicatedExitBlocks(loop, &dominators, &loops, nullptr, /*PreserveLCSSA=*/false);
    formLCSSA(*loop, dominators, &loops, nullptr);
    Merging(*loop, loop->getParentLoop()).merge();
  }
}

} // namespace lgc
