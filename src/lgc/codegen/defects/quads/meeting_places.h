// SPDX-License-Identifier: MIT
//
// Blocks that all lanes of a wave come by at once. A demote or a discard that ends all lanes there ends the wave.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>

namespace lgc {

// Whether it is a kill without a condition.
bool isKillOfAll(const llvm::Instruction &inst);

// Of a function as it is when this is made.
class MeetingPlaces {
public:
  explicit MeetingPlaces(llvm::Function &function);

  // Whether the block is one: it is in no cycle, and no return is reached without it. A kill ends its lanes in its own
  // branch, which may be executed later.
  bool contains(const llvm::BasicBlock &block) const { return m_places.contains(&block); }
  bool isInCycle(const llvm::BasicBlock &block) const { return m_cycles.getCycle(&block) != nullptr; }

private:
  llvm::CycleInfo m_cycles;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> m_places;
};

} // namespace lgc
