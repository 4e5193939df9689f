// SPDX-License-Identifier: MIT
//
// The application's memory, images and descriptors, as far as the execution of draws needs to know them. Objects are
// shared: a recorded draw keeps what it reads.
#pragma once

#include "tools/programs/layer/execute/driver_commands.h"
#include "tools/programs/layer/session/object_table.h"
#include "tools/programs/layer/session/objects.h"
#include <map>

namespace dovetail::layer {

// Memory of the driver. On lavapipe all of it is mapped, and stays where it is.
struct TrackedMemory {
  uint8_t *data = nullptr;
  VkDeviceSize size = 0;
};

struct TrackedBuffer {
  VkDeviceSize size = 0;
  std::shared_ptr<const TrackedMemory> memory; // nullptr: none is bound
  VkDeviceSize offset = 0;                     // in the memory

  // nullptr: there is no memory that the layer knows.
  uint8_t *data() const { return memory && offset + size <= memory->size ? memory->data + offset : nullptr; }
};

struct TrackedBufferView {
  std::shared_ptr<const TrackedBuffer> buffer;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkDeviceSize offset = 0, range = VK_WHOLE_SIZE;
};

struct TrackedImage {
  VkImage handle = VK_NULL_HANDLE;
  VkImageType type = VK_IMAGE_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkExtent3D extent = {1, 1, 1};
  uint32_t mipLevels = 1, layers = 1, samples = 1;
};

// A buffer of the layer that the GPU copies images to. Thread-safe.
class StagingBuffer {
public:
  // Throws std::bad_alloc if the driver has no memory.
  StagingBuffer(const DriverCommands &commands, VkDeviceSize size);
  ~StagingBuffer();
  StagingBuffer(const StagingBuffer &) = delete;
  StagingBuffer &operator=(const StagingBuffer &) = delete;

  VkBuffer handle() const { return m_buffer; }
  uint8_t *data() const { return m_data; }
  VkDeviceSize size() const { return m_size; }

private:
  const DriverCommands &m_commands;
  VkDeviceSize m_size;
  VkBuffer m_buffer = VK_NULL_HANDLE;
  VkDeviceMemory m_memory = VK_NULL_HANDLE;
  uint8_t *m_data = nullptr;
};

struct TrackedView {
  std::shared_ptr<const TrackedImage> image;
  VkImageViewType type = VK_IMAGE_VIEW_TYPE_2D;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkComponentMapping components = {};
  VkImageSubresourceRange range = {}; // with numbers in place of VK_REMAINING_*
  // Where the content goes while a draw is executed; made when it is needed. The GPU works command by command, so one
  // is enough for all draws. As a target, a view has another size.
  std::mutex stagingMutex;
  std::shared_ptr<StagingBuffer> staging, targetStaging;

  VkExtent3D extentOf(uint32_t level) const {
    const auto part = [&](uint32_t size) { return std::max(size >> (range.baseMipLevel + level), 1u); };
    return {part(image->extent.width), part(image->extent.height), part(image->extent.depth)};
  }
};

struct Descriptor {
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_MAX_ENUM; // VK_DESCRIPTOR_TYPE_MAX_ENUM: never written
  std::shared_ptr<const TrackedBuffer> buffer;
  VkDeviceSize offset = 0, range = VK_WHOLE_SIZE;
  std::shared_ptr<const TrackedBufferView> texels;
  std::shared_ptr<TrackedView> view;
  std::shared_ptr<const fossilize::Sampler> sampler;
};

struct BindingContents {
  std::vector<Descriptor> descriptors;
  std::vector<uint8_t> inlineBytes;
};
using SetContents = std::map<uint32_t, BindingContents>; // by binding

// Contents are copied when they change while a recorded draw has them.
struct TrackedSet {
  std::shared_ptr<const SetLayout> layout;
  std::shared_ptr<SetContents> contents = std::make_shared<SetContents>();

  SetContents &change() {
    if (contents.use_count() > 1)
      contents = std::make_shared<SetContents>(*contents);
    return *contents;
  }
};

struct TrackedFramebuffer {
  std::vector<std::shared_ptr<TrackedView>> attachments; // empty: imageless
  uint32_t width = 0, height = 0, layers = 1;
};

struct TrackedTemplate {
  std::vector<VkDescriptorUpdateTemplateEntry> entries;
};

// All of a device. The tables are thread-safe.
struct TrackedObjects {
  ObjectTable<VkDeviceMemory, TrackedMemory> memories;
  ObjectTable<VkBuffer, TrackedBuffer> buffers;
  ObjectTable<VkBufferView, TrackedBufferView> bufferViews;
  ObjectTable<VkImage, TrackedImage> images;
  ObjectTable<VkImageView, TrackedView> views;
  ObjectTable<VkDescriptorSet, TrackedSet> sets;
  ObjectTable<VkDescriptorUpdateTemplate, TrackedTemplate> templates;
  ObjectTable<VkFramebuffer, TrackedFramebuffer> framebuffers;
  ObjectTable<VkSwapchainKHR, TrackedImage> swapchains; // what its images are

  // The sets of a descriptor pool, which go with it.
  void addSet(VkDescriptorPool pool, VkDescriptorSet handle, std::shared_ptr<TrackedSet> set);
  void removeSetsOf(VkDescriptorPool pool);

private:
  std::mutex m_mutex;
  std::map<VkDescriptorPool, std::vector<VkDescriptorSet>> m_setsOfPools;
};

// The objects that a write names by handles.
struct DescriptorSources {
  TrackedObjects &objects;
  const ObjectTable<VkSampler, fossilize::Sampler> &samplers;
};

// As vkUpdateDescriptorSets(), for one set.
void writeDescriptors(const DescriptorSources &sources, const SetLayout &layout, const VkWriteDescriptorSet &write,
                      SetContents &contents);
void copyDescriptors(const SetLayout &layout, const SetContents &from, const VkCopyDescriptorSet &copy,
                     SetContents &to);
// As vkUpdateDescriptorSetWithTemplate().
void writeDescriptors(const DescriptorSources &sources, const SetLayout &layout, const TrackedTemplate &entries,
                      const void *data, SetContents &contents);

} // namespace dovetail::layer
