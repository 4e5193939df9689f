// SPDX-License-Identifier: MIT
//
// The state of a compile in the metadata of its module, so that the middle-end can stop behind any step and go on from
// text or bitcode, in another process. metadata_nodes.def lists the nodes; beside these, lgc.copy.shader marks the copy
// shader of a geometry shader.
#pragma once

#include "src/lgc/state/pipeline_state.h"

namespace lgc {

struct CompileState {
  PipelineState pipeline;
  dovetail::ShaderInterface interface;
};

// Replaces what the module carries.
void recordCompileState(llvm::Module &module, const PipelineState &pipeline,
                        const dovetail::ShaderInterface &interface);
// The interface alone, where the rest of the state is no longer at hand.
void recordInterface(llvm::Module &module, const dovetail::ShaderInterface &interface);
// On the entry function; none if the hash is the default.
void recordFunctionHash(llvm::Module &module, const dovetail::Hash128 &hash);
// The front end's state must be there; of what is not, the middle-end has found out nothing.
dovetail::Result<CompileState> readCompileState(const llvm::Module &module, const dovetail::TargetInfo &target);

} // namespace lgc
