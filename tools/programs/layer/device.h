// SPDX-License-Identifier: MIT
//
// Device: a Vulkan device under the layer. It holds the driver's functions, and the application's objects by their
// handles.
#pragma once

#include "tools/programs/layer/execute/execution.h"
#include "tools/programs/layer/session/object_table.h"
#include "tools/programs/layer/session/objects.h"
#include "tools/programs/layer/session/session.h"
#include <memory>
#include <mutex>
#include <vulkan/vk_layer.h>

namespace dovetail::layer {

// Functions of the next layer or the driver; nullptr: not available.
struct NextCommands {
#define NEXT_COMMAND(name) PFN_##name name = nullptr;
#include "next_commands.inc" // made by the build
#undef NEXT_COMMAND
  PFN_vkDestroyDevice vkDestroyDevice = nullptr;
  PFN_vkGetDeviceProcAddr vkGetDeviceProcAddr = nullptr;

  void load(VkDevice device, PFN_vkGetDeviceProcAddr getDeviceProcAddr);
};

class Pool;

// Thread-safe.
class Device {
public:
  Device(std::shared_ptr<Session> session, VkDevice handle, PFN_vkGetDeviceProcAddr getDeviceProcAddr);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const NextCommands &next() const { return m_next; }
  Session &session() { return *m_session; }
  // False if Dovetail refused the options.
  bool isFollowed() { return m_session->device(); }
  // nullptr: no draws are executed.
  Execution *execution() { return m_execution.get(); }
  // To be called before the device is used. `isLavapipe`: draws can be executed.
  void startExecution(VkDevice handle, PFN_vkGetDeviceProcAddr getDeviceProcAddr, bool isLavapipe);

private:
  std::shared_ptr<Session> m_session; // destroyed last
  NextCommands m_next;
  std::unique_ptr<Execution> m_execution;

public:
  bool refusesImageIndexing = false; // the layer reports it, and the driver does not (reported_features.h)

  ObjectTable<VkShaderModule, Module> modules;
  ObjectTable<VkSamplerYcbcrConversion, fossilize::SamplerYcbcrConversion> conversions;
  ObjectTable<VkSampler, fossilize::Sampler> samplers;
  ObjectTable<VkDescriptorSetLayout, SetLayout> setLayouts;
  ObjectTable<VkPipelineLayout, PipelineLayout> pipelineLayouts;
  ObjectTable<VkRenderPass, RenderPass> renderPasses;
  ObjectTable<VkPipeline, Pipeline> pipelines;
  ObjectTable<VkCommandPool, Pool> pools;

  // A pool for command buffers of unknown pools. Vulkan forbids that two threads use it at once.
  std::shared_ptr<Pool> strayPool();

private:
  std::mutex m_strayMutex;
  std::shared_ptr<Pool> m_strayPool;
};

// The loader's own table, with which each dispatchable handle begins. A device's handles share one; so do those of an
// instance and its physical devices.
inline const void *loaderTable(const void *dispatchable) {
  return *static_cast<const void *const *>(dispatchable);
}

// The device of a dispatchable handle (device, queue, command buffer).
Device &deviceOf(const void *dispatchable);
void addDevice(VkDevice handle, std::unique_ptr<Device> device);
std::unique_ptr<Device> removeDevice(VkDevice handle);

} // namespace dovetail::layer
