// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/split_blocks.h"
#include "src/lgc/codegen/slow/reload_uniforms.h"
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// The approximate amount of machine code that a block may become.
constexpr unsigned MaxBlockCost = 10000;
constexpr unsigned SplitCost = MaxBlockCost / 4;
// For blocks with uniforms of their own, so that these fit in SGPRs.
constexpr unsigned UniformSplitCost = SplitCost / 4;
// The cost of an access to memory; of one to the shader's own memory, for each dword. LLVM compares loads and stores
// with each other.
constexpr unsigned MemoryCost = 50;
// This much stays in front of the branch at a block's end: instructions that structured control flow put there are
// selected with the branch.
constexpr unsigned BranchTail = 50;

unsigned operationCount(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return vector->getNumElements() * std::max(vector->getScalarSizeInBits() / 32, 1u);
  return std::max(type->getScalarSizeInBits() / 32, 1u);
}

unsigned costOf(const Instruction &inst) {
  if (isa<InsertElementInst, ShuffleVectorInst>(inst)) // names whole vectors, but computes nothing
    return 1;
  const auto *store = dyn_cast<StoreInst>(&inst);
  const unsigned dwords = operationCount(store ? store->getValueOperand()->getType() : inst.getType());
  if (!inst.mayReadOrWriteMemory())
    return dwords;
  return isa<CallInst>(inst) ? MemoryCost : MemoryCost * dwords;
}

// Puts a block's instructions in front of their first use, operands first, if far fewer values are alive then where the
// block is split. (InstCombine leaves its new instructions at the end of a chain.) Instructions with effects keep their
// order. Instructions that read memory or other lanes stay between the same effects.
class Reordering {
public:
  explicit Reordering(BasicBlock &block) : m_block(block) {}

  void run() {
    SmallVector<Instruction *, 0> before;
    for (Instruction &inst : make_range(m_block.getFirstNonPHIIt(), m_block.end()))
      before.push_back(&inst);
    SmallVector<Instruction *, 32> pinned;
    for (Instruction *inst : before) {
      const auto *call = dyn_cast<CallInst>(inst);
      if (inst->mayHaveSideEffects() || inst->isTerminator() || isa<AllocaInst>(inst)) {
        placeOperands(inst);
        for (Instruction *reader : pinned)
          place(reader);
        pinned.clear();
        if (inst->isTerminator()) // the values that other blocks use
          for (Instruction *rest : before)
            if (rest != inst)
              place(rest);
        place(inst);
      } else if (inst->mayReadFromMemory() || (call && call->isConvergent())) {
        pinned.push_back(inst);
      }
    }
    if (mostAlive(m_order) < mostAlive(before) / 2)
      for (Instruction *inst : m_order)
        inst->moveBefore(m_block, m_block.end());
  }

private:
  // The largest number of dwords that are alive, among values that the block itself computes and uses.
  static uint64_t mostAlive(ArrayRef<Instruction *> order) {
    DenseMap<const Instruction *, size_t> lastUses;
    for (size_t i = 0; i < order.size(); ++i)
      for (const Use &operand : order[i]->operands())
        if (auto *inst = dyn_cast<Instruction>(operand))
          lastUses[inst] = i;
    SmallVector<uint64_t, 0> ending(order.size());
    uint64_t alive = 0, most = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      alive -= ending[i];
      if (auto last = lastUses.find(order[i]); last != lastUses.end()) {
        ending[last->second] += operationCount(order[i]->getType());
        alive += operationCount(order[i]->getType());
      }
      most = std::max(most, alive);
    }
    return most;
  }

  // Places an instruction behind its operands.
  void place(Instruction *inst) {
    if (m_placed.contains(inst))
      return;
    placeOperands(inst);
    m_placed.insert(inst);
    m_order.push_back(inst);
  }

  // Works without recursion, because chains may be as long as blocks.
  void placeOperands(Instruction *last) {
    SmallVector<std::pair<Instruction *, unsigned>, 32> path = {{last, 0}}; // with each one's next operand
    while (!path.empty()) {
      auto &[inst, next] = path.back();
      if (next < inst->getNumOperands()) {
        auto *operand = dyn_cast<Instruction>(inst->getOperand(next++));
        if (operand && operand->getParent() == &m_block && !isa<PHINode>(operand) && !m_placed.contains(operand))
          path.push_back({operand, 0});
        continue;
      }
      if (inst != last && m_placed.insert(inst).second)
        m_order.push_back(inst);
      path.pop_back();
    }
  }

  BasicBlock &m_block;
  DenseSet<Instruction *> m_placed;
  SmallVector<Instruction *, 0> m_order;
};

} // namespace

bool splitBlocks(Function &function) {
  SmallVector<Instruction *, 16> starts;
  MapVector<BasicBlock *, SmallVector<BasicBlock *, 16>> withUniforms; // with the pieces into which they are split
  for (BasicBlock &block : function) {
    unsigned left = 0;
    for (const Instruction &inst : block)
      left += costOf(inst);
    if (left <= MaxBlockCost)
      continue;
    Reordering(block).run();
    const bool hasOwn = hasManyUniforms(block);
    const unsigned splitCost = hasOwn ? UniformSplitCost : SplitCost;
    if (hasOwn)
      withUniforms[&block].push_back(&block);
    unsigned cost = 0;
    const Instruction *tail = block.getTerminator();
    for (unsigned i = 0; i < BranchTail && tail != &block.front(); ++i)
      tail = tail->getPrevNode();
    for (Instruction &inst : block) {
      if (&inst == tail || left < splitCost)
        break;
      if (isa<AllocaInst, PHINode>(inst))
        continue;
      if (cost >= splitCost) {
        starts.push_back(&inst);
        cost = 0;
      }
      cost += costOf(inst);
      left -= costOf(inst);
    }
  }
  for (Instruction *start : reverse(starts)) { // so that each moves only its own instructions
    BasicBlock *whole = start->getParent();
    BasicBlock *piece = whole->splitBasicBlock(start);
    if (auto found = withUniforms.find(whole); found != withUniforms.end())
      found->second.push_back(piece);
    // LLVM puts the blocks together again before its last scheduler runs.
    IRBuilder<> builder(start);
    builder.CreateIntrinsic(Intrinsic::amdgcn_sched_barrier, {}, {builder.getInt32(0)});
  }
  for (const auto &[whole, pieces] : withUniforms)
    reloadUniforms(pieces);
  return !starts.empty();
}

void SplitBlocksPass::getAnalysisUsage(AnalysisUsage &) const {}

bool SplitBlocksPass::runOnFunction(Function &function) {
  return splitBlocks(function);
}

} // namespace lgc
