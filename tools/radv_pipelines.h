// SPDX-License-Identifier: MIT
//
// Pipelines made by Mesa's RADV for a GPU that is not there (its null hardware), as the peer to measure beside. It
// needs the package mesa-vulkan-drivers and no GPU.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <string_view>
#include <vector>

namespace dovetail {

enum class RadvBackend { Llvm, Aco };

// Sets the environment that makes the Vulkan loader load RADV alone, for a Vega 10, without caches, with this back end.
// For the whole process, and only before its first RadvDevice.
void selectRadv(RadvBackend backend);

// A Vulkan device of RADV. Not thread-safe.
class RadvDevice {
public:
  // Errors: Unsupported, with the failing Vulkan call, when the driver is not installed or refuses.
  static Result<std::unique_ptr<RadvDevice>> create();
  virtual ~RadvDevice() = default;

  // Creates and destroys the pipeline of these shaders (a vertex shader with or without a fragment shader, or a compute
  // shader) `runs` times and returns each creation's process CPU time in microseconds. Shader modules and layouts are
  // not counted.
  virtual Result<std::vector<double>> timePipeline(const ShaderSet &shaders, const PipelineState &state,
                                                   unsigned runs) = 0;
};

} // namespace dovetail
