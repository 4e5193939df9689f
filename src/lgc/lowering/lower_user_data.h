// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <optional>

namespace lgc {

// Chooses user SGPRs for what state.usage() lists, and reads the root table from there or from memory. Fills in what
// the interface says about user data. Errors: code that resource collection has not seen.
dovetail::Result<void> lowerUserData(llvm::Function &function, PipelineState &state,
                                     dovetail::ShaderInterface &interface);

// What a descriptor takes of the root table beyond the address of a table: nothing, or dwords by their names. nullopt:
// it takes dwords that have no name.
std::optional<llvm::SmallVector<dovetail::ValueName, 4>> rootDwordsOf(const LoadDescriptorOp &load,
                                                                      const PipelineState &state);

} // namespace lgc
