// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/tracked_objects.h"
#include <algorithm>
#include <cstring>
#include <new>

namespace dovetail::layer {

namespace {

// One element as any kind of write names it. Only the pointer of the descriptor's kind counts.
struct Given {
  const VkDescriptorImageInfo *image = nullptr;
  const VkDescriptorBufferInfo *buffer = nullptr;
  const VkBufferView *texels = nullptr;
};

void writeOne(const DescriptorSources &sources, VkDescriptorType type, const Given &given, Descriptor &descriptor) {
  descriptor = {};
  descriptor.type = type;
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    if (type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
      descriptor.sampler = sources.samplers.find(given.image->sampler); // an immutable one is the layout's
    if (type != VK_DESCRIPTOR_TYPE_SAMPLER)
      descriptor.view = sources.objects.views.find(given.image->imageView);
    return;
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    descriptor.texels = sources.objects.bufferViews.find(*given.texels);
    return;
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
    descriptor.buffer = sources.objects.buffers.find(given.buffer->buffer);
    descriptor.offset = given.buffer->offset;
    descriptor.range = given.buffer->range;
    return;
  default:
    return; // of a type that no draw with it is executed
  }
}

const fossilize::LayoutBinding *findBinding(const SetLayout &layout, uint32_t binding) {
  const auto found = std::ranges::find(layout.capture.bindings, binding, &fossilize::LayoutBinding::binding);
  return found == layout.capture.bindings.end() ? nullptr : &*found;
}

// The place of an element. Writes run over into the following bindings, as Vulkan says.
Descriptor *placeOf(const SetLayout &layout, uint32_t &binding, uint32_t &element, SetContents &contents) {
  for (size_t steps = 0; steps <= layout.capture.bindings.size(); ++steps) {
    const fossilize::LayoutBinding *known = findBinding(layout, binding);
    if (known && element < known->descriptorCount) {
      std::vector<Descriptor> &descriptors = contents[binding].descriptors;
      if (descriptors.size() <= element)
        descriptors.resize(element + 1);
      return &descriptors[element++];
    }
    element -= known ? known->descriptorCount : 0;
    uint32_t next = UINT32_MAX;
    for (const fossilize::LayoutBinding &other : layout.capture.bindings)
      if (other.binding > binding)
        next = std::min(next, other.binding);
    if (next == UINT32_MAX)
      return nullptr;
    binding = next;
  }
  return nullptr;
}

void writeInline(uint32_t binding, uint32_t offset, uint32_t size, const void *data, SetContents &contents) {
  std::vector<uint8_t> &bytes = contents[binding].inlineBytes;
  bytes.resize(std::max<size_t>(bytes.size(), offset + size));
  std::memcpy(bytes.data() + offset, data, size);
}

} // namespace

StagingBuffer::StagingBuffer(const DriverCommands &commands, VkDeviceSize size) : m_commands(commands), m_size(size) {
  VkBufferCreateInfo info = {VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = size;
  info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkMemoryAllocateInfo allocation = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  void *data = nullptr;
  bool isMade = commands.vkCreateBuffer(commands.device, &info, nullptr, &m_buffer) == VK_SUCCESS;
  if (isMade) {
    VkMemoryRequirements needs;
    commands.vkGetBufferMemoryRequirements(commands.device, m_buffer, &needs);
    allocation.allocationSize = needs.size; // lavapipe has one memory type
    isMade = commands.vkAllocateMemory(commands.device, &allocation, nullptr, &m_memory) == VK_SUCCESS &&
             commands.vkBindBufferMemory(commands.device, m_buffer, m_memory, 0) == VK_SUCCESS &&
             commands.vkMapMemory(commands.device, m_memory, 0, VK_WHOLE_SIZE, 0, &data) == VK_SUCCESS;
  }
  m_data = static_cast<uint8_t *>(data);
  if (isMade)
    return;
  commands.vkDestroyBuffer(commands.device, m_buffer, nullptr);
  commands.vkFreeMemory(commands.device, m_memory, nullptr);
  throw std::bad_alloc();
}

StagingBuffer::~StagingBuffer() {
  m_commands.vkDestroyBuffer(m_commands.device, m_buffer, nullptr);
  m_commands.vkFreeMemory(m_commands.device, m_memory, nullptr);
}

void TrackedObjects::addSet(VkDescriptorPool pool, VkDescriptorSet handle, std::shared_ptr<TrackedSet> set) {
  sets.add(handle, std::move(set));
  std::scoped_lock lock(m_mutex);
  m_setsOfPools[pool].push_back(handle);
}

void TrackedObjects::removeSetsOf(VkDescriptorPool pool) {
  std::vector<VkDescriptorSet> gone;
  {
    std::scoped_lock lock(m_mutex);
    if (const auto found = m_setsOfPools.find(pool); found != m_setsOfPools.end()) {
      gone = std::move(found->second);
      m_setsOfPools.erase(found);
    }
  }
  for (VkDescriptorSet set : gone)
    sets.remove(set);
}

void writeDescriptors(const DescriptorSources &sources, const SetLayout &layout, const VkWriteDescriptorSet &write,
                      SetContents &contents) {
  if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    for (const auto *at = static_cast<const VkBaseInStructure *>(write.pNext); at; at = at->pNext)
      if (at->sType == VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK) {
        const auto &block = *reinterpret_cast<const VkWriteDescriptorSetInlineUniformBlock *>(at);
        writeInline(write.dstBinding, write.dstArrayElement, block.dataSize, block.pData, contents);
      }
    return;
  }
  uint32_t binding = write.dstBinding, element = write.dstArrayElement;
  for (uint32_t index = 0; index < write.descriptorCount; ++index)
    if (Descriptor *descriptor = placeOf(layout, binding, element, contents))
      writeOne(sources, write.descriptorType,
               {write.pImageInfo + index, write.pBufferInfo + index, write.pTexelBufferView + index}, *descriptor);
}

void copyDescriptors(const SetLayout &layout, const SetContents &from, const VkCopyDescriptorSet &copy,
                     SetContents &to) {
  const auto source = from.find(copy.srcBinding);
  if (source == from.end())
    return;
  uint32_t binding = copy.dstBinding, element = copy.dstArrayElement;
  for (uint32_t index = 0; index < copy.descriptorCount; ++index)
    if (Descriptor *descriptor = placeOf(layout, binding, element, to)) {
      const size_t place = copy.srcArrayElement + index;
      *descriptor = place < source->second.descriptors.size() ? source->second.descriptors[place] : Descriptor();
    }
}

void writeDescriptors(const DescriptorSources &sources, const SetLayout &layout, const TrackedTemplate &entries,
                      const void *data, SetContents &contents) {
  for (const VkDescriptorUpdateTemplateEntry &entry : entries.entries) {
    const auto *bytes = static_cast<const uint8_t *>(data) + entry.offset;
    if (entry.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      writeInline(entry.dstBinding, entry.dstArrayElement, entry.descriptorCount, bytes, contents);
      continue;
    }
    uint32_t binding = entry.dstBinding, element = entry.dstArrayElement;
    for (uint32_t index = 0; index < entry.descriptorCount; ++index, bytes += entry.stride)
      if (Descriptor *descriptor = placeOf(layout, binding, element, contents))
        writeOne(sources, entry.descriptorType,
                 {reinterpret_cast<const VkDescriptorImageInfo *>(bytes),
                  reinterpret_cast<const VkDescriptorBufferInfo *>(bytes),
                  reinterpret_cast<const VkBufferView *>(bytes)},
                 *descriptor);
  }
}

} // namespace dovetail::layer
