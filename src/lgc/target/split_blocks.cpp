// SPDX-License-Identifier: MIT
#include "src/lgc/target/split_blocks.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// About how much of machine code a block may become.
constexpr unsigned MaxBlockCost = 4000;
constexpr unsigned SplitCost = MaxBlockCost / 4;
// Of an instruction; those of the shader's own memory are one for each dword. Loads and stores are compared with each
// other.
constexpr unsigned MemoryCost = 20;
// Stays in front of the branch at a block's end: what structured control flow put there is selected with it.
constexpr unsigned BranchTail = 50;

unsigned dwordCount(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements() * std::max(vector->getScalarSizeInBits() / 32, 1u);
  return std::max(type->getScalarSizeInBits() / 32, 1u);
}

unsigned costOf(const Instruction &inst) {
  const auto *store = dyn_cast<StoreInst>(&inst);
  const unsigned dwords = dwordCount(store ? store->getValueOperand()->getType() : inst.getType());
  if (!inst.mayReadOrWriteMemory())
    return dwords;
  return isa<CallInst>(inst) ? MemoryCost : MemoryCost * dwords;
}

} // namespace

bool splitBlocks(Function &function) {
  SmallVector<Instruction *, 16> starts;
  for (BasicBlock &block : function) {
    unsigned left = 0;
    for (const Instruction &inst : block)
      left += costOf(inst);
    if (left <= MaxBlockCost)
      continue;
    unsigned cost = 0;
    const Instruction *tail = block.getTerminator();
    for (unsigned i = 0; i < BranchTail && tail != &block.front(); ++i)
      tail = tail->getPrevNode();
    for (Instruction &inst : block) {
      if (&inst == tail || left < SplitCost)
        break;
      if (isa<AllocaInst, PHINode>(inst))
        continue;
      if (cost >= SplitCost) {
        starts.push_back(&inst);
        cost = 0;
      }
      cost += costOf(inst);
      left -= costOf(inst);
    }
  }
  for (Instruction *start : reverse(starts)) { // so that each moves only what is its own
    start->getParent()->splitBasicBlock(start);
    // LLVM merges the blocks again before its last scheduler runs.
    IRBuilder<> builder(start);
    builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {builder.getInt32(0)});
  }
  return !starts.empty();
}

char SplitBlocksPass::ID = 0;

} // namespace lgc
