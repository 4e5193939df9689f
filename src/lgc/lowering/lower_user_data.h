// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/ops/op.h"
#include "src/lgc/state/pipeline_state.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <optional>

namespace lgc {

// Chooses user SGPRs for the values in state.usage(), and reads the root table from there or from memory. Fills in the
// interface's user data. Errors: code that resource collection has not seen.
dovetail::Result<void> lowerUserData(llvm::Function &function, PipelineState &state,
                                     dovetail::ShaderInterface &interface);

// The root dwords, by name, that a descriptor takes beyond the address of a table; none for most descriptors.
// std::nullopt if it takes dwords that have no name.
std::optional<llvm::SmallVector<dovetail::ValueName, 4>> rootDwordsOf(const LoadDescriptorOp &load,
                                                                      const PipelineState &state);

} // namespace lgc
