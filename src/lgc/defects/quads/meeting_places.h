// SPDX-License-Identifier: MIT
//
// Blocks that all lanes of a wave come by at once. A demote or a discard that ends all lanes there ends the wave.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/CycleAnalysis.h>

namespace lgc {

// Whether it is a kill without a condition.
bool isKillOfAll(const llvm::Instruction &inst);

class MeetingPlaces {
public:
  explicit MeetingPlaces(llvm::Function &function) : m_function(function) { m_cycles.compute(function); }

  // Whether the block is one: it is in no cycle, and no return is reached without it. A kill ends its lanes in its own
  // branch, which may be executed later.
  bool contains(llvm::BasicBlock &block);
  bool isInCycle(const llvm::BasicBlock &block) const { return m_cycles.getCycle(&block) != nullptr; }

private:
  bool returnsWithout(const llvm::BasicBlock &left) const;

  llvm::Function &m_function;
  llvm::CycleInfo m_cycles;
  llvm::DenseMap<const llvm::BasicBlock *, bool> m_known;
};

} // namespace lgc
