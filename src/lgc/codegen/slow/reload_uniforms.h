// SPDX-License-Identifier: MIT
//
// Uniforms that a very long shader uses again and again stay in SGPRs from the first use to the last. If they do not
// fit into the SGPRs, LLVM's register allocator takes ten times as long, and then keeps them in lanes of VGPRs. So
// where blocks are split anyway, each piece loads its uniforms again.
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class BasicBlock;
}

namespace lgc {

// Whether the block's uniforms at known places are more than fit in SGPRs.
bool hasManyUniforms(const llvm::BasicBlock &block);

// Loads the uniforms of a block again in each of its pieces that uses them. For other blocks that would be wrong: they
// may run in another iteration of a loop than the load, for other lanes.
void reloadUniforms(llvm::ArrayRef<llvm::BasicBlock *> pieces);

} // namespace lgc
