// SPDX-License-Identifier: MIT
//
// Shader modules, layouts, render passes and command pools.
//
// The root table of a pipeline layout is what layOutRootTable() (tools/fossilize/pipeline_state.h) makes of its
// capture: a dword for each set, the address of its descriptors, and behind them the push constants. Push constants
// begin at the same place in all layouts of up to RootSets sets, and sets that a layout leaves out keep their place, so
// that what a shader is compiled for in a pipeline library is what it finds in the pipeline that the library becomes a
// part of.
#include "tools/fossilize/from_vulkan.h"
#include "tools/fossilize/write_object.h"
#include "tools/layer/followers.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

constexpr uint32_t RootSets = 8;

// How many dwords a descriptor has, and which kind of node it is.
struct DescriptorShape {
  dovetail_node_type type;
  uint32_t dwords;
};

DescriptorShape shapeOf(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return {DOVETAIL_NODE_SAMPLER, 4};
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return {DOVETAIL_NODE_COMBINED_IMAGE_SAMPLER, 12};
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return {DOVETAIL_NODE_IMAGE, 8};
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return {DOVETAIL_NODE_TEXEL_BUFFER, 4};
  default: // what has no node of its own has one that no shader will find fit
    return {DOVETAIL_NODE_BUFFER, 4};
  }
}

// Render passes of either version.
template <typename Info> std::shared_ptr<RenderPass> makeRenderPass(const Info &info) {
  auto pass = std::make_shared<RenderPass>();
  const auto formatOf = [&](uint32_t attachment) {
    return attachment < info.attachmentCount ? info.pAttachments[attachment].format : VK_FORMAT_UNDEFINED;
  };
  for (uint32_t index = 0; index < info.subpassCount; ++index) {
    const auto &given = info.pSubpasses[index];
    Subpass &subpass = pass->subpasses.emplace_back();
    for (uint32_t color = 0; color < given.colorAttachmentCount; ++color)
      subpass.colors.push_back(formatOf(given.pColorAttachments[color].attachment));
    if (given.pDepthStencilAttachment)
      subpass.depthStencil = formatOf(given.pDepthStencilAttachment->attachment);
  }
  return pass;
}

} // namespace

void followCreateShaderModule(Device &device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *,
                              const VkShaderModule *made) {
  auto module = std::make_shared<Module>();
  module->words.assign(info->pCode, info->pCode + info->codeSize / sizeof(uint32_t));
  module->hash = hashOf(module->words.data(), info->codeSize);
  device.modules.add(*made, std::move(module));
}

void followDestroyShaderModule(Device &device, VkShaderModule handle, const VkAllocationCallbacks *) {
  device.modules.remove(handle);
}

void followCreateSampler(Device &device, const VkSamplerCreateInfo *info, const VkAllocationCallbacks *,
                         const VkSampler *made) {
  device.samplers.add(*made, std::make_shared<fossilize::Sampler>(fossilize::fromVulkan(*info)));
}

void followDestroySampler(Device &device, VkSampler handle, const VkAllocationCallbacks *) {
  device.samplers.remove(handle);
}

void followCreateDescriptorSetLayout(Device &device, const VkDescriptorSetLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *, const VkDescriptorSetLayout *made) {
  auto layout = std::make_shared<SetLayout>();
  std::vector<VkDescriptorSetLayoutBinding> bindings(info->pBindings, info->pBindings + info->bindingCount);
  std::ranges::sort(bindings, {}, &VkDescriptorSetLayoutBinding::binding);
  uint32_t offset = 0;
  for (const VkDescriptorSetLayoutBinding &binding : bindings) {
    const DescriptorShape shape = shapeOf(binding.descriptorType);
    // The count of an inline uniform block is its size in bytes.
    const uint32_t count =
        binding.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : binding.descriptorCount;
    if (count == 0)
      continue;
    layout->elements.push_back({.type = uint32_t(shape.type),
                                .binding = binding.binding,
                                .offset_in_dwords = offset,
                                .size_in_dwords = count * shape.dwords,
                                .stride_in_dwords = shape.dwords});
    offset += count * shape.dwords;
  }
  layout->capture = fossilize::fromVulkan(*info, [&](VkObjectType, uint64_t handle) {
    const std::shared_ptr<fossilize::Sampler> sampler = device.samplers.find(reinterpret_cast<VkSampler>(handle));
    if (!sampler)
      return fossilize::ObjectHash();
    layout->samplers.push_back(*sampler);
    return fossilize::writeObject(*sampler).hash;
  });
  device.setLayouts.add(*made, std::move(layout));
}

void followDestroyDescriptorSetLayout(Device &device, VkDescriptorSetLayout handle, const VkAllocationCallbacks *) {
  device.setLayouts.remove(handle);
}

void followCreatePipelineLayout(Device &device, const VkPipelineLayoutCreateInfo *info, const VkAllocationCallbacks *,
                                const VkPipelineLayout *made) {
  auto layout = std::make_shared<PipelineLayout>();
  std::vector<dovetail_layout_node> elements;
  for (uint32_t set = 0; set < info->setLayoutCount; ++set) {
    const std::shared_ptr<SetLayout> setLayout = device.setLayouts.find(info->pSetLayouts[set]);
    layout->sets.push_back(setLayout);
    if (!setLayout || setLayout->elements.empty())
      continue;
    layout->nodes.push_back(
        {.type = DOVETAIL_NODE_DESCRIPTOR_TABLE, .set = set, .offset_in_dwords = set, .size_in_dwords = 1});
    for (dovetail_layout_node element : setLayout->elements) {
      element.set = set;
      elements.push_back(element);
    }
  }
  uint32_t pushConstantEnd = 0;
  for (uint32_t index = 0; index < info->pushConstantRangeCount; ++index)
    pushConstantEnd =
        std::max(pushConstantEnd, info->pPushConstantRanges[index].offset + info->pPushConstantRanges[index].size);
  layout->pushConstantBytes = pushConstantEnd;
  if (pushConstantEnd > 0)
    layout->nodes.push_back({.type = DOVETAIL_NODE_PUSH_CONSTANTS,
                             .offset_in_dwords = std::max(RootSets, info->setLayoutCount),
                             .size_in_dwords = (pushConstantEnd + 3) / 4});
  layout->nodes.insert(layout->nodes.end(), elements.begin(), elements.end());
  device.pipelineLayouts.add(*made, std::move(layout));
}

void followDestroyPipelineLayout(Device &device, VkPipelineLayout handle, const VkAllocationCallbacks *) {
  device.pipelineLayouts.remove(handle);
}

void followCreateRenderPass(Device &device, const VkRenderPassCreateInfo *info, const VkAllocationCallbacks *,
                            const VkRenderPass *made) {
  device.renderPasses.add(*made, makeRenderPass(*info));
}

void followCreateRenderPass2(Device &device, const VkRenderPassCreateInfo2 *info, const VkAllocationCallbacks *,
                             const VkRenderPass *made) {
  device.renderPasses.add(*made, makeRenderPass(*info));
}

void followDestroyRenderPass(Device &device, VkRenderPass handle, const VkAllocationCallbacks *) {
  device.renderPasses.remove(handle);
}

void followCreateCommandPool(Device &device, const VkCommandPoolCreateInfo *, const VkAllocationCallbacks *,
                             const VkCommandPool *made) {
  device.pools.add(*made, std::make_shared<Pool>(device));
}

void followDestroyCommandPool(Device &device, VkCommandPool handle, const VkAllocationCallbacks *) {
  device.pools.remove(handle);
}

void followAllocateCommandBuffers(Device &device, const VkCommandBufferAllocateInfo *info,
                                  const VkCommandBuffer *made) {
  const std::shared_ptr<Pool> pool = device.pools.find(info->commandPool);
  for (uint32_t index = 0; pool && index < info->commandBufferCount; ++index)
    pool->add(made[index]);
}

void followFreeCommandBuffers(Device &device, VkCommandPool pool, uint32_t count, const VkCommandBuffer *handles) {
  const std::shared_ptr<Pool> known = device.pools.find(pool);
  for (uint32_t index = 0; known && index < count; ++index)
    if (handles[index])
      known->remove(handles[index]);
}

void followQueuePresentKHR(Device &device, const VkPresentInfoKHR *) {
  device.session().noteFrame();
}

} // namespace dovetail::layer
