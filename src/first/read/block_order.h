// SPDX-License-Identifier: MIT
//
// Puts the blocks of a function in the order in which they stand in the code: each behind those that it can be reached
// from, but for the ends of loops; the blocks of a loop together. An edge from a block with two successors to one with
// phis gets a block of its own for the copies, unless these may stand in front
// of the branch.
#pragma once

#include "src/first/form/program.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <string>
#include <vector>

namespace dovetail::first {

struct BlockOrder {
  // For each block of the program its block in IR; null for the block of an edge.
  std::vector<const llvm::BasicBlock *> blocks;
  llvm::DenseMap<const llvm::BasicBlock *, uint16_t> numbers;
  // Terminators have no conditions yet; predecessors and dominators are known. A predecessor that is the block of an
  // edge stands for its only predecessor in the phis of IR.
  std::vector<Block> programBlocks;
  std::vector<Loop> programLoops;
};

// Returns a reason to refuse, or nothing.
std::string orderBlocks(const llvm::Function &function, BlockOrder &order);

} // namespace dovetail::first
