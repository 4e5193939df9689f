// SPDX-License-Identifier: MIT
//
// Follows what only the execution of draws needs: memory, images, descriptors, and what command buffers bind beside
// pipelines. Without DOVETAIL_SHADOW_EXECUTE, none of these functions is called.
#include "tools/programs/layer/followers.h"
#include "tools/programs/layer/graphics_pieces.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

TrackedObjects &objectsOf(Device &device) {
  return device.execution()->objects;
}

DescriptorSources sourcesOf(Device &device) {
  return {objectsOf(device), device.samplers};
}

void bindMemory(Device &device, VkBuffer handle, VkDeviceMemory memory, VkDeviceSize offset) {
  if (const std::shared_ptr<TrackedBuffer> buffer = objectsOf(device).buffers.find(handle)) {
    buffer->memory = objectsOf(device).memories.find(memory);
    buffer->offset = offset;
  }
}

std::shared_ptr<const SetLayout> setLayoutOf(Device &device, VkPipelineLayout layout, uint32_t set) {
  const std::shared_ptr<PipelineLayout> found = device.pipelineLayouts.find(layout);
  return found && set < found->sets.size() ? found->sets[set] : nullptr;
}

uint32_t dynamicOffsetsOf(const SetLayout &layout) {
  uint32_t count = 0;
  for (const fossilize::LayoutBinding &binding : layout.capture.bindings)
    if (binding.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
        binding.descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
      count += binding.descriptorCount;
  return count;
}

// Changes a pushed set, and binds what it is then.
template <typename Change>
void pushSet(Recording &recording, VkPipelineBindPoint point, VkPipelineLayout layout, uint32_t set,
             const Change &change) {
  const std::shared_ptr<const SetLayout> setLayout = setLayoutOf(recording.device(), layout, set);
  if (!setLayout)
    return;
  TrackedSet &pushed = recording.tracker()->pushedSet(point, set, setLayout);
  change(*setLayout, pushed.change());
  recording.tracker()->bindSet(point, set, {pushed.contents, setLayout, {}});
}

void bindVertexBuffers(Recording &recording, uint32_t first, uint32_t count, const VkBuffer *buffers,
                       const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides) {
  for (uint32_t index = 0; index < count; ++index) {
    BoundVertexBuffer &bound = recording.tracker()->vertexBuffers()[first + index];
    bound.buffer = objectsOf(recording.device()).buffers.find(buffers[index]);
    bound.offset = offsets[index];
    bound.size = sizes ? sizes[index] : VK_WHOLE_SIZE;
    if (strides)
      bound.stride = strides[index];
  }
}

template <typename Value>
void setValues(std::vector<Value> &values, uint32_t first, uint32_t count, const Value *given) {
  values.resize(std::max<size_t>(values.size(), first + count));
  std::copy_n(given, count, values.begin() + first);
}

void setStencil(Recording &recording, VkStencilFaceFlags faces, uint32_t VkStencilOpState::*member, uint32_t value) {
  FixedFunction &dynamic = recording.tracker()->dynamic();
  if (faces & VK_STENCIL_FACE_FRONT_BIT)
    dynamic.front.*member = value;
  if (faces & VK_STENCIL_FACE_BACK_BIT)
    dynamic.back.*member = value;
}

DrawCall refusedCall(const char *why) {
  DrawCall call;
  call.refusal = why;
  return call;
}

DrawCall indirectCall(Recording &recording, VkBuffer buffer, VkDeviceSize offset, bool isIndexed) {
  DrawCall call;
  call.isIndexed = isIndexed;
  call.arguments = objectsOf(recording.device()).buffers.find(buffer);
  call.argumentsOffset = offset;
  if (!call.arguments)
    call.refusal = "an indirect buffer that the layer does not know";
  return call;
}

constexpr const char *SeveralDraws = "a command of several draws, or of none";

} // namespace

// ---- Memory ----

void trackAllocateMemory(Device &device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *,
                         const VkDeviceMemory *made) {
  const DriverCommands &commands = device.execution()->commands();
  auto memory = std::make_shared<TrackedMemory>();
  memory->size = info->allocationSize;
  void *data = nullptr;
  // The application may map it, too: lavapipe's memory is always at the same place.
  if (commands.vkMapMemory(commands.device, *made, 0, VK_WHOLE_SIZE, 0, &data) == VK_SUCCESS)
    memory->data = static_cast<uint8_t *>(data);
  if (memory->data)
    objectsOf(device).memories.add(*made, std::move(memory));
}

void trackFreeMemory(Device &device, VkDeviceMemory handle, const VkAllocationCallbacks *) {
  objectsOf(device).memories.remove(handle);
}

void trackCreateBuffer(Device &device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *,
                       const VkBuffer *made) {
  auto buffer = std::make_shared<TrackedBuffer>();
  buffer->size = info->size;
  objectsOf(device).buffers.add(*made, std::move(buffer));
}

void trackDestroyBuffer(Device &device, VkBuffer handle, const VkAllocationCallbacks *) {
  objectsOf(device).buffers.remove(handle);
}

void trackBindBufferMemory(Device &device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  bindMemory(device, buffer, memory, offset);
}

void trackBindBufferMemory2(Device &device, uint32_t count, const VkBindBufferMemoryInfo *infos) {
  for (uint32_t index = 0; index < count; ++index)
    bindMemory(device, infos[index].buffer, infos[index].memory, infos[index].memoryOffset);
}

void trackCreateBufferView(Device &device, const VkBufferViewCreateInfo *info, const VkAllocationCallbacks *,
                           const VkBufferView *made) {
  auto view = std::make_shared<TrackedBufferView>();
  view->buffer = objectsOf(device).buffers.find(info->buffer);
  view->format = info->format;
  view->offset = info->offset;
  view->range = info->range;
  objectsOf(device).bufferViews.add(*made, std::move(view));
}

void trackDestroyBufferView(Device &device, VkBufferView handle, const VkAllocationCallbacks *) {
  objectsOf(device).bufferViews.remove(handle);
}

// ---- Images ----

void trackCreateImage(Device &device, const VkImageCreateInfo *info, const VkAllocationCallbacks *,
                      const VkImage *made) {
  auto image = std::make_shared<TrackedImage>();
  *image = {*made,           info->imageType,   info->format,           info->extent,
            info->mipLevels, info->arrayLayers, uint32_t(info->samples)};
  objectsOf(device).images.add(*made, std::move(image));
}

void trackDestroyImage(Device &device, VkImage handle, const VkAllocationCallbacks *) {
  objectsOf(device).images.remove(handle);
}

void trackCreateSwapchainKHR(Device &device, const VkSwapchainCreateInfoKHR *info, const VkAllocationCallbacks *,
                             const VkSwapchainKHR *made) {
  auto image = std::make_shared<TrackedImage>();
  image->format = info->imageFormat;
  image->extent = {info->imageExtent.width, info->imageExtent.height, 1};
  image->layers = info->imageArrayLayers;
  objectsOf(device).swapchains.add(*made, std::move(image));
}

void trackDestroySwapchainKHR(Device &device, VkSwapchainKHR handle, const VkAllocationCallbacks *) {
  objectsOf(device).swapchains.remove(handle);
}

void trackGetSwapchainImagesKHR(Device &device, VkSwapchainKHR handle, const uint32_t *count, const VkImage *images) {
  const std::shared_ptr<TrackedImage> swapchain = objectsOf(device).swapchains.find(handle);
  for (uint32_t index = 0; swapchain && images && index < *count; ++index) {
    auto image = std::make_shared<TrackedImage>(*swapchain);
    image->handle = images[index];
    objectsOf(device).images.add(images[index], std::move(image));
  }
}

void trackCreateImageView(Device &device, const VkImageViewCreateInfo *info, const VkAllocationCallbacks *,
                          const VkImageView *made) {
  auto view = std::make_shared<TrackedView>();
  view->image = objectsOf(device).images.find(info->image);
  if (!view->image)
    return;
  view->type = info->viewType;
  view->format = info->format;
  view->components = info->components;
  view->range = info->subresourceRange;
  if (view->range.levelCount == VK_REMAINING_MIP_LEVELS)
    view->range.levelCount = view->image->mipLevels - view->range.baseMipLevel;
  if (view->range.layerCount == VK_REMAINING_ARRAY_LAYERS)
    view->range.layerCount = view->image->layers - view->range.baseArrayLayer;
  objectsOf(device).views.add(*made, std::move(view));
}

void trackDestroyImageView(Device &device, VkImageView handle, const VkAllocationCallbacks *) {
  objectsOf(device).views.remove(handle);
}

void trackCreateFramebuffer(Device &device, const VkFramebufferCreateInfo *info, const VkAllocationCallbacks *,
                            const VkFramebuffer *made) {
  auto framebuffer = std::make_shared<TrackedFramebuffer>();
  framebuffer->width = info->width;
  framebuffer->height = info->height;
  framebuffer->layers = info->layers;
  if (!(info->flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT))
    for (uint32_t index = 0; index < info->attachmentCount; ++index)
      framebuffer->attachments.push_back(objectsOf(device).views.find(info->pAttachments[index]));
  objectsOf(device).framebuffers.add(*made, std::move(framebuffer));
}

void trackDestroyFramebuffer(Device &device, VkFramebuffer handle, const VkAllocationCallbacks *) {
  objectsOf(device).framebuffers.remove(handle);
}

// ---- Descriptors ----

void trackAllocateDescriptorSets(Device &device, const VkDescriptorSetAllocateInfo *info, const VkDescriptorSet *made) {
  for (uint32_t index = 0; index < info->descriptorSetCount; ++index) {
    auto set = std::make_shared<TrackedSet>();
    set->layout = device.setLayouts.find(info->pSetLayouts[index]);
    if (set->layout)
      objectsOf(device).addSet(info->descriptorPool, made[index], std::move(set));
  }
}

void trackFreeDescriptorSets(Device &device, VkDescriptorPool, uint32_t count, const VkDescriptorSet *handles) {
  for (uint32_t index = 0; index < count; ++index)
    objectsOf(device).sets.remove(handles[index]);
}

void trackResetDescriptorPool(Device &device, VkDescriptorPool pool, VkDescriptorPoolResetFlags) {
  objectsOf(device).removeSetsOf(pool);
}

void trackDestroyDescriptorPool(Device &device, VkDescriptorPool pool, const VkAllocationCallbacks *) {
  objectsOf(device).removeSetsOf(pool);
}

void trackUpdateDescriptorSets(Device &device, uint32_t writeCount, const VkWriteDescriptorSet *writes,
                               uint32_t copyCount, const VkCopyDescriptorSet *copies) {
  for (uint32_t index = 0; index < writeCount; ++index)
    if (const std::shared_ptr<TrackedSet> set = objectsOf(device).sets.find(writes[index].dstSet))
      writeDescriptors(sourcesOf(device), *set->layout, writes[index], set->change());
  for (uint32_t index = 0; index < copyCount; ++index) {
    const std::shared_ptr<TrackedSet> from = objectsOf(device).sets.find(copies[index].srcSet),
                                      to = objectsOf(device).sets.find(copies[index].dstSet);
    if (from && to)
      copyDescriptors(*to->layout, SetContents(*from->contents), copies[index], to->change());
  }
}

void trackCreateDescriptorUpdateTemplate(Device &device, const VkDescriptorUpdateTemplateCreateInfo *info,
                                         const VkAllocationCallbacks *, const VkDescriptorUpdateTemplate *made) {
  auto entries = std::make_shared<TrackedTemplate>();
  entries->entries.assign(info->pDescriptorUpdateEntries,
                          info->pDescriptorUpdateEntries + info->descriptorUpdateEntryCount);
  objectsOf(device).templates.add(*made, std::move(entries));
}

void trackDestroyDescriptorUpdateTemplate(Device &device, VkDescriptorUpdateTemplate handle,
                                          const VkAllocationCallbacks *) {
  objectsOf(device).templates.remove(handle);
}

void trackUpdateDescriptorSetWithTemplate(Device &device, VkDescriptorSet handle, VkDescriptorUpdateTemplate entries,
                                          const void *data) {
  const std::shared_ptr<TrackedSet> set = objectsOf(device).sets.find(handle);
  const std::shared_ptr<TrackedTemplate> known = objectsOf(device).templates.find(entries);
  if (set && known)
    writeDescriptors(sourcesOf(device), *set->layout, *known, data, set->change());
}

void trackCmdBindDescriptorSets(Recording &recording, VkPipelineBindPoint point, VkPipelineLayout layout,
                                uint32_t first, uint32_t count, const VkDescriptorSet *handles, uint32_t,
                                const uint32_t *dynamicOffsets) {
  for (uint32_t index = 0; index < count; ++index) {
    const std::shared_ptr<const SetLayout> setLayout = setLayoutOf(recording.device(), layout, first + index);
    const std::shared_ptr<TrackedSet> set = objectsOf(recording.device()).sets.find(handles[index]);
    BoundSet bound;
    if (set && setLayout) {
      const uint32_t offsets = dynamicOffsetsOf(*setLayout);
      bound = {set->contents, set->layout, {dynamicOffsets, dynamicOffsets + offsets}};
      dynamicOffsets += offsets;
    }
    recording.tracker()->bindSet(point, first + index, std::move(bound));
  }
}

void trackCmdPushDescriptorSetKHR(Recording &recording, VkPipelineBindPoint point, VkPipelineLayout layout,
                                  uint32_t set, uint32_t count, const VkWriteDescriptorSet *writes) {
  pushSet(recording, point, layout, set, [&](const SetLayout &setLayout, SetContents &contents) {
    for (uint32_t index = 0; index < count; ++index)
      writeDescriptors(sourcesOf(recording.device()), setLayout, writes[index], contents);
  });
}

void trackCmdPushDescriptorSetWithTemplateKHR(Recording &recording, VkDescriptorUpdateTemplate entries,
                                              VkPipelineLayout layout, uint32_t set, const void *data) {
  const std::shared_ptr<TrackedTemplate> known = objectsOf(recording.device()).templates.find(entries);
  // The layout tells nothing about the bind point, and a wrong one is not read.
  for (VkPipelineBindPoint point : {VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE})
    if (known)
      pushSet(recording, point, layout, set, [&](const SetLayout &setLayout, SetContents &contents) {
        writeDescriptors(sourcesOf(recording.device()), setLayout, *known, data, contents);
      });
}

// ---- Vertices ----

void trackCmdBindVertexBuffers(Recording &recording, uint32_t first, uint32_t count, const VkBuffer *buffers,
                               const VkDeviceSize *offsets) {
  bindVertexBuffers(recording, first, count, buffers, offsets, nullptr, nullptr);
}

void trackCmdBindVertexBuffers2(Recording &recording, uint32_t first, uint32_t count, const VkBuffer *buffers,
                                const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides) {
  bindVertexBuffers(recording, first, count, buffers, offsets, sizes, strides);
}

void trackCmdBindIndexBuffer(Recording &recording, VkBuffer buffer, VkDeviceSize offset, VkIndexType type) {
  recording.tracker()->indexBuffer() = {objectsOf(recording.device()).buffers.find(buffer), offset, type};
}

// ---- Render passes ----

void trackCmdBeginRendering(Recording &recording, const VkRenderingInfo *info) {
  recording.tracker()->beginRendering(*info);
}

void trackCmdEndRendering(Recording &recording) {
  recording.tracker()->endRendering();
}

void trackCmdBeginRenderPass(Recording &recording, const VkRenderPassBeginInfo *info, VkSubpassContents) {
  std::vector<std::shared_ptr<TrackedView>> views;
  if (const auto *given =
          findNext<VkRenderPassAttachmentBeginInfo>(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO))
    for (uint32_t index = 0; index < given->attachmentCount; ++index)
      views.push_back(objectsOf(recording.device()).views.find(given->pAttachments[index]));
  recording.tracker()->beginPass(recording.device().renderPasses.find(info->renderPass),
                                 objectsOf(recording.device()).framebuffers.find(info->framebuffer), std::move(views),
                                 info->renderArea);
}

void trackCmdBeginRenderPass2(Recording &recording, const VkRenderPassBeginInfo *info, const VkSubpassBeginInfo *) {
  trackCmdBeginRenderPass(recording, info, VK_SUBPASS_CONTENTS_INLINE);
}

void trackCmdNextSubpass(Recording &recording, VkSubpassContents) {
  recording.tracker()->nextSubpass();
}

void trackCmdNextSubpass2(Recording &recording, const VkSubpassBeginInfo *, const VkSubpassEndInfo *) {
  recording.tracker()->nextSubpass();
}

void trackCmdEndRenderPass(Recording &recording) {
  recording.tracker()->endRendering();
}

void trackCmdEndRenderPass2(Recording &recording, const VkSubpassEndInfo *) {
  recording.tracker()->endRendering();
}

void trackCmdBeginTransformFeedbackEXT(Recording &recording, uint32_t, uint32_t, const VkBuffer *,
                                       const VkDeviceSize *) {
  recording.tracker()->setTransformFeedback(true);
}

void trackCmdEndTransformFeedbackEXT(Recording &recording, uint32_t, uint32_t, const VkBuffer *, const VkDeviceSize *) {
  recording.tracker()->setTransformFeedback(false);
}

void trackCmdBeginConditionalRenderingEXT(Recording &recording, const VkConditionalRenderingBeginInfoEXT *) {
  recording.tracker()->setConditional(true);
}

void trackCmdEndConditionalRenderingEXT(Recording &recording) {
  recording.tracker()->setConditional(false);
}

// ---- Dynamic state ----

void trackCmdSetViewport(Recording &recording, uint32_t first, uint32_t count, const VkViewport *viewports) {
  setValues(recording.tracker()->dynamic().viewports, first, count, viewports);
}

void trackCmdSetViewportWithCount(Recording &recording, uint32_t count, const VkViewport *viewports) {
  recording.tracker()->dynamic().viewports.assign(viewports, viewports + count);
}

void trackCmdSetScissor(Recording &recording, uint32_t first, uint32_t count, const VkRect2D *scissors) {
  setValues(recording.tracker()->dynamic().scissors, first, count, scissors);
}

void trackCmdSetScissorWithCount(Recording &recording, uint32_t count, const VkRect2D *scissors) {
  recording.tracker()->dynamic().scissors.assign(scissors, scissors + count);
}

void trackCmdSetDepthBias(Recording &recording, float constant, float clamp, float slope) {
  recording.tracker()->dynamic().depthBias = {constant, clamp, slope};
}

void trackCmdSetBlendConstants(Recording &recording, const float *constants) {
  std::copy_n(constants, 4, recording.tracker()->dynamic().blendConstants.begin());
}

void trackCmdSetSampleMaskEXT(Recording &recording, VkSampleCountFlagBits, const VkSampleMask *mask) {
  recording.tracker()->dynamic().sampleMask = mask[0];
}

void trackCmdSetStencilCompareMask(Recording &recording, VkStencilFaceFlags faces, uint32_t value) {
  setStencil(recording, faces, &VkStencilOpState::compareMask, value);
}

void trackCmdSetStencilWriteMask(Recording &recording, VkStencilFaceFlags faces, uint32_t value) {
  setStencil(recording, faces, &VkStencilOpState::writeMask, value);
}

void trackCmdSetStencilReference(Recording &recording, VkStencilFaceFlags faces, uint32_t value) {
  setStencil(recording, faces, &VkStencilOpState::reference, value);
}

void trackCmdSetStencilOp(Recording &recording, VkStencilFaceFlags faces, VkStencilOp fail, VkStencilOp pass,
                          VkStencilOp depthFail, VkCompareOp compare) {
  FixedFunction &dynamic = recording.tracker()->dynamic();
  const auto set = [&](VkStencilOpState &face) {
    face.failOp = fail;
    face.passOp = pass;
    face.depthFailOp = depthFail;
    face.compareOp = compare;
  };
  if (faces & VK_STENCIL_FACE_FRONT_BIT)
    set(dynamic.front);
  if (faces & VK_STENCIL_FACE_BACK_BIT)
    set(dynamic.back);
}

// ---- Draws ----

DrawCall callOfCmdDraw(Recording &, uint32_t count, uint32_t instances, uint32_t first, uint32_t firstInstance) {
  DrawCall call;
  call.count = count;
  call.instanceCount = instances;
  call.first = first;
  call.firstInstance = firstInstance;
  return call;
}

DrawCall callOfCmdDrawIndexed(Recording &recording, uint32_t count, uint32_t instances, uint32_t first,
                              int32_t vertexOffset, uint32_t firstInstance) {
  DrawCall call = callOfCmdDraw(recording, count, instances, first, firstInstance);
  call.isIndexed = true;
  call.vertexOffset = vertexOffset;
  return call;
}

DrawCall callOfCmdDrawIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset, uint32_t draws, uint32_t) {
  return draws == 1 ? indirectCall(recording, buffer, offset, false) : refusedCall(SeveralDraws);
}

DrawCall callOfCmdDrawIndexedIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset, uint32_t draws,
                                      uint32_t) {
  return draws == 1 ? indirectCall(recording, buffer, offset, true) : refusedCall(SeveralDraws);
}

DrawCall callOfCmdDrawIndirectCount(Recording &recording, VkBuffer buffer, VkDeviceSize offset, VkBuffer countBuffer,
                                    VkDeviceSize countOffset, uint32_t, uint32_t) {
  DrawCall call = indirectCall(recording, buffer, offset, false);
  call.drawCount = objectsOf(recording.device()).buffers.find(countBuffer);
  call.drawCountOffset = countOffset;
  return call.drawCount ? call : refusedCall("an indirect buffer that the layer does not know");
}

DrawCall callOfCmdDrawIndexedIndirectCount(Recording &recording, VkBuffer buffer, VkDeviceSize offset,
                                           VkBuffer countBuffer, VkDeviceSize countOffset, uint32_t most,
                                           uint32_t stride) {
  DrawCall call = callOfCmdDrawIndirectCount(recording, buffer, offset, countBuffer, countOffset, most, stride);
  call.isIndexed = true;
  return call;
}

DrawCall callOfCmdDrawMultiEXT(Recording &recording, uint32_t, const VkMultiDrawInfoEXT *infos, uint32_t instances,
                               uint32_t firstInstance, uint32_t) {
  return callOfCmdDraw(recording, infos->vertexCount, instances, infos->firstVertex, firstInstance);
}

DrawCall callOfCmdDrawMultiIndexedEXT(Recording &recording, uint32_t, const VkMultiDrawIndexedInfoEXT *infos,
                                      uint32_t instances, uint32_t firstInstance, uint32_t,
                                      const int32_t *vertexOffset) {
  return callOfCmdDrawIndexed(recording, infos->indexCount, instances, infos->firstIndex,
                              vertexOffset ? *vertexOffset : infos->vertexOffset, firstInstance);
}

DrawCall callOfCmdDrawIndirectByteCountEXT(Recording &, uint32_t, uint32_t, VkBuffer, VkDeviceSize, uint32_t,
                                           uint32_t) {
  return refusedCall("a draw of as many vertices as transform feedback wrote");
}

DrawCall callOfCmdDispatch(Recording &, uint32_t x, uint32_t y, uint32_t z) {
  DrawCall call;
  call.isDispatch = true;
  call.workgroups = {x, y, z};
  return call;
}

DrawCall callOfCmdDispatchBase(Recording &recording, uint32_t baseX, uint32_t baseY, uint32_t baseZ, uint32_t x,
                               uint32_t y, uint32_t z) {
  DrawCall call = callOfCmdDispatch(recording, x, y, z);
  if (baseX != 0 || baseY != 0 || baseZ != 0)
    call.refusal = "a dispatch whose workgroups do not begin at 0";
  return call;
}

DrawCall callOfCmdDispatchIndirect(Recording &recording, VkBuffer buffer, VkDeviceSize offset) {
  DrawCall call = indirectCall(recording, buffer, offset, false);
  call.isDispatch = true;
  return call;
}

} // namespace dovetail::layer
