// SPDX-License-Identifier: MIT
//
// A pipeline module has the shaders of several stages, and the state of their draws. Each shader is a function named
// for its stage (shader.VS, …), and `lgc.shader.modes` has a node for each. Shaders are compiled one by one, so
// splitShaders() takes a pipeline module apart again first.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/graphics_state.h"
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace lgc {

class BuilderContext;

// Whether the module has several shaders, or a graphics state.
bool isPipelineModule(const llvm::Module &module);

// The stageBit()s of the shaders in it; a shader with malformed modes has none.
uint32_t stageMaskOf(const llvm::Module &pipeline);

// Makes a pipeline module of shader modules; see Pipeline::irLink(). A stage mask of the front end's state that is not
// 0 must be that of the shaders. The modules may be of other LLVMContexts, which no other thread may use meanwhile.
// Errors: InvalidInput for two shaders of a stage, and for a module that carries no modes; StateMismatch for other
// stages than those of the mask.
dovetail::Result<std::unique_ptr<llvm::Module>> linkPipelineModule(BuilderContext &context,
                                                                   std::vector<std::unique_ptr<llvm::Module>> shaders,
                                                                   const FrontEndState &frontEnd,
                                                                   const GraphicsState &graphics);

// The shaders of a pipeline module as they were, in the order of the stages, each with the front end's state. Errors:
// InvalidInput for modes that are malformed or do not fit the functions.
dovetail::Result<std::vector<std::unique_ptr<llvm::Module>>> splitShaders(const llvm::Module &pipeline);

} // namespace lgc
