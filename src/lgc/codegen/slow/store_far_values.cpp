// SPDX-License-Identifier: MIT
//
// A lane loads what it has stored: what it uses was computed on its own way, whatever other lanes do meanwhile. Only
// values that differ between lanes are stored, so that all that is uniform stays so.
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

// Smaller functions cannot have values across so many blocks.
constexpr size_t MinBlocks = 64;
constexpr unsigned VgprCount = 256;
// Dwords that are alive at the begin of a block. What fits, or nearly, is LLVM's to allocate.
constexpr unsigned FarTooMany = VgprCount * 3 / 2;
// What may stay of them where not all fit. With what lives within blocks, two waves have room for it.
constexpr unsigned MaxKept = 112;
// A value that is loaded for each few of the blocks that it is alive in would better stay.
constexpr unsigned MinBlocksPerAccess = 8;
// How often a loop may run.
constexpr unsigned LoopWeight = 8;

// 0 for what is not kept in 32-bit VGPRs.
unsigned vgprCount(Type *type) {
  if (!type->isIntOrIntVectorTy() && !type->isFPOrFPVectorTy())
    return 0;
  const auto bits = static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue());
  return bits % 32 == 0 ? bits / 32 : 0;
}

// Where a use wants its value: at the end of the block that a phi takes it from.
BasicBlock *blockOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use);
  return user->getParent();
}

struct FarValue {
  Instruction *inst;
  unsigned dwords;
  unsigned weight;              // blocks that it is alive in, for each access
  std::vector<unsigned> blocks; // at whose begin it is alive
  unsigned first, last;         // blocks in order, of all that it is alive in
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

  // Whether a lane that comes from a block may leave this one by its first or second way. Structured control flow
  // brings lanes that have been through one side of a branch to the begin of the other, and past it.
  static bool mayGo(const BasicBlock &from, const BasicBlock &block, unsigned way) {
    const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    const auto *phi = branch && branch->isConditional() ? dyn_cast<PHINode>(branch->getCondition()) : nullptr;
    const auto *condition =
        phi && phi->getParent() == &block ? dyn_cast<ConstantInt>(phi->getIncomingValueForBlock(&from)) : nullptr;
    return !condition || condition->isOne() == (way == 0);
  }

  // By which of two ways a block is left for another; any for null, and for a block that has one way, or many.
  static SmallVector<unsigned, 2> waysTo(const BasicBlock &from, const BasicBlock *to) {
    const auto *branch = dyn_cast<BranchInst>(from.getTerminator());
    if (!to || !branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      return {0, 1};
    return {branch->getSuccessor(0) == to ? 0u : 1u};
  }

  // Blocks at whose begin a value is alive, for lanes that come to where it is used; none for what is not kept in
  // VGPRs.
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

  // Where nothing but its computation comes before.
  static bool isNear(const Instruction &inst, const Use &use) {
    const BasicBlock *block = blockOf(use);
    return block == inst.getParent() || block->getUniquePredecessor() == inst.getParent();
  }

  bool areFarTooMany() const {
    return any_of(m_alive, [](unsigned dwords) { return dwords > FarTooMany; });
  }

  // Those that differ between lanes and are far from some of their uses.
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

  // The longest first, until few are left wherever not all fit.
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

  // Values that are not alive in the same blocks share memory. Puts them in the order of their computation.
  std::vector<AllocaInst *> allocate() {
    std::stable_sort(m_chosen.begin(), m_chosen.end(),
                     [](const FarValue *a, const FarValue *b) { return a->first < b->first; });
    IRBuilder<> builder(&*m_function.getEntryBlock().getFirstInsertionPt());
    std::map<unsigned, std::multimap<unsigned, AllocaInst *>> places; // by size and the last block of what is there
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
    // All places are found before anything is inserted there, since instructions of a block are numbered anew then.
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

  // In an order in which each block comes behind those that lead to it, but for loops.
  DenseMap<const BasicBlock *, unsigned> m_numbers;
  // Of block n and its first way at 2n, its second way at 2n + 1: ways of other blocks that lead there.
  std::vector<SmallVector<unsigned, 2>> m_before;
  std::vector<unsigned> m_alive; // dwords at the begin of a block that are to be in VGPRs

  SmallVector<unsigned, 0> m_found, m_reached; // blocks and ways of blocksOf()
  std::vector<unsigned> m_seen;                // the walk that has seen a way
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
  usage.setPreservesAll(); // of branches, which is all that is asked until uniformity is computed anew
}

bool StoreFarValuesPass::runOnFunction(Function &function) {
  return storeFarValues(function, getAnalysis<CycleInfoWrapperPass>().getResult(),
                        getAnalysis<UniformityInfoWrapperPass>().getUniformityInfo());
}

char StoreFarValuesPass::ID = 0;

} // namespace lgc
