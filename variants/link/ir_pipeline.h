// SPDX-License-Identifier: MIT
//
// Pipelines that come as IR: pipeline modules (src/lgc/pipeline_module.h), in which Pipeline::irLink() has put shader
// modules together with their state. Another process may have made them.
#pragma once

#include "src/lgc/state/front_end_state.h"
#include "src/lgc/state/graphics_state.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lgc {
enum class IrFormat;
}

namespace dovetail {

struct IrPipeline {
  ShaderSet shaders; // including the layout
  PipelineState state;
};

// Writes the shaders of a pipeline as one pipeline module. Each is translated by a Builder in a context of its own,
// like shaders that an application makes long before it uses them. Errors: those of the front end.
Result<std::string> writeIrPipeline(const ShaderSet &shaders, const PipelineState &state, std::string_view gpuName,
                                    lgc::IrFormat format);

struct IrState {
  lgc::GraphicsState graphics;
  std::optional<lgc::FrontEndState> frontEnd; // with the stages of the module's shaders, if it has any
};

// Reads only the state of a module, which need not have shaders. Errors: those of readIrPipeline(); InvalidInput if it
// has no state.
Result<IrState> readIrState(const std::string &name, std::string_view ir, std::string_view gpuName);

// Reads the shaders of a pipeline module, and their state. Any other module is a shader without state. Thread-safe.
// Errors: those of lgc::readIr(), with the name in front; InvalidInput for malformed metadata, and for a file of
// several modules. `dialects`: those of the front end (BuilderContext::addDialect).
Result<IrPipeline> readIrPipeline(const std::string &name, std::string_view ir, std::string_view gpuName,
                                  std::span<const std::string> dialects = {});

} // namespace dovetail
