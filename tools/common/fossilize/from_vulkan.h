// SPDX-License-Identifier: MIT
//
// Objects from Vulkan's create-infos, for whoever captures an application: a create-info is copied when the application
// calls, and lives as long as it is wanted. What pNext chains have and objects.h has not is left out.
//
//   Sampler sampler = fromVulkan(*pCreateInfo);
//   ObjectHash hash = addObject(writer, sampler);   // write_object.h; to be kept beside the VkSampler
//
// All functions are thread-safe and have no Errors: what an application may not say is undefined in Vulkan, too.
#pragma once

#include "tools/common/fossilize/objects.h"
#include <functional>

namespace dovetail::fossilize {

// The hash under which a handle's object was added; a null hash for VK_NULL_HANDLE and for what nobody knows. Handles
// are those of vkCreate…(), as numbers: of samplers, set layouts, pipeline layouts, shader modules, render passes and
// pipelines.
using HashOfHandle = std::function<ObjectHash(VkObjectType type, uint64_t handle)>;

// What vkCreateSamplerYcbcrConversion() was given; VK_FORMAT_UNDEFINED for what nobody knows.
using ConversionOfHandle = std::function<SamplerYcbcrConversion(VkSamplerYcbcrConversion handle)>;

SamplerYcbcrConversion fromVulkan(const VkSamplerYcbcrConversionCreateInfo &info);
Sampler fromVulkan(const VkSamplerCreateInfo &info, const ConversionOfHandle &conversionOf);
DescriptorSetLayout fromVulkan(const VkDescriptorSetLayoutCreateInfo &info, const HashOfHandle &hashOf);
PipelineLayout fromVulkan(const VkPipelineLayoutCreateInfo &info, const HashOfHandle &hashOf);
ShaderModule fromVulkan(const VkShaderModuleCreateInfo &info);
RenderPass fromVulkan(const VkRenderPassCreateInfo &info);
RenderPass fromVulkan(const VkRenderPassCreateInfo2 &info);
// A module that comes in the pNext chain of a stage (VK_KHR_maintenance5, graphics pipeline libraries) is asked for as
// VK_NULL_HANDLE; the caller adds it and sets ShaderStage::module.
ComputePipeline fromVulkan(const VkComputePipelineCreateInfo &info, const HashOfHandle &hashOf);
// State that Vulkan ignores is left out: that of pieces which a library is not made of, and what no rasterisation needs
// if it is discarded. `usesColor` and `usesDepthStencil`: of the subpass, if there is a render pass.
GraphicsPipeline fromVulkan(const VkGraphicsPipelineCreateInfo &info, const HashOfHandle &hashOf, bool usesColor = true,
                            bool usesDepthStencil = true);

// Of a subpass, for the above.
bool usesColor(const RenderPass &pass, uint32_t subpass);
bool usesDepthStencil(const RenderPass &pass, uint32_t subpass);

} // namespace dovetail::fossilize
