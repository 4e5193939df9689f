// SPDX-License-Identifier: MIT
//
// Follows shader modules, layouts, render passes and command pools.
//
// The root table of a pipeline layout is that of its capture (tools/common/fossilize/root_table.h): a dword for each
// set, which is the address of its descriptors, and then the push constants. In all layouts of up to 8 sets, push
// constants begin at the same place. Sets that a layout leaves out keep their place. So a shader that is compiled in a
// pipeline library finds everything at the same place in a pipeline that links this library.
#include "tools/common/fossilize/from_vulkan.h"
#include "tools/common/fossilize/write_object.h"
#include "tools/programs/layer/followers.h"
#include "tools/programs/layer/graphics_pieces.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

uint32_t viewMaskOf(const VkRenderPassCreateInfo &info, uint32_t subpass) {
  const auto *multiview =
      findNext<VkRenderPassMultiviewCreateInfo>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
  return multiview && subpass < multiview->subpassCount ? multiview->pViewMasks[subpass] : 0;
}

uint32_t viewMaskOf(const VkRenderPassCreateInfo2 &info, uint32_t subpass) {
  return info.pSubpasses[subpass].viewMask;
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
    for (uint32_t color = 0; color < given.colorAttachmentCount; ++color) {
      subpass.colors.push_back(formatOf(given.pColorAttachments[color].attachment));
      subpass.colorAttachments.push_back(given.pColorAttachments[color].attachment);
    }
    if (given.pDepthStencilAttachment) {
      subpass.depthStencil = formatOf(given.pDepthStencilAttachment->attachment);
      subpass.depthStencilAttachment = given.pDepthStencilAttachment->attachment;
    }
    subpass.viewMask = viewMaskOf(info, index);
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
  fossilize::Sampler sampler = fossilize::fromVulkan(*info, [&](VkSamplerYcbcrConversion handle) {
    const std::shared_ptr<fossilize::SamplerYcbcrConversion> conversion = device.conversions.find(handle);
    return conversion ? *conversion : fossilize::SamplerYcbcrConversion();
  });
  device.samplers.add(*made, std::make_shared<fossilize::Sampler>(std::move(sampler)));
}

void followDestroySampler(Device &device, VkSampler handle, const VkAllocationCallbacks *) {
  device.samplers.remove(handle);
}

void followCreateSamplerYcbcrConversion(Device &device, const VkSamplerYcbcrConversionCreateInfo *info,
                                        const VkAllocationCallbacks *, const VkSamplerYcbcrConversion *made) {
  device.conversions.add(*made, std::make_shared<fossilize::SamplerYcbcrConversion>(fossilize::fromVulkan(*info)));
}

void followDestroySamplerYcbcrConversion(Device &device, VkSamplerYcbcrConversion handle,
                                         const VkAllocationCallbacks *) {
  device.conversions.remove(handle);
}

void followCreateDescriptorSetLayout(Device &device, const VkDescriptorSetLayoutCreateInfo *info,
                                     const VkAllocationCallbacks *, const VkDescriptorSetLayout *made) {
  auto layout = std::make_shared<SetLayout>();
  layout->capture = fossilize::fromVulkan(*info, [&](VkObjectType, uint64_t handle) {
    const std::shared_ptr<fossilize::Sampler> sampler = device.samplers.find(reinterpret_cast<VkSampler>(handle));
    if (!sampler)
      return fossilize::ObjectHash();
    const fossilize::ObjectHash hash = fossilize::writeObject(*sampler).hash;
    layout->samplers[hash] = *sampler;
    return hash;
  });
  device.setLayouts.add(*made, std::move(layout));
}

void followDestroyDescriptorSetLayout(Device &device, VkDescriptorSetLayout handle, const VkAllocationCallbacks *) {
  device.setLayouts.remove(handle);
}

void followCreatePipelineLayout(Device &device, const VkPipelineLayoutCreateInfo *info, const VkAllocationCallbacks *,
                                const VkPipelineLayout *made) {
  auto layout = std::make_shared<PipelineLayout>();
  fossilize::PipelineLayout captured;
  std::vector<const fossilize::DescriptorSetLayout *> sets;
  fossilize::Samplers samplers;
  for (uint32_t set = 0; set < info->setLayoutCount; ++set) {
    const std::shared_ptr<SetLayout> setLayout = device.setLayouts.find(info->pSetLayouts[set]);
    layout->sets.push_back(setLayout);
    sets.push_back(setLayout ? &setLayout->capture : nullptr);
    if (setLayout)
      samplers.insert(setLayout->samplers.begin(), setLayout->samplers.end());
  }
  for (uint32_t index = 0; index < info->pushConstantRangeCount; ++index) {
    const VkPushConstantRange &range = info->pPushConstantRanges[index];
    captured.pushConstantRanges.push_back({range.stageFlags, range.size, range.offset});
    layout->pushConstantBytes = std::max(layout->pushConstantBytes, range.offset + range.size);
  }
  const Result<fossilize::RootTable> table = fossilize::layOutRootTable(captured, sets, samplers);
  if (!table)
    device.session().problems().noteUnfollowed("a pipeline layout: " + table.error().text);
  for (const UserDataNode &node : table ? table->nodes : UserDataNodes())
    layout->nodes.push_back({.type = uint32_t(node.type),
                             .set = node.set,
                             .binding = node.binding,
                             .offset_in_dwords = node.offsetInDwords,
                             .size_in_dwords = node.sizeInDwords,
                             .stride_in_dwords = node.strideInDwords});
  if (table)
    layout->immutableSamplers = table->immutableSamplers;
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
    pool->add(made[index], info->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY);
}

void followFreeCommandBuffers(Device &device, VkCommandPool pool, uint32_t count, const VkCommandBuffer *handles) {
  const std::shared_ptr<Pool> known = device.pools.find(pool);
  for (uint32_t index = 0; known && index < count; ++index)
    if (handles[index])
      known->remove(handles[index]);
}

// Before the driver: presenting may wait for the screen, which belongs to the next frame.
void followQueuePresentKHR(Device &device, const VkPresentInfoKHR *) {
  device.session().noteFrameEnd(FrameEnd::Presentation);
}

// Submissions of semaphores alone end no frame.
void followQueueSubmit(Device &device, uint32_t count, const VkSubmitInfo *submits, VkFence) {
  if (std::any_of(submits, submits + count, [](const VkSubmitInfo &submit) { return submit.commandBufferCount > 0; }))
    device.session().noteFrameEnd(FrameEnd::Submission);
}

void followQueueSubmit2(Device &device, uint32_t count, const VkSubmitInfo2 *submits, VkFence) {
  if (std::any_of(submits, submits + count,
                  [](const VkSubmitInfo2 &submit) { return submit.commandBufferInfoCount > 0; }))
    device.session().noteFrameEnd(FrameEnd::Submission);
}

// ---- Names for debugging ----

namespace {

// An object's name; nullptr takes it away.
void setLabel(Device &device, bool isPipeline, uint64_t handle, const char *text) {
  const std::string label = text ? text : "";
  if (isPipeline) {
    if (const std::shared_ptr<Pipeline> pipeline = device.pipelines.find(reinterpret_cast<VkPipeline>(handle)))
      pipeline->facts->label.set(label);
    return;
  }
  const auto module = reinterpret_cast<VkShaderModule>(handle);
  if (const std::shared_ptr<Module> known = device.modules.find(module)) {
    auto named = std::make_shared<Module>(*known); // others read the old one
    named->label = label;
    device.modules.add(module, std::move(named));
  }
}

} // namespace

void followSetDebugUtilsObjectNameEXT(Device &device, const VkDebugUtilsObjectNameInfoEXT *info) {
  if (info->objectType == VK_OBJECT_TYPE_PIPELINE || info->objectType == VK_OBJECT_TYPE_SHADER_MODULE)
    setLabel(device, info->objectType == VK_OBJECT_TYPE_PIPELINE, info->objectHandle, info->pObjectName);
}

void followDebugMarkerSetObjectNameEXT(Device &device, const VkDebugMarkerObjectNameInfoEXT *info) {
  const bool isPipeline = info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_PIPELINE_EXT;
  if (isPipeline || info->objectType == VK_DEBUG_REPORT_OBJECT_TYPE_SHADER_MODULE_EXT)
    setLabel(device, isPipeline, info->object, info->pObjectName);
}

} // namespace dovetail::layer
