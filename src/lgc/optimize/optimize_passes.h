// SPDX-License-Identifier: MIT
//
// Our own steps among the optimisations of optimization_pipelines.h.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// `if (c) discard;` arrives as a block of its own that ends its lanes and branches to the exit. Each such block costs a
// branch and masks of lanes that are saved and restored. A hundred of them are a hundred paths to the exit, for which
// LLVM's uniformity analysis, its structuring of control flow and its live ranges take quadratic time. So this pass
// makes the block in front end the lanes itself, by its condition, and go straight on.
//
// It does so only where all lanes of the wave pass that have not ended before. Elsewhere, LLVM holds masks of lanes for
// the end of a branch or of a loop. A lane that ends between the making of a mask and its use would be alive again
// behind it, and code until then would run with EXEC = 0. There, discards stay branches to the exit.
LGC_IR_PASS(ConditionalKills)

// A value that SPIR-V leaves undefined may be any number. But a register that nobody wrote holds what another program
// left there; checkImage and the emulator take a read of it for a defect of the compiler. So this pass replaces
// undefined values by zero. It runs after all optimisation, which makes use of undefined values. It defines them in:
// - phis, where only some paths write a variable
// - coordinates
// - values that are written to memory
// - arrays that the back end keeps in registers, because writing one element reads all others
LGC_IR_PASS(DefineValues)

// A branch on an undefined value is undefined behaviour in LLVM, but not in SPIR-V; so the front end freezes the
// conditions of branches. But few of LLVM's passes see through a freeze: they no longer recognise loops, ranges and
// comparisons. This pass removes the freezes of values that are never undefined, which are nearly all. It runs as soon
// as variables are in registers and before any pass draws conclusions from branches.
LGC_IR_PASS(ThawBranches)

// An array of constants that is indexed arrives as a variable that is filled with a copy of them. This pass reads from
// the constants themselves, as LLVM's instruction combining does.
LGC_IR_PASS(ReadConstants)

// Samples with implicit derivatives must stay where the shader has them: their derivatives would be undefined in a
// branch that only some lanes of a quad take. So their calls are convergent. LLVM's instruction combining loses this
// mark when it makes a call again with fewer components or halves (simplifyAMDGCNImageIntrinsic()), and then sinks the
// call into a branch. So the builder freezes their results, which hides their uses from LLVM. This pass runs after all
// others, removes the freezes, and trims the calls itself.
LGC_IR_PASS(TrimSamples)

} // namespace lgc
