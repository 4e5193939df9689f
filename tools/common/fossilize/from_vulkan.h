// SPDX-License-Identifier: MIT
//
// Makes objects from Vulkan's create-infos, for captures of an application: a create-info is copied when the
// application calls, and the copy lives as long as it is wanted. Structs of pNext chains that objects.h lacks are left
// out.
//
//   Sampler sampler = fromVulkan(*pCreateInfo);
//   ObjectHash hash = addObject(writer, sampler);   // write_object.h; to be kept beside the VkSampler
//
// All functions are thread-safe and have no Errors: create-infos that Vulkan forbids have undefined results here, too.
#pragma once

#include "tools/common/fossilize/objects.h"
#include <functional>

namespace dovetail::fossilize {

// The hash under which a handle's object was added; a null hash for VK_NULL_HANDLE and for unknown handles. Handles are
// the numbers that vkCreate…() returned for samplers, set layouts, pipeline layouts, shader modules, render passes and
// pipelines.
using HashOfHandle = std::function<ObjectHash(VkObjectType type, uint64_t handle)>;

// The arguments of vkCreateSamplerYcbcrConversion(); VK_FORMAT_UNDEFINED for an unknown handle.
using ConversionOfHandle = std::function<SamplerYcbcrConversion(VkSamplerYcbcrConversion handle)>;

SamplerYcbcrConversion fromVulkan(const VkSamplerYcbcrConversionCreateInfo &info);
Sampler fromVulkan(const VkSamplerCreateInfo &info, const ConversionOfHandle &conversionOf);
DescriptorSetLayout fromVulkan(const VkDescriptorSetLayoutCreateInfo &info, const HashOfHandle &hashOf);
PipelineLayout fromVulkan(const VkPipelineLayoutCreateInfo &info, const HashOfHandle &hashOf);
ShaderModule fromVulkan(const VkShaderModuleCreateInfo &info);
RenderPass fromVulkan(const VkRenderPassCreateInfo &info);
RenderPass fromVulkan(const VkRenderPassCreateInfo2 &info);
// If the module comes in the pNext chain of a stage (VK_KHR_maintenance5, graphics pipeline libraries), hashOf is asked
// for VK_NULL_HANDLE; the caller adds the module and sets ShaderStage::module.
ComputePipeline fromVulkan(const VkComputePipelineCreateInfo &info, const HashOfHandle &hashOf);
// Leaves out state that Vulkan ignores: pieces that a library does not have, and state of the fragment stages if
// rasterisation is discarded. `usesColor` and `usesDepthStencil` describe the subpass, if there is a render pass.
GraphicsPipeline fromVulkan(const VkGraphicsPipelineCreateInfo &info, const HashOfHandle &hashOf, bool usesColor = true,
                            bool usesDepthStencil = true);

// Whether a subpass uses them: the arguments of fromVulkan() above.
bool usesColor(const RenderPass &pass, uint32_t subpass);
bool usesDepthStencil(const RenderPass &pass, uint32_t subpass);

} // namespace dovetail::fossilize
