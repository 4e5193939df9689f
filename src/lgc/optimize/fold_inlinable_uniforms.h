// SPDX-License-Identifier: MIT
//
// An optimised compile knows the values of inlinable uniforms (StageKnowledge::inlinableUniforms). This pass makes
// constants of them, so that branches fold, loops unroll, and code that only they needed goes away.
//
// It works on replayed IR, where a load of a uniform buffer is an intrinsic on a LoadDescriptorOp. The place of the
// load is constant, or optimisation makes it constant, for example in a loop that is unrolled. So the pass runs before
// the optimisations and after them, until it finds nothing more. From a load that is known in part, it takes out the
// known components. LLVM's instruction combining makes the load narrower if the rest leaves out components in front or
// behind. Resource collection then ignores root dwords and descriptor tables that nobody reads any more
// (collect_resources.cpp).
#pragma once

#include <llvm/IR/Function.h>

namespace lgc {

class PipelineState;

// Folds only memory that nobody can write while the shader runs, and only element 0 of a binding. Returns whether it
// found any.
bool foldInlinableUniforms(llvm::Function &function, const PipelineState &state);

} // namespace lgc
