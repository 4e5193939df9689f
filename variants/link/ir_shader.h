// SPDX-License-Identifier: MIT
//
// Shaders that come as IR: modules that a front end made through a Builder, as bitcode (src/lgc/ir_file.h). They are
// shaders like any others: their parts are joined, optimised, stored and linked. Reflection reads the recorded ops
// instead of SPIR-V; IR has no names and no layout of blocks.
#pragma once

#include "src/lgc/state/front_end_state.h"
#include "variants/shader.h"
#include <string_view>

namespace llvm {
class Module;
}

namespace dovetail {

// The interface of a recorded shader. Errors: InvalidInput without modes.
Result<spirv::Reflection> reflectIr(const llvm::Module &shader);

// Reads a module of one shader, as text or bitcode, with recorded ops. If it has pipeline state, only the fields of
// this shader count: options, GL's colours, the value of gl_DeviceIndex. Thread-safe. Errors: those of lgc::readIr(),
// with the name in front; InvalidInput for a file of several modules, and for malformed state. `dialects`: those of the
// front end (BuilderContext::addDialect).
Result<ShaderRef> createShaderFromIr(std::string name, std::string_view ir, std::string_view gpuName,
                                     std::span<const std::string> dialects = {});

} // namespace dovetail
