// SPDX-License-Identifier: MIT
//
// What an optimised variant can make use of in the stages around this one: which inputs are read, dword by dword, and
// which outputs of vertices are the same constant in every vertex. Read off the optimised shader behind
// collectResources; the code does not change.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include <llvm/IR/Function.h>

namespace lgc {

class PipelineState;

// Fills in inputComponents, patchInputComponents and constantOutputs.
void learnInterface(llvm::Function &function, const PipelineState &state, dovetail::ShaderInterface &interface);

} // namespace lgc
