// SPDX-License-Identifier: MIT
//
// A pipeline module: the shaders of several stages in one module, with what they are drawn with. Each is a function
// named for its stage (shader.VS, …), and `lgc.shader.modes` has a node for each. Shaders are compiled one by one, so a
// pipeline module is taken apart again first.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/graphics_state.h"
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace lgc {

class BuilderContext;

// Whether there are several shaders in it, or a graphics state.
bool isPipelineModule(const llvm::Module &module);

// stageBit()s of the shaders in it; modes that are malformed count for none.
uint32_t stageMaskOf(const llvm::Module &pipeline);

// Makes one of shader modules; see Pipeline::irLink(). Of the front end's state, a stage mask that is not 0 has to be
// that of the shaders. The modules may be of other LLVMContexts, which must not be in use elsewhere meanwhile. Errors:
// InvalidInput for two shaders of a stage, and for a module that carries no modes; StateMismatch for other stages than
// the mask has.
dovetail::Result<std::unique_ptr<llvm::Module>> linkPipelineModule(BuilderContext &context,
                                                                   std::vector<std::unique_ptr<llvm::Module>> shaders,
                                                                   const FrontEndState &frontEnd,
                                                                   const GraphicsState &graphics);

// The shaders of a pipeline module as they were, in the order of the stages. Each has the front
// end's state. Errors:
// InvalidInput for modes that are malformed or do not suit the functions.
dovetail::Result<std::vector<std::unique_ptr<llvm::Module>>> splitShaders(const llvm::Module &pipeline);

} // namespace lgc
