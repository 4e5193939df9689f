// SPDX-License-Identifier: MIT
//
// Uniforms that a very long shader uses again and again stay in SGPRs from the first use to the last. Once there are
// more than SGPRs, LLVM's register allocator takes ten times as long, and then keeps them in lanes of VGPRs. So where
// blocks are split anyway, each one loads again what it uses.
#pragma once

#include <llvm/ADT/ArrayRef.h>

namespace llvm {
class BasicBlock;
}

namespace lgc {

// Whether the block has uniforms at known places that are more than fit in SGPRs.
bool hasManyUniforms(const llvm::BasicBlock &block);

// Loads uniforms in each of the pieces of one block that uses them. Other blocks may run in another iteration of a loop
// than the load, for other lanes.
void reloadUniforms(llvm::ArrayRef<llvm::BasicBlock *> pieces);

} // namespace lgc
