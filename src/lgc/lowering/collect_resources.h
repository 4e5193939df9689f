// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Fills in state.usage() from the optimised shader. Errors: the shader exceeds the hardware's limits.
dovetail::Result<void> collectResources(llvm::Function &function, PipelineState &state);

} // namespace lgc
