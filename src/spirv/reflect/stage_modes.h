// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/module.h"
#include <optional>

namespace dovetail::spirv {

// The least that Vulkan lets maxTessellationPatchSize be, and what RADV reports.
constexpr uint32_t MaxPatchVertices = 32;

// Nothing for a model that is no stage of ours.
std::optional<lgc::ShaderStage> stageOf(spv::ExecutionModel model);
// Error: InvalidInput if the module has no such entry point.
Result<const EntryPoint *> findEntryPoint(const Module &module, std::string_view name, lgc::ShaderStage stage);

// Takes over an execution mode. Returns false for a mode that the shader modes do not have: sizes of workgroups, and
// what only the translation itself must know. Error: Unsupported for numbers out of range.
Result<bool> takeMode(const ExecutionMode &mode, lgc::ShaderModes &modes);

} // namespace dovetail::spirv
