// SPDX-License-Identifier: MIT
//
// Shaders that come as IR: modules that a front end made through a Builder, as bitcode (src/lgc/ir_file.h). They are
// shaders like any others: their parts are joined, optimised, stored and linked. What is read of the SPIR-V of others
// is read of the recorded ops here; names and the layout of blocks are not in IR.
#pragma once

#include "src/lgc/state/front_end_state.h"
#include "variants/shader.h"
#include <string_view>

namespace llvm {
class Module;
}

namespace dovetail {

// The interface of a shader as it was recorded. Errors: InvalidInput without modes.
Result<spirv::Reflection> reflectIr(const llvm::Module &shader);

// Reads a module of one shader, as text or bitcode, with ops as they were recorded. Of its own pipeline state, if it
// has one, what concerns this shader alone counts: options, GL's colours, what gl_DeviceIndex is. Thread-safe. Errors:
// those of lgc::readIr(), with the name in front; InvalidInput for a file of several modules, and for state that is
// malformed. `dialects`: of the front end (BuilderContext::addDialect).
Result<ShaderRef> createShaderFromIr(std::string name, std::string_view ir, std::string_view gpuName,
                                     std::span<const std::string> dialects = {});

} // namespace dovetail
