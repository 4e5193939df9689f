// SPDX-License-Identifier: MIT
//
// LLVM computes what is done with constants as if results were rounded to the nearest even number. Where a shader says
// otherwise (RoundingModeRTZ), this hides from it what such operations are done with (hide_result.h).
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// In front of all passes that fold constants.
void keepRounding(llvm::Function &function, const PipelineState &state);

} // namespace lgc
