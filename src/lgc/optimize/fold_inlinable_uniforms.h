// SPDX-License-Identifier: MIT
//
// Inlinable uniforms, of which an optimised compile knows the values (StageKnowledge::inlinableUniforms), become
// constants, so that branches fold, loops unroll, and what only they needed dies.
//
// It works on replayed IR, where a load of a uniform buffer is an intrinsic on a LoadDescriptorOp, and where it is read
// is a constant or, after optimisation, becomes one: in a loop that is unrolled, for example. So it runs before the
// optimisations and after them, until nothing more is found. Of a load that is known in part, the known components are
// taken out; LLVM's instruction combining makes the load narrower where that leaves nothing in front or behind. Root
// dwords and descriptor tables that nobody reads any more are not collected afterwards (collect_resources.cpp).
#pragma once

#include <llvm/IR/Function.h>

namespace lgc {

class PipelineState;

// Only what nothing can write while the shader runs, and only element 0 of a binding. Returns whether it found any.
bool foldInlinableUniforms(llvm::Function &function, const PipelineState &state);

} // namespace lgc
