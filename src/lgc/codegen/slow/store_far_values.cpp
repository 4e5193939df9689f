// SPDX-License-Identifier: MIT
//
// A lane loads only what it has stored itself, so each lane gets the value that it computed, whatever other lanes do
// meanwhile. Only values that differ between lanes are stored, so uniform values stay uniform.
#include "src/lgc/codegen/slow/store_far_values.h"
#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>
#include <map>
#include <vector>

using namespace llvm;

namespace lgc {

namespace {

// Smaller functions cannot have values that live across so many blocks.
constexpr size_t MinBlocks = 64;
constexpr unsigned VgprCount = 256;
// Dwords that are alive at the begin of a block. LLVM allocates what fits, or nearly fits.
constexpr unsigned FarTooMany = VgprCount * 3 / 2;
// The dwords that may stay where not all fit. Together with values that live within blocks, they leave room for two
// waves.
constexpr unsigned MaxKept = 112;
// A value must be alive in so many blocks for each access; with fewer, the loads cost more than they save.
constexpr unsigned MinBlocksPerAccess = 8;
// An estimate of a loop's iterations.
constexpr unsigned LoopWeight = 8;

// The number of dwords; 0 for types that are not kept in 32-bit VGPRs.
unsigned vgprCount(Type *type) {
  if (!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy())
    return 0;
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  return bits % 32 == 0 ? bits / 32 : 0;
}

// The block in which a use needs its value: for a phi, the block from which the phi takes it.
BasicBlock *blockOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use);
  return user->getParent();
}

struct FarValue {
  Instruction *inst;
  unsigned dwords;
  unsigned weight;              // blocks in which it is alive, for each access
  std::vector<unsigned> blocks; // blocks at whose begin it is alive
  unsigned first, last;         // the first and the last block in which it is alive, in order
};

class Storing {
public:
  Storing(Function &function, const CycleInfo &cycles, const UniformityInfo &uniformity)
      : m_function(function), m_cycles(cycles), m_uniformity(uniformity) {}

  bool run() {
    orderBlocks();
    m_alive.assign(m_numbers.size(), 0);
    for (Instruction &inst : instructions(m_function))
      for (unsigned block : blocksOf(inst))
        m_alive[block] += vgprCount(inst.getType());
    if (!areFarTooMany()) // even if all of them differed between lanes
      return false;
    findValues();
    if (!areFarTooMany())
      return false;
    choose();
    store();
    return !m_chosen.empty();
  }

private:
  void orderBlocks() {
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&m_function))
      m_numbers[block] = static_cast<unsigned>(m_numbers.size());
    m_before.resize(2 * m_numbers.size());
    for (auto [block, number] : m_numbers)
      for (unsigned way : {0, 1})
        for (const BasicBlock *before : predecessors(block))
          if (auto found = m_numbers.find(before); found != m_numbers.end() && mayGo(*before, *block, way))
            for (unsigned wayBefore : waysTo(*before, block))
              m_before[2 * number + way].push_back(2 * found->second + wayBefore);
    m_seen.assign(m_before.size(), 0);
  }

  // Whether a lane that comes from a block may leave this one by its first or second edge (`way`). Structured control
  // flow brings lanes that have been through one side of a branch to the begin of the other side, and past it.
  static bool mayGo(const BasicBlock &from, const BasicBlock &block, unsigned way) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    const auto *phi = branch && branch->isConditional() ? dyn_cast<PHINode>(branch->getCondition()) : nullptr;
    const auto *condition =
        phi && phi->getParent() == &block ? dyn_cast<ConstantInt>(phi->getIncomingValueForBlock(&from)) : nullptr;
    return !condition || condition->isOne() == (way == 0);
  }

  // The edges (0, 1) by which a block is left for another; both for null, and for a block that has one edge, or many.
  static SmallVector<unsigned, 2> waysTo(const BasicBlock &from, const BasicBlock *to) {
    const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
    if (!to || !branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return {0, 1};
    return {branch->getSuccessor(0) == to ? 0u : 1u};
  }

  // Blocks at whose begin a value is alive, for lanes that come to one of its uses; none for values that are not kept
  // in VGPRs.
  ArrayRef<unsigned> blocksOf(const Instruction &inst) {
    m_found.clear();
    m_reached.clear();
    const auto own = m_numbers.find(inst.getParent());
    if (own == m_numbers.end() || !vgprCount(inst.getType()) || isa<AllocaInst>(inst))
      return m_found;
    ++m_walk;
    auto reach = [&](unsigned way) {
      const unsigned block = way / 2;
      if (block == own->second || m_seen[way] == m_walk)
        return;
      if (m_seen[way ^ 1] != m_walk)
        m_found.push_back(block);
      m_seen[way] = m_walk;
      m_reached.push_back(way);
    };
    for (const Use &use : inst.uses()) {
      const BasicBlock *block = blockOf(use);
      const auto *user = cast<Instruction>(use.getUser());
      if (auto number = m_numbers.find(block); number != m_numbers.end())
        for (unsigned way : waysTo(*block, isa<PHINode>(user) ? user->getParent() : nullptr))
          reach(2 * number->second + way);
    }
    for (size_t i = 0; i < m_reached.size(); ++i)
      for (unsigned before : m_before[m_reached[i]])
        reach(before);
    return m_found;
  }

  // Whether the use is in the value's own block, or in a block that only the value's block leads to.
  static bool isNear(const Instruction &inst, const Use &use) {
    const BasicBlock *block = blockOf(use);
    return block == inst.getParent() || block->getUniquePredecessor() == inst.getParent();
  }

  bool areFarTooMany() const {
    return any_of(m_alive, [](unsigned dwords) { return dwords > FarTooMany; });
  }

  // Finds values that differ between lanes and are far from some of their uses.
  void findValues() {
    auto accessCost = [&](const BasicBlock *block) {
      unsigned cost = 1;
      for (unsigned depth = std::min(m_cycles.getCycleDepth(block), 3u); depth > 0; --depth)
        cost *= LoopWeight;
      return cost;
    };
    std::fill(m_alive.begin(), m_alive.end(), 0);
    for (Instruction &inst : instructions(m_function)) {
      ArrayRef<unsigned> blocks = blocksOf(inst);
      if (blocks.empty() || !m_uniformity.isDivergent(&inst))
        continue;
      const unsigned dwords = vgprCount(inst.getType());
      for (unsigned block : blocks)
        m_alive[block] += dwords;

      SmallPtrSet<const BasicBlock *, 8> loading;
      for (const Use &use : inst.uses())
        if (!isNear(inst, use))
          loading.insert(blockOf(use));
      unsigned cost = accessCost(inst.getParent());
      for (const BasicBlock *block : loading)
        cost += accessCost(block);
      const auto weight = static_cast<unsigned>(blocks.size()) / cost;
      if (loading.empty() || weight < MinBlocksPerAccess)
        continue;
      const auto [first, last] = std::minmax_element(blocks.begin(), blocks.end());
      const unsigned own = m_numbers.at(inst.getParent());
      m_values.push_back({&inst, dwords, weight, blocks.vec(), std::min(*first, own), std::max(*last, own)});
    }
  }

  // Chooses the longest-living values first, until few are left wherever not all fit.
  void choose() {
    std::stable_sort(m_values.begin(), m_values.end(),
                     [](const FarValue &a, const FarValue &b) { return a.weight > b.weight; });
    std::vector<bool> isFull(m_alive.size());
    for (size_t block = 0; block < m_alive.size(); ++block)
      isFull[block] = m_alive[block] > VgprCount;
    for (FarValue &value : m_values) {
      if (none_of(value.blocks, [&](unsigned block) { return isFull[block] && m_alive[block] > MaxKept; }))
        continue;
      for (unsigned block : value.blocks)
        m_alive[block] -= value.dwords;
      m_chosen.push_back(&value);
    }
  }

  // Values that are not alive in the same blocks share memory. Sorts the values by their computation.
  std::vector<AllocaInst *> allocate() {
    std::stable_sort(m_chosen.begin(), m_chosen.end(),
                     [](const FarValue *a, const FarValue *b) { return a->first < b->first; });
    IRBuilder<> builder(&*m_function.getEntryBlock().getFirstInsertionPt());
    std::map<unsigned, std::multimap<unsigned, AllocaInst *>>
        places; // by size and by the last block of the value there
    std::vector<AllocaInst *> memory;
    for (const FarValue *value : m_chosen) {
      std::multimap<unsigned, AllocaInst *> &ofSize = places[value->dwords];
      AllocaInst *place;
      if (!ofSize.empty() && ofSize.begin()->first < value->first) {
        place = ofSize.begin()->second;
        ofSize.erase(ofSize.begin());
      } else {
        place = builder.CreateAlloca(ArrayType::get(builder.getInt32Ty(), value->dwords), AMDGPUAS::PRIVATE_ADDRESS);
        place->setAlignment(Align(4));
      }
      ofSize.emplace(value->last, place);
      memory.push_back(place);
    }
    return memory;
  }

  void store() {
    const std::vector<AllocaInst *> memory = allocate();
    // Finds all places before it inserts anything, because an insertion renumbers the instructions of a block.
    struct Load {
      Instruction *before;
      SmallVector<Use *, 4> uses;
    };
    std::vector<MapVector<BasicBlock *, Load>> loads;
    for (const FarValue *value : m_chosen) {
      MapVector<BasicBlock *, Load> &ofValue = loads.emplace_back();
      for (Use &use : value->inst->uses()) {
        if (isNear(*value->inst, use) || !m_numbers.contains(blockOf(use)))
          continue;
        BasicBlock *block = blockOf(use);
        auto *user = cast<Instruction>(use.getUser());
        Instruction *before = isa<PHINode>(user) ? block->getTerminator() : user;
        auto [load, isNew] = ofValue.insert({block, {before, {}}});
        if (!isNew && before->comesBefore(load->second.before))
          load->second.before = before;
        load->second.uses.push_back(&use);
      }
    }
    for (size_t i = 0; i < m_chosen.size(); ++i) {
      Instruction *inst = m_chosen[i]->inst;
      for (auto &[block, load] : loads[i]) {
        IRBuilder<> builder(load.before);
        Value *loaded = builder.CreateAlignedLoad(inst->getType(), memory[i], Align(4));
        for (Use *use : load.uses)
          use->set(loaded);
      }
      IRBuilder<> builder(isa<PHINode>(inst) ? &*inst->getParent()->getFirstInsertionPt() : inst->getNextNode());
      builder.CreateAlignedStore(inst, memory[i], Align(4));
    }
  }

  Function &m_function;
  const CycleInfo &m_cycles;
  const UniformityInfo &m_uniformity;

  // Except for loops, each block comes behind those that lead to it.
  DenseMap<const BasicBlock *, unsigned> m_numbers;
  // Edge 0 of block n is at 2n, edge 1 at 2n + 1. For each: the edges of other blocks that lead to it.
  std::vector<SmallVector<unsigned, 2>> m_before;
  std::vector<unsigned> m_alive; // dwords at the begin of a block that should be in VGPRs

  SmallVector<unsigned, 0> m_found, m_reached; // blocks and edges of blocksOf()
  std::vector<unsigned> m_seen;                // the last walk that has seen an edge
  unsigned m_walk = 0;

  std::vector<FarValue> m_values;
  std::vector<FarValue *> m_chosen;
};

} // namespace

bool storeFarValues(Function &function, const CycleInfo &cycles, const UniformityInfo &uniformity) {
  return function.size() >= MinBlocks && Storing(function, cycles, uniformity).run();
}

void StoreFarValuesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<CycleInfoWrapperPass>();
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // of branches; no other uniformity is read until it is computed anew
}

bool StoreFarValuesPass::runOnFunction(Function &function) {
  return storeFarValues(function, getAnalysis<CycleInfoWrapperPass>().getResult(),
                        getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo());
}

} // namespace lgc
