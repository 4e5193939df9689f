// SPDX-License-Identifier: MIT
//
// Copies resources and render passes; pipelines_from_vulkan.cpp copies pipelines.
#include "tools/common/fossilize/from_vulkan.h"
#include "tools/common/fossilize/next_chain.h"
#include <algorithm>

namespace dovetail::fossilize {

namespace {

// Both versions of the struct have the members that are copied here.
template <typename Description> AttachmentDescription describe(const Description &from) {
  return {from.flags,   from.format,  from.finalLayout,   from.initialLayout, from.loadOp,
          from.storeOp, from.samples, from.stencilLoadOp, from.stencilStoreOp};
}

AttachmentReference refer(const VkAttachmentReference &from) {
  return {from.attachment, from.layout, std::nullopt};
}

AttachmentReference refer(const VkAttachmentReference2 &from) {
  return {from.attachment, from.layout, from.aspectMask};
}

template <typename Reference>
void copyReferences(ListOrNull<AttachmentReference> &to, const Reference *from, uint32_t count) {
  for (uint32_t index = 0; from && index < count; ++index)
    to.push_back(refer(from[index]));
}

template <typename Description> Subpass describeSubpass(const Description &from) {
  Subpass subpass;
  subpass.flags = from.flags;
  subpass.pipelineBindPoint = from.pipelineBindPoint;
  copyList(subpass.preserveAttachments, from.pPreserveAttachments, from.preserveAttachmentCount);
  copyReferences(subpass.inputAttachments, from.pInputAttachments, from.inputAttachmentCount);
  copyReferences(subpass.colorAttachments, from.pColorAttachments, from.colorAttachmentCount);
  copyReferences(subpass.resolveAttachments, from.pResolveAttachments, from.colorAttachmentCount);
  if (from.pDepthStencilAttachment)
    subpass.depthStencilAttachment = refer(*from.pDepthStencilAttachment);
  return subpass;
}

template <typename Dependency> SubpassDependency describeDependency(const Dependency &from) {
  return {from.dependencyFlags, from.dstAccessMask, from.srcAccessMask, from.dstStageMask,
          from.srcStageMask,    from.dstSubpass,    from.srcSubpass,    std::nullopt};
}

template <typename Info> RenderPass describePass(const Info &info) {
  RenderPass pass;
  pass.flags = info.flags;
  for (uint32_t index = 0; index < info.attachmentCount; ++index)
    pass.attachments.push_back(describe(info.pAttachments[index]));
  for (uint32_t index = 0; index < info.subpassCount; ++index)
    pass.subpasses.push_back(describeSubpass(info.pSubpasses[index]));
  for (uint32_t index = 0; index < info.dependencyCount; ++index)
    pass.dependencies.push_back(describeDependency(info.pDependencies[index]));
  return pass;
}

} // namespace

SamplerYcbcrConversion fromVulkan(const VkSamplerYcbcrConversionCreateInfo &info) {
  SamplerYcbcrConversion conversion;
  conversion.format = info.format;
  conversion.ycbcrModel = info.ycbcrModel;
  conversion.ycbcrRange = info.ycbcrRange;
  for (VkComponentSwizzle component : {info.components.r, info.components.g, info.components.b, info.components.a})
    conversion.components.push_back(component);
  conversion.xChromaOffset = info.xChromaOffset;
  conversion.yChromaOffset = info.yChromaOffset;
  conversion.chromaFilter = info.chromaFilter;
  conversion.forceExplicitReconstruction = info.forceExplicitReconstruction;
  return conversion;
}

Sampler fromVulkan(const VkSamplerCreateInfo &info, const ConversionOfHandle &conversionOf) {
  Sampler sampler;
  sampler.flags = info.flags;
  sampler.minFilter = info.minFilter;
  sampler.magFilter = info.magFilter;
  sampler.maxAnisotropy = info.maxAnisotropy;
  sampler.compareOp = info.compareOp;
  sampler.anisotropyEnable = info.anisotropyEnable;
  sampler.mipmapMode = info.mipmapMode;
  sampler.addressModeU = info.addressModeU;
  sampler.addressModeV = info.addressModeV;
  sampler.addressModeW = info.addressModeW;
  sampler.borderColor = info.borderColor;
  sampler.unnormalizedCoordinates = info.unnormalizedCoordinates;
  sampler.compareEnable = info.compareEnable;
  sampler.mipLodBias = info.mipLodBias;
  sampler.minLod = info.minLod;
  sampler.maxLod = info.maxLod;
  if (auto *next = findNext<VkSamplerCustomBorderColorCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT)) {
    CustomBorderColor &color = sampler.customBorderColor.emplace();
    std::ranges::copy(next->customBorderColor.uint32, std::back_inserter(color.customBorderColor));
    color.format = next->format;
  }
  if (auto *next =
          findNext<VkSamplerReductionModeCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO))
    sampler.reductionMode.emplace().reductionMode = next->reductionMode;
  if (auto *next = findNext<VkSamplerYcbcrConversionInfo>(info.pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO))
    sampler.ycbcrConversion.emplace(conversionOf(next->conversion));
  return sampler;
}

DescriptorSetLayout fromVulkan(const VkDescriptorSetLayoutCreateInfo &info, const HashOfHandle &hashOf) {
  DescriptorSetLayout layout;
  layout.flags = info.flags;
  for (uint32_t index = 0; index < info.bindingCount; ++index) {
    const VkDescriptorSetLayoutBinding &from = info.pBindings[index];
    LayoutBinding &binding = layout.bindings.emplace_back();
    binding = {from.descriptorType, from.descriptorCount, from.stageFlags, from.binding, std::nullopt};
    const bool hasSamplers = from.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER ||
                             from.descriptorType == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (!hasSamplers || !from.pImmutableSamplers)
      continue;
    binding.immutableSamplers.emplace();
    for (uint32_t sampler = 0; sampler < from.descriptorCount; ++sampler)
      binding.immutableSamplers->push_back(hashOf(VK_OBJECT_TYPE_SAMPLER, toNumber(from.pImmutableSamplers[sampler])));
  }
  if (auto *next = findNext<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO))
    copyList(layout.bindingFlags.emplace().bindingFlags, next->pBindingFlags, next->bindingCount);
  if (auto *next = findNext<VkMutableDescriptorTypeCreateInfoEXT>(
          info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT)) {
    layout.mutableTypes.emplace();
    for (uint32_t index = 0; index < next->mutableDescriptorTypeListCount; ++index) {
      const VkMutableDescriptorTypeListEXT &from = next->pMutableDescriptorTypeLists[index];
      copyList(layout.mutableTypes->mutableDescriptorTypeLists.emplace_back(), from.pDescriptorTypes,
               from.descriptorTypeCount);
    }
  }
  return layout;
}

PipelineLayout fromVulkan(const VkPipelineLayoutCreateInfo &info, const HashOfHandle &hashOf) {
  PipelineLayout layout;
  layout.flags = info.flags;
  for (uint32_t index = 0; index < info.pushConstantRangeCount; ++index) {
    const VkPushConstantRange &from = info.pPushConstantRanges[index];
    layout.pushConstantRanges.push_back({from.stageFlags, from.size, from.offset});
  }
  for (uint32_t index = 0; index < info.setLayoutCount; ++index)
    layout.setLayouts.push_back(hashOf(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, toNumber(info.pSetLayouts[index])));
  return layout;
}

ShaderModule fromVulkan(const VkShaderModuleCreateInfo &info) {
  ShaderModule module;
  module.flags = info.flags;
  copyList(module.words, info.pCode, info.codeSize / sizeof(uint32_t));
  return module;
}

RenderPass fromVulkan(const VkRenderPassCreateInfo &info) {
  RenderPass pass = describePass(info);
  if (auto *next =
          findNext<VkRenderPassMultiviewCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)) {
    Multiview &multiview = pass.multiview.emplace();
    copyList(multiview.viewMasks, next->pViewMasks, next->subpassCount);
    copyList(multiview.viewOffsets, next->pViewOffsets, next->dependencyCount);
    copyList(multiview.correlationMasks, next->pCorrelationMasks, next->correlationMaskCount);
  }
  return pass;
}

RenderPass fromVulkan(const VkRenderPassCreateInfo2 &info) {
  RenderPass pass = describePass(info);
  pass.isVersion2 = true;
  copyList(pass.correlatedViewMasks, info.pCorrelatedViewMasks, info.correlatedViewMaskCount);
  for (uint32_t index = 0; index < info.subpassCount; ++index)
    pass.subpasses[index].viewMask = info.pSubpasses[index].viewMask;
  for (uint32_t index = 0; index < info.dependencyCount; ++index)
    pass.dependencies[index].viewOffset = info.pDependencies[index].viewOffset;
  return pass;
}

bool usesColor(const RenderPass &pass, uint32_t subpass) {
  return subpass < pass.subpasses.size() &&
         std::ranges::any_of(pass.subpasses[subpass].colorAttachments, [](const AttachmentReference &reference) {
           return reference.attachment != VK_ATTACHMENT_UNUSED;
         });
}

bool usesDepthStencil(const RenderPass &pass, uint32_t subpass) {
  return subpass < pass.subpasses.size() && pass.subpasses[subpass].depthStencilAttachment &&
         pass.subpasses[subpass].depthStencilAttachment->attachment != VK_ATTACHMENT_UNUSED;
}

} // namespace dovetail::fossilize
