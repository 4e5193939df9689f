// SPDX-License-Identifier: MIT
#include "src/first/read/block_order.h"
#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <ranges>

namespace dovetail::first {

namespace {

using llvm::BasicBlock;

// Orders the blocks of a function, or of a loop, so that each stands behind those that lead to it. A loop within is one
// node of the graph, so its blocks stand together.
class Orderer {
public:
  explicit Orderer(const llvm::LoopInfo &loops) : m_loops(loops) {
    for (const llvm::Loop *outermost : loops)
      for (const BasicBlock *block : outermost->blocks())
        for (const BasicBlock *successor : llvm::successors(block))
          for (const llvm::Loop *left = loops.getLoopFor(block); left && !left->contains(successor);
               left = left->getParentLoop())
            m_exits[left].push_back(successor);
  }

  // Of the function if there is no loop.
  void append(const BasicBlock *entry, const llvm::Loop *loop, std::vector<const BasicBlock *> &order) const {
    struct Visit {
      const BasicBlock *node;
      std::vector<const BasicBlock *> successors; // the next one to visit is the last
    };
    llvm::SmallPtrSet<const BasicBlock *, 16> seen;
    std::vector<const BasicBlock *> nodes;
    std::vector<Visit> stack;
    auto visit = [&](const BasicBlock *node) {
      if (seen.insert(node).second)
        stack.push_back({node, successorsOf(node, entry, loop)});
    };
    visit(entry);
    while (!stack.empty()) {
      if (stack.back().successors.empty()) {
        nodes.push_back(stack.back().node);
        stack.pop_back();
        continue;
      }
      const BasicBlock *next = stack.back().successors.back();
      stack.back().successors.pop_back();
      visit(next);
    }
    for (const BasicBlock *node : nodes | std::views::reverse)
      if (const llvm::Loop *inner = loopWithin(node, loop))
        append(node, inner, order);
      else
        order.push_back(node);
  }

private:
  // The loop that is directly within another one, and that the block is in. Of such loops, an order has the headers:
  // nothing else of them can be entered.
  const llvm::Loop *loopWithin(const BasicBlock *block, const llvm::Loop *loop) const {
    const llvm::Loop *inner = m_loops.getLoopFor(block);
    return inner == loop ? nullptr : inner;
  }

  // The taken successor is the first, because what is visited last stands nearest. The header stands for a loop.
  std::vector<const BasicBlock *> successorsOf(const BasicBlock *node, const BasicBlock *entry,
                                               const llvm::Loop *loop) const {
    std::vector<const BasicBlock *> list;
    auto add = [&](const BasicBlock *successor) {
      if (successor != entry && (!loop || loop->contains(successor)))
        list.push_back(successor);
    };
    if (const llvm::Loop *inner = loopWithin(node, loop)) {
      if (const auto exits = m_exits.find(inner); exits != m_exits.end())
        std::ranges::for_each(exits->second, add);
    } else {
      for (const BasicBlock *successor : llvm::successors(node))
        add(successor);
    }
    return list;
  }

  const llvm::LoopInfo &m_loops;
  llvm::DenseMap<const llvm::Loop *, std::vector<const BasicBlock *>> m_exits; // the blocks behind them
};

// Dominators have lower numbers than what they dominate.
void rankDominated(std::vector<Block> &blocks) {
  const size_t count = blocks.size();
  for (size_t i = count; i-- > 1;)
    blocks[blocks[i].dominator].dominated += blocks[i].dominated;
  std::vector<uint16_t> next(count, 1); // rank of the next block that this one dominates immediately
  for (size_t i = 1; i < count; ++i) {
    uint16_t &free = next[blocks[i].dominator];
    blocks[i].rank = free;
    free += blocks[i].dominated;
    next[i] = blocks[i].rank + 1;
  }
}

} // namespace

std::string orderBlocks(const llvm::Function &function, BlockOrder &order) {
  if (function.size() == 1) {
    order.blocks = {&function.getEntryBlock()};
    order.numbers[order.blocks[0]] = 0;
    order.programBlocks.resize(1);
    return {};
  }
  llvm::DominatorTree dominators(const_cast<llvm::Function &>(function));
  llvm::LoopInfo loops(dominators);
  std::vector<const BasicBlock *> original;
  Orderer(loops).append(&function.getEntryBlock(), nullptr, original);
  constexpr size_t maxBlocks = 16384; // with up to two for edges each, which have numbers of 16 bits
  if (original.size() > maxBlocks)
    return "more than 16384 blocks";

  // Blocks of edges stand in front of the edge's end; that of a loop's end behind its start, and behind the loops in
  // it.
  struct Edge {
    const BasicBlock *from, *to;
  };
  llvm::DenseMap<const BasicBlock *, unsigned> position;
  llvm::DenseMap<const llvm::Loop *, unsigned> lastOfLoop;
  for (unsigned i = 0; i < original.size(); ++i) {
    position[original[i]] = i;
    if (const llvm::Loop *loop = loops.getLoopFor(original[i]))
      lastOfLoop[loop] = i;
  }
  for (const llvm::Loop *loop : loops.getLoopsInPreorder() | std::views::reverse)
    if (const llvm::Loop *parent = loop->getParentLoop())
      lastOfLoop[parent] = std::max(lastOfLoop[parent], lastOfLoop[loop]);
  std::vector<std::vector<Edge>> before(original.size()), behind(original.size());
  std::vector<unsigned> firstWay(original.size(), ~0u); // the first block in the order that leads to a block
  for (unsigned i = 0; i < original.size(); ++i)
    for (const BasicBlock *successor : llvm::successors(original[i]))
      firstWay[position[successor]] = std::min(firstWay[position[successor]], i);
  // Copies for the first way to a block may stand in front of the branch: nothing else is in their registers yet, and
  // the other ways overwrite them. This costs less than a block of their own, if they are few and in no other loop.
  auto copiesEarly = [&](const BasicBlock *from, const BasicBlock *to) {
    constexpr unsigned maxPhis = 8;
    return firstWay[position[to]] == position[from] && loops.getLoopFor(from) == loops.getLoopFor(to) &&
           !loops.isLoopHeader(to) && llvm::hasNItemsOrLess(to->phis(), maxPhis);
  };
  for (const BasicBlock *block : original) {
    const llvm::Instruction *end = block->getTerminator();
    if (!llvm::isa<llvm::BranchInst, llvm::ReturnInst>(end))
      return std::string("the terminator ") + end->getOpcodeName();
    if (end->getNumSuccessors() < 2)
      continue;
    if (end->getSuccessor(0) == end->getSuccessor(1))
      return "a branch with one target";
    for (unsigned i = 0; i < 2; ++i) {
      const BasicBlock *to = end->getSuccessor(i);
      const bool isBack = position[to] <= position[block];
      const llvm::Loop *around = isBack ? loops.getLoopFor(to) : nullptr, *inner = loops.getLoopFor(block);
      const bool leavesLoop = isBack && inner != around; // and goes to the start of one around it
      if (!leavesLoop &&
          (!llvm::isa<llvm::PHINode>(to->front()) || to->getSinglePredecessor() || copiesEarly(block, to)))
        continue;
      if (!isBack) {
        before[position[to]].push_back({block, to});
        continue;
      }
      unsigned last = position[block];
      while (inner && inner != around && inner->getParentLoop() != around)
        inner = inner->getParentLoop();
      if (leavesLoop && inner)
        last = std::max(last, lastOfLoop[inner]);
      behind[last].push_back({block, to});
    }
  }
  // Ends of inner loops stand before those of the loops around them.
  for (std::vector<Edge> &ends : behind)
    std::ranges::stable_sort(ends, std::greater(), [&](const Edge &edge) { return loops.getLoopDepth(edge.to); });
  std::vector<Edge> edges; // of the blocks without IR
  std::vector<uint16_t> edgeBlocks;
  auto add = [&](const BasicBlock *block) {
    order.blocks.push_back(block);
    return uint16_t(order.blocks.size() - 1);
  };
  for (unsigned i = 0; i < original.size(); ++i) {
    // Of the branches that jump to one block the inner ones are later in the code; their lanes come back first.
    for (const Edge &edge : before[i] | std::views::reverse) {
      edges.push_back(edge);
      edgeBlocks.push_back(add(nullptr));
    }
    order.numbers[original[i]] = add(original[i]);
    for (const Edge &edge : behind[i]) {
      edges.push_back(edge);
      edgeBlocks.push_back(add(nullptr));
    }
  }

  order.programBlocks.resize(order.blocks.size());
  llvm::DenseMap<std::pair<const BasicBlock *, const BasicBlock *>, uint16_t> blocksOfEdges;
  auto numberOf = [&](const BasicBlock *from, const BasicBlock *to) -> uint16_t {
    const auto edge = blocksOfEdges.find({from, to});
    return edge == blocksOfEdges.end() ? order.numbers[to] : edge->second;
  };
  for (size_t i = 0; i < edges.size(); ++i) {
    blocksOfEdges[{edges[i].from, edges[i].to}] = edgeBlocks[i];
    Block &block = order.programBlocks[edgeBlocks[i]];
    block.terminator = Terminator::Jump;
    block.successors[0] = order.numbers[edges[i].to];
    block.dominator = order.numbers[edges[i].from];
  }
  for (const BasicBlock *source : original) {
    Block &block = order.programBlocks[order.numbers[source]];
    const llvm::Instruction *end = source->getTerminator();
    const unsigned count = end->getNumSuccessors();
    block.terminator = count == 0 ? Terminator::End : count == 1 ? Terminator::Jump : Terminator::Branch;
    for (unsigned i = 0; i < count; ++i)
      block.successors[i] = numberOf(source, end->getSuccessor(i));
    if (const auto *node = dominators.getNode(source); node && node->getIDom())
      block.dominator = order.numbers[node->getIDom()->getBlock()];
  }
  for (uint16_t i = 0; i < order.programBlocks.size(); ++i) {
    const Block &block = order.programBlocks[i];
    for (unsigned s = 0; s < block.successorCount(); ++s)
      order.programBlocks[block.successors[s]].predecessors.push_back(i);
  }
  rankDominated(order.programBlocks);

  // Loops, outer ones first.
  llvm::DenseMap<const llvm::Loop *, uint16_t> loopNumbers;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    const uint16_t number = uint16_t(order.programLoops.size());
    loopNumbers[loop] = number;
    Loop &made = order.programLoops.emplace_back();
    made.header = order.numbers[loop->getHeader()];
    made.parent = loop->getParentLoop() ? loopNumbers[loop->getParentLoop()] : UINT16_MAX;
    made.last = made.header;
    order.programBlocks[made.header].isLoopHeader = true;
  }
  for (const BasicBlock *block : original)
    if (const llvm::Loop *loop = loops.getLoopFor(block)) {
      const uint16_t at = order.numbers[block];
      order.programBlocks[at].loop = loopNumbers[loop];
      uint16_t &last = order.programLoops[loopNumbers[loop]].last;
      last = std::max(last, at);
    }
  auto contains = [&](uint16_t loop, uint16_t of) {
    while (of != UINT16_MAX && of != loop)
      of = order.programLoops[of].parent;
    return of == loop;
  };
  for (size_t i = 0; i < edges.size(); ++i) { // a block of an edge is in the loops that both ends are in
    uint16_t loop = order.programBlocks[order.numbers[edges[i].from]].loop;
    while (loop != UINT16_MAX && !contains(loop, order.programBlocks[order.numbers[edges[i].to]].loop))
      loop = order.programLoops[loop].parent;
    order.programBlocks[edgeBlocks[i]].loop = loop;
    if (loop != UINT16_MAX)
      order.programLoops[loop].last = std::max(order.programLoops[loop].last, edgeBlocks[i]);
  }
  std::vector<uint32_t> sizes(order.programLoops.size()); // in blocks
  for (const Block &block : order.programBlocks)
    if (block.loop != UINT16_MAX)
      ++sizes[block.loop];
  for (size_t number = order.programLoops.size(); number-- > 0;)
    if (const Loop &loop = order.programLoops[number]; loop.parent != UINT16_MAX) {
      uint16_t &last = order.programLoops[loop.parent].last;
      last = std::max(last, loop.last);
      sizes[loop.parent] += sizes[number];
    }
  for (uint16_t number = 0; number < order.programLoops.size(); ++number) {
    const Loop &loop = order.programLoops[number];
    if (sizes[number] != loop.last - loop.header + 1u)
      return "a loop whose blocks do not stand together";
    unsigned ends = 0;
    for (uint16_t predecessor : order.programBlocks[loop.header].predecessors)
      ends += predecessor >= loop.header;
    if (ends != 1)
      return "a loop with several ends";
    if (std::ranges::find(order.programBlocks[loop.header].predecessors, loop.last) ==
        order.programBlocks[loop.header].predecessors.end())
      return "a loop that does not end with its last block";
  }
  for (uint16_t i = 0; i < order.programBlocks.size(); ++i)
    for (uint16_t predecessor : order.programBlocks[i].predecessors)
      if (predecessor >= i && !order.programBlocks[i].isLoopHeader)
        return "control flow that is not reducible";
  return {};
}

} // namespace dovetail::first
