// SPDX-License-Identifier: MIT
//
// An optimised variant of another stage can use two facts about this one: which inputs it reads, dword by dword, and
// which of its outputs are the same constant in every vertex. learnInterface() reads them off the optimised shader
// after collectResources; the code does not change.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include <llvm/IR/Function.h>

namespace lgc {

class PipelineState;

// Fills in inputComponents, patchInputComponents and constantOutputs.
void learnInterface(llvm::Function &function, const PipelineState &state, dovetail::ShaderInterface &interface);

} // namespace lgc
