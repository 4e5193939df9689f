// SPDX-License-Identifier: MIT
//
// Records draws and dispatches, and finds the registers that RADV writes for a pipeline.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/proof/radv/commands/pm4.h"
#include <functional>
#include <vector>

namespace dovetail {

// The layout from which a pipeline's programs read.
struct RadvLayout {
  VkPipelineLayout layout = VK_NULL_HANDLE;
  std::vector<VkDescriptorSetLayout> sets;
  uint32_t pushConstantBytes = 0;
};

// Records command buffers on RADV's null hardware and drops them. Not thread-safe.
class RadvRecorder {
public:
  // Errors: Unsupported, with the failing Vulkan call.
  static Result<RadvRecorder> create(VkPhysicalDevice physical, VkDevice device);
  RadvRecorder(RadvRecorder &&other) noexcept;
  RadvRecorder &operator=(RadvRecorder &&) = delete;
  ~RadvRecorder();

  // Records one workgroup.
  Result<RegisterValues> recordDispatch(VkPipeline pipeline);
  // Records one draw of one primitive or one patch.
  struct DrawState {
    bool xfb; // all transform feedback buffers are bound
    bool primitiveRestart;
  };
  Result<RegisterValues> recordDraw(VkPipeline pipeline, const PipelineState &state, DrawState draw);

  // The same with all resources bound, and with values that tell the user SGPRs apart (radv_user_data.h).
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
