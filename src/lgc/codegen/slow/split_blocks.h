// SPDX-License-Identifier: MIT
//
// LLVM selects and schedules the instructions of a block together, in a time that grows with the square of their
// number. Blocks that are far larger than those of usual shaders are split in front of instruction selection, so that
// time grows with the number of instructions. Smaller blocks are left alone.
#pragma once

#include <llvm/Pass.h>

namespace llvm {
class Function;
}

namespace lgc {

// Returns whether there was such a block. Beyond it, nothing may move instructions from block to block that LLVM's code
// generation needs beside each other: conditions of divergent branches stay with their branch.
bool splitBlocks(llvm::Function &function);

// To be added in front of instruction selection.
class SplitBlocksPass final : public llvm::FunctionPass {
public:
  static char ID;

  SplitBlocksPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Split large blocks"; }
  bool runOnFunction(llvm::Function &function) override { return splitBlocks(function); }
};

} // namespace lgc
