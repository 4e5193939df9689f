// SPDX-License-Identifier: MIT
//
// Which registers RADV writes for a draw or dispatch with a pipeline.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/radv/pm4.h"
#include <functional>

namespace dovetail {

// Records and forgets command buffers of a device of RADV's null hardware. Not thread-safe.
class RadvRecorder {
public:
  // Errors: Unsupported, with the failing Vulkan call.
  static Result<RadvRecorder> create(VkPhysicalDevice physical, VkDevice device);
  RadvRecorder(RadvRecorder &&other) noexcept;
  RadvRecorder &operator=(RadvRecorder &&) = delete;
  ~RadvRecorder();

  // One workgroup.
  Result<RegisterValues> recordDispatch(VkPipeline pipeline);
  // One draw of one primitive, or of one patch.
  struct DrawState {
    bool xfb; // all buffers of transform feedback are bound
    bool primitiveRestart;
  };
  Result<RegisterValues> recordDraw(VkPipeline pipeline, const PipelineState &state, DrawState draw);

private:
  RadvRecorder(VkPhysicalDevice physical, VkDevice device) : m_physical(physical), m_device(device) {}
  Result<void> open();
  Result<void> makeBuffer();
  Result<RegisterValues> record(const std::function<void(VkCommandBuffer)> &commands);

  VkPhysicalDevice m_physical;
  VkDevice m_device;
  VkBuffer m_buffer = VK_NULL_HANDLE; // for markers and transform feedback
  VkDeviceMemory m_memory = VK_NULL_HANDLE;
  RegisterValues m_preamble;
  uint32_t m_recordings = 0;
};

} // namespace dovetail
