// SPDX-License-Identifier: MIT
//
// The state of a compile is in the metadata of its module. So the middle-end can stop after any step and go on from
// text or bitcode, in another process. metadata_nodes.def lists the nodes; beside these, lgc.copy.shader marks the copy
// shader of a geometry shader.
#pragma once

#include "src/lgc/state/pipeline_state.h"

namespace lgc {

struct CompileState {
  PipelineState pipeline;
  dovetail::ShaderInterface interface;
};

// Replaces the state that the module carries.
void recordCompileState(llvm::Module &module, const PipelineState &pipeline,
                        const dovetail::ShaderInterface &interface);
// Records the interface alone, where the rest of the state is no longer available.
void recordInterface(llvm::Module &module, const dovetail::ShaderInterface &interface);
// Records the hash on the entry function, unless it is the default.
void recordFunctionHash(llvm::Module &module, const dovetail::Hash128 &hash);
// Checks that the knowledge is in the range with which passes count. Errors: InvalidInput.
dovetail::Result<void> checkKnowledge(const dovetail::StageKnowledge &knowledge);
// The module must have the front end's state. Missing nodes mean that the middle-end has found out nothing yet.
dovetail::Result<CompileState> readCompileState(const llvm::Module &module, const dovetail::TargetInfo &target);

} // namespace lgc
