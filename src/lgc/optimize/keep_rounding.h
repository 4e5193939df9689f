// SPDX-License-Identifier: MIT
//
// LLVM computes operations on constants as if results were rounded to the nearest even number. A shader may ask for
// another rounding (RoundingModeRTZ). Then this hides the operands of such operations from LLVM (hide_result.h).
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Must run before all passes that fold constants.
void keepRounding(llvm::Function &function, const PipelineState &state);

} // namespace lgc
