// SPDX-License-Identifier: MIT
//
// The functions that the layer calls for the commands that it follows (followed_commands.txt). A function has the
// parameters of its Vulkan command; the layer's object stands in place of the first handle. Each is called on the
// application's thread, and may throw (guarded()).
#pragma once

#include "tools/programs/layer/recording.h"

namespace dovetail::layer {

// reported_features.cpp. Functions that may refuse a command. They throw nothing.
VkResult checkCreateShaderModule(Device &device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *,
                                 VkShaderModule *) noexcept;
VkResult checkCreateGraphicsPipelines(Device &device, VkPipelineCache, uint32_t count,
                                      const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                      VkPipeline *made) noexcept;
VkResult checkCreateComputePipelines(Device &device, VkPipelineCache, uint32_t count,
                                     const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                     VkPipeline *made) noexcept;

// follow_objects.cpp
void followCreateShaderModule(Device &device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *,
                              const VkShaderModule *made);
void followDestroyShaderModule(Device &device, VkShaderModule handle, const VkAllocationCallbacks *);
void followCreateSampler(Device &device, const VkSamplerCreateInfo *info, const VkAllocationCallbacks *,
                         const VkSampler *made);
void followDestroySampler(Device &device, VkSampler handle, const VkAllocationCallbacks *);
void followCreateSamplerYcbcrConversion(Device &device, const VkSamplerYcbcrConversionCreateInfo *info,
                                        const VkAllocationCallbacks *, const VkSamplerYcbcrConversion *made);
void followDestroySamplerYcbcrConversion(Device &device, VkSamplerYcbcrConversion handle,
                                         const VkAllocationCallbacks *);
void followCreateDescriptorSetLayout(Device &device, const VkDescriptorSetLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *, const VkDescriptorSetLayout *made);
void followDestroyDescriptorSetLayout(Device &device, VkDescriptorSetLayout handle, const VkAllocationCallbacks *);
void followCreatePipelineLayout(Device &device, const VkPipelineLayoutCreateInfo *info, const VkAllocationCallbacks *,
                                const VkPipelineLayout *made);
void followDestroyPipelineLayout(Device &device, VkPipelineLayout handle, const VkAllocationCallbacks *);
void followCreateRenderPass(Device &device, const VkRenderPassCreateInfo *info, const VkAllocationCallbacks *,
                            const VkRenderPass *made);
void followCreateRenderPass2(Device &device, const VkRenderPassCreateInfo2 *info, const VkAllocationCallbacks *,
                             const VkRenderPass *made);
void followDestroyRenderPass(Device &device, VkRenderPass handle, const VkAllocationCallbacks *);
void followCreateCommandPool(Device &device, const VkCommandPoolCreateInfo *, const VkAllocationCallbacks *,
                             const VkCommandPool *made);
void followDestroyCommandPool(Device &device, VkCommandPool handle, const VkAllocationCallbacks *);
void followAllocateCommandBuffers(Device &device, const VkCommandBufferAllocateInfo *info, const VkCommandBuffer *made);
void followFreeCommandBuffers(Device &device, VkCommandPool pool, uint32_t count, const VkCommandBuffer *handles);
void followQueuePresentKHR(Device &device, const VkPresentInfoKHR *);
void followQueueSubmit(Device &device, uint32_t count, const VkSubmitInfo *submits, VkFence);
void followQueueSubmit2(Device &device, uint32_t count, const VkSubmitInfo2 *submits, VkFence);
void followSetDebugUtilsObjectNameEXT(Device &device, const VkDebugUtilsObjectNameInfoEXT *info);
void followDebugMarkerSetObjectNameEXT(Device &device, const VkDebugMarkerObjectNameInfoEXT *info);

// follow_pipelines.cpp
void followCreateGraphicsPipelines(Device &device, VkPipelineCache, uint32_t count,
                                   const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                   const VkPipeline *made);
void followCreateComputePipelines(Device &device, VkPipelineCache, uint32_t count,
                                  const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                  const VkPipeline *made);
void followDestroyPipeline(Device &device, VkPipeline handle, const VkAllocationCallbacks *);

// follow_recording.cpp
void followBeginCommandBuffer(Recording &recording, const VkCommandBufferBeginInfo *);
void followCmdBindPipeline(Recording &recording, VkPipelineBindPoint point, VkPipeline handle);
void followCmdPushConstants(Recording &recording, VkPipelineLayout, VkShaderStageFlags, uint32_t, uint32_t size,
                            const void *);
void followCmdSetVertexInputEXT(Recording &recording, uint32_t bindingCount,
                                const VkVertexInputBindingDescription2EXT *bindings, uint32_t attributeCount,
                                const VkVertexInputAttributeDescription2EXT *attributes);
void followCmdSetColorBlendEnableEXT(Recording &recording, uint32_t first, uint32_t count, const VkBool32 *enables);
void followCmdSetColorBlendEquationEXT(Recording &recording, uint32_t first, uint32_t count,
                                       const VkColorBlendEquationEXT *equations);
void followCmdSetColorWriteMaskEXT(Recording &recording, uint32_t first, uint32_t count,
                                   const VkColorComponentFlags *masks);
void followCmdSetColorWriteEnableEXT(Recording &recording, uint32_t count, const VkBool32 *enables);

// follow_execution.cpp, only if draws are executed
void trackAllocateMemory(Device &device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *,
                         const VkDeviceMemory *made);
void trackFreeMemory(Device &device, VkDeviceMemory handle, const VkAllocationCallbacks *);
void trackCreateBuffer(Device &device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *,
                       const VkBuffer *made);
void trackDestroyBuffer(Device &device, VkBuffer handle, const VkAllocationCallbacks *);
void trackBindBufferMemory(Device &device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset);
void trackBindBufferMemory2(Device &device, uint32_t count, const VkBindBufferMemoryInfo *infos);
void trackCreateBufferView(Device &device, const VkBufferViewCreateInfo *info, const VkAllocationCallbacks *,
                           const VkBufferView *made);
void trackDestroyBufferView(Device &device, VkBufferView handle, const VkAllocationCallbacks *);
void trackCreateImage(Device &device, const VkImageCreateInfo *info, const VkAllocationCallbacks *,
                      const VkImage *made);
void trackDestroyImage(Device &device, VkImage handle, const VkAllocationCallbacks *);
void trackCreateSwapchainKHR(Device &device, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *,
                             const VkSwapchainKHR *made);
void trackDestroySwapchainKHR(Device &device, VkSwapchainKHR handle, const VkAllocationCallbacks *);
void trackGetSwapchainImagesKHR(Device &device, VkSwapchainKHR handle, const uint32_t *count, const VkImage *images);
void trackCreateImageView(Device &device, const VkImageViewCreateInfo *info, const VkAllocationCallbacks *,
                          const VkImageView *made);
void trackDestroyImageView(Device &device, VkImageView handle, const VkAllocationCallbacks *);
void trackCreateFramebuffer(Device &device, const VkFramebufferCreateInfo *info, const VkAllocationCallbacks *,
                            const VkFramebuffer *made);
void trackDestroyFramebuffer(Device &device, VkFramebuffer handle, const VkAllocationCallbacks *);
void trackAllocateDescriptorSets(Device &device, const VkDescriptorSetAllocateInfo *info, const VkDescriptorSet *made);
void trackFreeDescriptorSets(Device &device, VkDescriptorPool, uint32_t count, const VkDescriptorSet *handles);
void trackResetDescriptorPool(Device &device, VkDescriptorPool pool, VkDescriptorPoolResetFlags);
void trackDestroyDescriptorPool(Device &device, VkDescriptorPool pool, const VkAllocationCallbacks *);
void trackUpdateDescriptorSets(Device &device, uint32_t writeCount, const VkWriteDescriptorSet *writes,
                               uint32_t copyCount, const VkCopyDescriptorSet *copies);
void trackCreateDescriptorUpdateTemplate(Device &device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                         const VkAllocationCallbacks *, const VkDescriptorUpdateTemplate *made);
void trackDestroyDescriptorUpdateTemplate(Device &device, VkDescriptorUpdateTemplate handle,
                                          const VkAllocationCallbacks *);
void trackUpdateDescriptorSetWithTemplate(Device &device, VkDescriptorSet handle, VkDescriptorUpdateTemplate entries,
                                          const void *data);
void trackCmdBindDescriptorSets(Recording &recording, VkPipelineBindPoint point, VkPipelineLayout layout,
                                uint32_t first, uint32_t count, const VkDescriptorSet *handles, uint32_t,
                                const uint32_t *dynamicOffsets);
void trackCmdPushDescriptorSetKHR(Recording &recording, VkPipelineBindPoint point, VkPipelineLayout layout,
                                  uint32_t set, uint32_t count, const VkWriteDescriptorSet *writes);
void trackCmdPushDescriptorSetWithTemplateKHR(Recording &recording, VkDescriptorUpdateTemplate entries,
                                              VkPipelineLayout layout, uint32_t set, const void *data);
void trackCmdBindVertexBuffers(Recording &recording, uint32_t first, uint32_t count, const VkBuffer *buffers,
                               const VkDeviceSize *offsets);
void trackCmdBindVertexBuffers2(Recording &recording, uint32_t first, uint32_t count, const VkBuffer *buffers,
                                const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides);
void trackCmdBindIndexBuffer(Recording &recording, VkBuffer buffer, VkDeviceSize offset, VkIndexType type);
void trackCmdBeginRendering(Recording &recording, const VkRenderingInfo *info);
void trackCmdEndRendering(Recording &recording);
void trackCmdBeginRenderPass(Recording &recording, const VkRenderPassBeginInfo *info, VkSubpassContents);
void trackCmdBeginRenderPass2(Recording &recording, const VkRenderPassBeginInfo *info, const VkSubpassBeginInfo *);
void trackCmdNextSubpass(Recording &recording, VkSubpassContents);
void trackCmdNextSubpass2(Recording &recording, const VkSubpassBeginInfo *, const VkSubpassEndInfo *);
void trackCmdEndRenderPass(Recording &recording);
void trackCmdEndRenderPass2(Recording &recording, const VkSubpassEndInfo *);
void trackCmdBeginTransformFeedbackEXT(Recording &recording, uint32_t, uint32_t, const VkBuffer *,
                                       const VkDeviceSize *);
void trackCmdEndTransformFeedbackEXT(Recording &recording, uint32_t, uint32_t, const VkBuffer *, const VkDeviceSize *);
void trackCmdBeginConditionalRenderingEXT(Recording &recording, const VkConditionalRenderingBeginInfoEXT *);
void trackCmdEndConditionalRenderingEXT(Recording &recording);
void trackCmdSetViewport(Recording &recording, uint32_t first, uint32_t count, const VkViewport *viewports);
void trackCmdSetViewportWithCount(Recording &recording, uint32_t count, const VkViewport *viewports);
void trackCmdSetScissor(Recording &recording, uint32_t first, uint32_t count, const VkRect2D *scissors);
void trackCmdSetScissorWithCount(Recording &recording, uint32_t count, const VkRect2D *scissors);
void trackCmdSetDepthBias(Recording &recording, float constant, float clamp, float slope);
void trackCmdSetBlendConstants(Recording &recording, const float *constants);
void trackCmdSetSampleMaskEXT(Recording &recording, VkSampleCountFlagBits, const VkSampleMask *mask);
void trackCmdSetStencilCompareMask(Recording &recording, VkStencilFaceFlags faces, uint32_t value);
void trackCmdSetStencilWriteMask(Recording &recording, VkStencilFaceFlags faces, uint32_t value);
void trackCmdSetStencilReference(Recording &recording, VkStencilFaceFlags faces, uint32_t value);
void trackCmdSetStencilOp(Recording &recording, VkStencilFaceFlags faces, VkStencilOp fail, VkStencilOp pass,
                          VkStencilOp depthFail, VkCompareOp compare);
DrawCall callOfCmdDraw(Recording &, uint32_t count, uint32_t instances, uint32_t first, uint32_t firstInstance);
DrawCall callOfCmdDrawIndexed(Recording &recording, uint32_t count, uint32_t instances, uint32_t first,
                              int32_t vertexOffset, uint32_t firstInstance);
DrawCall callOfCmdDrawIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset, uint32_t draws, uint32_t);
DrawCall callOfCmdDrawIndexedIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset, uint32_t draws,
                                      uint32_t);
DrawCall callOfCmdDrawIndirectCount(Recording &recording, VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,
                                    VkDeviceSize countOffset, uint32_t, uint32_t);
DrawCall callOfCmdDrawIndexedIndirectCount(Recording &recording, VkBuffer buffer, VkDeviceSize offset,
                                           VkBuffer countBuffer, VkDeviceSize countOffset, uint32_t most,
                                           uint32_t stride);
DrawCall callOfCmdDrawMultiEXT(Recording &recording, uint32_t draws, const VkMultiDrawInfoEXT *infos,
                               uint32_t instances, uint32_t firstInstance, uint32_t);
DrawCall callOfCmdDrawMultiIndexedEXT(Recording &recording, uint32_t draws, const VkMultiDrawIndexedInfoEXT *infos,
                                      uint32_t instances, uint32_t firstInstance, uint32_t,
                                      const int32_t *vertexOffset);
DrawCall callOfCmdDrawIndirectByteCountEXT(Recording &, uint32_t, uint32_t, VkBuffer, VkDeviceSize, uint32_t, uint32_t);
DrawCall callOfCmdDispatch(Recording &, uint32_t x, uint32_t y, uint32_t z);
DrawCall callOfCmdDispatchBase(Recording &recording, uint32_t baseX, uint32_t baseY, uint32_t baseZ, uint32_t x,
                               uint32_t y, uint32_t z);
DrawCall callOfCmdDispatchIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset);

} // namespace dovetail::layer
