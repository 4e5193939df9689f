// SPDX-License-Identifier: MIT
//
// Finds the blocks that all lanes of a wave pass at once. A demote or a discard that ends all lanes there ends the
// wave.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CycleAnalysis.h>

namespace lgc {

// Whether the instruction is a kill without a condition.
bool isKillOfAll(const llvm::Instruction &inst);

// The meeting places of a function as it is at construction.
class MeetingPlaces {
public:
  explicit MeetingPlaces(llvm::Function &function);

  // Whether the block is a meeting place: it is in no cycle, and each return is reached through it. A kill ends its
  // lanes in a branch of its own, which may run later.
  bool contains(const llvm::BasicBlock &block) const { return m_places.contains(&block); }
  bool isInCycle(const llvm::BasicBlock &block) const { return m_cycles.getCycle(&block) != nullptr; }

private:
  llvm::CycleInfo m_cycles;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> m_places;
};

} // namespace lgc
