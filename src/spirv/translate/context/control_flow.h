// SPDX-License-Identifier: MIT
//
// Which blocks of a function control can reach, from how many others, and which of them are in loops.
#pragma once

#include "src/spirv/module/module.h"
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dovetail::spirv {

struct Context;

// A loop, found from its merge instruction. Labels stand for blocks.
struct Loop {
  uint32_t head = 0;
  uint32_t merge = 0;
  std::unordered_set<uint32_t> blocks; // the head and all that it can reach without passing the merge block
  unsigned backEdges = 0;              // how many of them branch to the head
};

// Refers to the function, which must outlive it.
class ControlFlow {
public:
  ControlFlow(const Context &context, const Function &function);

  bool isReachable(uint32_t label) const { return m_predecessorCounts.contains(label); }
  // The number of reachable blocks that branch to a reachable block. The function's start counts as one that branches
  // to its first block.
  unsigned predecessorCount(uint32_t label) const { return m_predecessorCounts.at(label); }
  // The blocks that a block can go to, each once.
  const std::vector<uint32_t> &targets(uint32_t label) const { return m_targets[m_function.blockIndex.at(label)]; }
  // The reachable loops, by head.
  const std::unordered_map<uint32_t, Loop> &loops() const { return m_loops; }
  // The innermost loop of each block that is in one.
  std::unordered_map<uint32_t, const Loop *> innermostLoops() const;

private:
  void findReachable();
  void findLoops();

  const Function &m_function;
  std::vector<std::vector<uint32_t>> m_targets; // by block
  std::unordered_map<uint32_t, unsigned> m_predecessorCounts;
  std::unordered_map<uint32_t, Loop> m_loops;
};

} // namespace dovetail::spirv
