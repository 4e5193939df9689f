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

} // namespace dovetail::layer
