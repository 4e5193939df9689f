// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Chooses user SGPRs for what state.usage() lists, and reads the root table from there or from memory. Fills in what
// the interface says about user data. Errors: code that resource collection has not seen.
dovetail::Result<void> lowerUserData(llvm::Function &function, PipelineState &state,
                                     dovetail::ShaderInterface &interface);

} // namespace lgc
