// SPDX-License-Identifier: MIT
//
// Inlined calls in calls, ifs in ifs: each level has values that wait until everything inside ends. If far more of them
// wait than there are VGPRs, LLVM's register allocator looks for a place for each one, and splits it where there is
// none. That takes a time that grows with more than the square of the depth, and most values are stored in the end. So
// this pass stores the values that wait longest where they are computed, and loads them where they are used, before
// instructions are selected. The rest fits.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/UniformityAnalysis.h>

namespace lgc {

// Returns whether there were so many values. No later pass may make registers of the memory in which they are.
bool storeFarValues(llvm::Function &function, const llvm::CycleInfo &cycles, const llvm::UniformityInfo &uniformity);

// Must run after all passes that change control flow or promote memory, and before the pass that marks the ends of
// divergent control flow: there, lanes that meet are active before values are loaded.
LGC_CODEGEN_PASS(StoreFarValues, "Store far values")

} // namespace lgc
