// SPDX-License-Identifier: MIT
//
// The pieces of lowerInputsAndOutputs (middle_end.h), one file for each kind of stage. Inputs become hardware values,
// interpolation or loads; outputs are exports, stores to memory, or what the next part gets in registers.
#pragma once

#include "src/lgc/middle_end.h"
#include "src/lgc/output_values.h"
#include "src/lgc/pipeline_state.h"

namespace lgc {

// lower_fragment.cpp
void lowerFragmentInputs(llvm::Function &function, const PipelineState &state);
ReturnValues returnFragment(llvm::IRBuilderBase &builder, const OutputValues &outputs, const PipelineState &state,
                            dovetail::ShaderInterface &interface);

} // namespace lgc
