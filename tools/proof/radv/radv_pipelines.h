// SPDX-License-Identifier: MIT
//
// Makes pipelines with Mesa's RADV for a GPU that is not present (RADV's null hardware): a peer to measure against, and
// machine code that this project did not write. Needs the package mesa-vulkan-drivers, but no GPU.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "tools/proof/radv/commands/pm4.h"
#include "tools/proof/radv/graphics_info.h"
#include "tools/proof/radv/radv_programs.h"
#include "tools/proof/radv/radv_recorder.h"
#include "variants/shader.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dovetail {

// The place in Debian's package; the variable DOVETAIL_RADV_DRIVER names another place.
constexpr const char *RadvDriver = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json";

enum class RadvBackend { Llvm, Aco };

// Sets the environment so that the Vulkan loader loads only RADV, for a GPU of this family, with this back end. Counts
// for the whole process; to be called before its first RadvDevice. `cacheFolder`: an existing folder for RADV's disk
// cache; then there are no pipeline libraries. Empty: RADV has no caches.
void selectRadv(RadvBackend backend, const std::string &family = "vega10", const std::string &cacheFolder = {});

struct RadvPipeline {
  std::vector<RadvProgram> programs;
  RegisterValues registers; // RADV's writes for a draw or dispatch, without those that depend on the queue
};

// RADV's register writes for two draws with one pipeline; for dispatches, both are the same.
struct RecordedDraws {
  RegisterValues plain, withRestart; // with primitive restart
};

// A Vulkan device of RADV. Not thread-safe.
class RadvDevice {
public:
  // Errors: Unsupported, with the failing Vulkan call, when the driver is not installed or refuses.
  static Result<std::unique_ptr<RadvDevice>> create();
  virtual ~RadvDevice() = default;

  // Takes the pipeline's programs and registers. Errors: also CheckFailed if its code or commands are not found or not
  // understood.
  virtual Result<RadvPipeline> takePipeline(const ShaderSet &shaders, const PipelineState &state) = 0;

  // The registers that RADV writes for draws or a dispatch with the pipeline, those of its preamble included. Vulkan
  // cannot express GL's states. isLinked: RADV drops outputs that the next stage does not need. Errors: also
  // CheckFailed if its commands are not found or not understood.
  virtual Result<RecordedDraws> recordPipeline(const ShaderSet &shaders, const PipelineState &state, bool isLinked) = 0;

  // Calls `action` with the modules of the shaders and with their layout, so that it can make pipelines of its own.
  using StagesAction = std::function<Result<void>(const RadvStages &, const RadvLayout &)>;
  virtual Result<void> withStages(const ShaderSet &shaders, const StagesAction &action) = 0;
  virtual VkDevice handle() const = 0;
  // Whether it has pipeline libraries, and vertex input as dynamic state.
  virtual bool hasLibraries() const = 0;
};

} // namespace dovetail
