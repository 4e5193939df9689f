// SPDX-License-Identifier: MIT
//
// Which registers RADV writes for a draw or dispatch with a pipeline.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/proof/radv/commands/pm4.h"
#include <functional>
#include <vector>

namespace dovetail {

// What a pipeline's programs read from.
struct RadvLayout {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> sets;
  uint32_t pushConstantBytes = 0;
};

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

  // The same with all resources bound and with values that tell which user SGPR is which (radv_user_data.h).
  Result<RegisterValues> recordMarkedDispatch(VkPipeline pipeline, const RadvLayout &layout);
  Result<RegisterValues> recordMarkedDraw(VkPipeline pipeline, const RadvLayout &layout, const PipelineState &state,
                                          bool xfb);

private:
  RadvRecorder(VkPhysicalDevice physical, VkDevice device) : m_physical(physical), m_device(device) {}
  Result<void> open();
  Result<void> makeBuffer();
  template <typename Function> Function deviceFunction(const char *name) const {
    return reinterpret_cast<Function>(vkGetDeviceProcAddr(m_device, name));
  }
  using Commands = std::function<void(VkCommandBuffer)>;
  Result<RegisterValues> recordMarked(const RadvLayout &layout, VkPipelineBindPoint point, const Commands &commands);
  Result<std::vector<VkDescriptorSet>> makeSets(const RadvLayout &layout, VkDescriptorPool &pool,
                                                VkDescriptorSetLayout &filler);
  void beginDraw(VkCommandBuffer buffer, VkPipeline pipeline, const PipelineState &state, DrawState draw) const;
  Result<RegisterValues> record(const Commands &commands);

  VkPhysicalDevice m_physical;
  VkDevice m_device;
  VkBuffer m_buffer = VK_NULL_HANDLE; // for markers and transform feedback
  VkDeviceMemory m_memory = VK_NULL_HANDLE;
  RegisterValues m_preamble;
  uint32_t m_recordings = 0;
};

} // namespace dovetail
