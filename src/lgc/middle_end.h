// SPDX-License-Identifier: MIT
//
// The steps of the middle-end, in running order, one file each. They work on the one shader of a linked module; what
// they learn is in PipelineState::usage() and, at the end, in the ShaderInterface.
//
//   BuilderReplayer                 builder_replayer.h: recorded ops become target IR and internal ops
//   foldInlinableUniforms           fold_inlinable_uniforms.h: uniforms of known value; again after each optimisation
//   applyKnowledge                  apply_knowledge.h: the same for constant inputs and unwanted outputs
//   CodeGenerator::optimizeShader   optimization_pipelines.h: what is unused goes
//   collectResources                from here on, usage() is final and nothing new is read
//   lowerInputsAndOutputs           interpolation; outputs become exports, memory or the values for the epilog. First
//                                   learn_interface.h notes what other stages may want to know of them
//   lowerUserData                   root dwords get SGPRs or are read from the spill table
//   makeEntryPoint                  the function with the hardware's calling convention; fills in the interface
//   ComposeHook                     monolithic compiles add prolog and epilog
//   CodeGenerator::optimizeHardwareForm   also trim_samples.h, reach_return.h and relative_constants.h
//   finishEntryPoint                lists the VGPRs that are read, and fixes those of the fragment inputs
//   CodeGenerator::emitObject
#pragma once

#include "src/abi/shader_interface.h"
#include "src/base/error.h"
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueMap.h>

namespace lgc {

class PipelineState;

// The one function with a body.
dovetail::Result<llvm::Function *> findEntryFunction(llvm::Module &module);

dovetail::Result<void> collectResources(llvm::Function &function, PipelineState &state);

// What the function returns in VGPRs at its end: the values of interface.outputs without the SGPRs that are passed on.
// i32 or float, available in the function's one returning block.
using ReturnValues = llvm::SmallVector<llvm::Value *, 16>;

dovetail::Result<ReturnValues> lowerInputsAndOutputs(llvm::Function &function, PipelineState &state,
                                                     dovetail::ShaderInterface &interface);

void lowerUserData(llvm::Function &function, PipelineState &state, dovetail::ShaderInterface &interface);

// Replaces the function by the one in hardware form.
llvm::Function *makeEntryPoint(llvm::Function &function, llvm::ArrayRef<llvm::Value *> returnValues,
                               PipelineState &state, dovetail::ShaderInterface &interface);

// After the last optimisation: lists the hardware's VGPRs that the code still reads, what a compose hook added
// included. An entry function of a merged program (amdgpu_hs, amdgpu_gs) is left alone: whoever composed it knows its
// launch state.
void finishEntryPoint(llvm::Function &entry, dovetail::ShaderInterface &interface);

} // namespace lgc
