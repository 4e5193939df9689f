// SPDX-License-Identifier: MIT
//
// Follows commands that change the state of later draws. The build makes the code for commands of one value from
// followed_commands.txt.
#include "tools/programs/layer/followers.h"
#include <algorithm>
#include <cstring>

namespace dovetail::layer {

namespace {

// Changes `count` targets from `first` on; targets beyond MaxTargets are ignored.
template <typename Value, typename Change>
void changeTargets(Recording &recording, DynamicState state, uint32_t first, uint32_t count, const Value *values,
                   const Change &change) {
  DynamicValues &dynamic = recording.dynamic();
  for (uint32_t index = 0; index < count && first + index < MaxTargets; ++index)
    change(dynamic.targets[first + index], values[index]);
  recording.noteChange(state);
}

} // namespace

void followBeginCommandBuffer(Recording &recording, const VkCommandBufferBeginInfo *info) {
  recording.begin();
  if (!recording.tracker() || !recording.isSecondary() || !info->pInheritanceInfo ||
      !(info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT))
    return;
  const VkCommandBufferInheritanceInfo &inherited = *info->pInheritanceInfo;
  recording.tracker()->continuePass(recording.device().renderPasses.find(inherited.renderPass), inherited.subpass,
                                    recording.device().execution()->objects.framebuffers.find(inherited.framebuffer));
}

void followCmdBindPipeline(Recording &recording, VkPipelineBindPoint point, VkPipeline handle) {
  recording.bindPipeline(point, recording.device().pipelines.find(handle));
}

void followCmdPushConstants(Recording &recording, VkPipelineLayout, VkShaderStageFlags, uint32_t offset, uint32_t size,
                            const void *values) {
  recording.pool().counts.pushConstantBytes.add(size);
  if (!recording.tracker())
    return;
  std::vector<uint8_t> &pushed = recording.tracker()->pushConstants();
  pushed.resize(std::max<size_t>(pushed.size(), offset + size));
  std::memcpy(pushed.data() + offset, values, size);
}

void followCmdSetVertexInputEXT(Recording &recording, uint32_t bindingCount,
                                const VkVertexInputBindingDescription2EXT *bindings, uint32_t attributeCount,
                                const VkVertexInputAttributeDescription2EXT *attributes) {
  DynamicValues &dynamic = recording.dynamic();
  dynamic.bindings.clear();
  dynamic.attributes.clear();
  for (uint32_t index = 0; index < bindingCount; ++index)
    dynamic.bindings.push_back({bindings[index].binding, bindings[index].stride, uint32_t(bindings[index].inputRate),
                                bindings[index].divisor});
  for (uint32_t index = 0; index < attributeCount; ++index)
    dynamic.attributes.push_back({attributes[index].location, attributes[index].binding,
                                  uint32_t(attributes[index].format), attributes[index].offset});
  recording.noteChange(DynamicState::VertexInput);
}

void followCmdSetColorBlendEnableEXT(Recording &recording, uint32_t first, uint32_t count, const VkBool32 *enables) {
  changeTargets(recording, DynamicState::ColorBlendEnable, first, count, enables,
                [](dovetail_color_target &target, VkBool32 enable) { target.blend_enable = enable; });
}

void followCmdSetColorBlendEquationEXT(Recording &recording, uint32_t first, uint32_t count,
                                       const VkColorBlendEquationEXT *equations) {
  changeTargets(
      recording, DynamicState::ColorBlendEquation, first, count, equations,
      [](dovetail_color_target &target, const VkColorBlendEquationEXT &equation) { setBlending(equation, target); });
}

void followCmdSetColorWriteMaskEXT(Recording &recording, uint32_t first, uint32_t count,
                                   const VkColorComponentFlags *masks) {
  changeTargets(recording, DynamicState::ColorWriteMask, first, count, masks,
                [](dovetail_color_target &target, VkColorComponentFlags mask) { target.write_mask = mask; });
}

void followCmdSetColorWriteEnableEXT(Recording &recording, uint32_t count, const VkBool32 *enables) {
  std::copy_n(enables, std::min<size_t>(count, MaxTargets), recording.dynamic().writes.begin());
  recording.noteChange(DynamicState::ColorWriteEnable);
}

} // namespace dovetail::layer
