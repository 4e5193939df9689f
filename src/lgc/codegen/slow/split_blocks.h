// SPDX-License-Identifier: MIT
//
// LLVM selects and schedules the instructions of a block together, in a time that grows with the square of their
// number. So this pass splits blocks that are far larger than usual before instruction selection; the time then grows
// with the number of instructions. It leaves smaller blocks alone.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// Returns whether there was such a block. After it, no pass may move instructions from block to block that LLVM's code
// generation needs side by side: conditions of divergent branches stay with their branch.
bool splitBlocks(llvm::Function &function);

// Must run before instruction selection.
LGC_CODEGEN_PASS(SplitBlocks, "Split large blocks")

} // namespace lgc
