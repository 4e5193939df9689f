// SPDX-License-Identifier: MIT
#include "tools/programs/layer/device.h"
#include "tools/programs/layer/recording.h"
#include <cstdlib>

namespace dovetail::layer {

namespace {

// The loader's table: every dispatchable handle of a device begins with its address.
struct Devices {
  std::shared_mutex mutex;
  std::unordered_map<const void *, std::unique_ptr<Device>> byKey;
};

Devices &devices() {
  static Devices *const all =
      new Devices; // never destroyed: threads of the application may still run when the process exits
  return *all;
}

} // namespace

void NextCommands::load(VkDevice device, PFN_vkGetDeviceProcAddr getDeviceProcAddr) {
#define NEXT_COMMAND(name) name = reinterpret_cast<PFN_##name>(getDeviceProcAddr(device, #name));
#include "next_commands.inc"
#undef NEXT_COMMAND
  vkDestroyDevice = reinterpret_cast<PFN_vkDestroyDevice>(getDeviceProcAddr(device, "vkDestroyDevice"));
  vkGetDeviceProcAddr = getDeviceProcAddr;
}

Device::Device(std::shared_ptr<Session> session, VkDevice handle, PFN_vkGetDeviceProcAddr getDeviceProcAddr)
    : m_session(std::move(session)) {
  m_next.load(handle, getDeviceProcAddr);
}

Device::~Device() {
  m_session->removeUnfinished(this);
  pipelines.forEach([&](const Pipeline &pipeline) { m_session->notePipelineGone(pipeline); });
}

void Device::startExecution(VkDevice handle, PFN_vkGetDeviceProcAddr getDeviceProcAddr, bool isLavapipe) {
  if (!m_session->executionLog() || !isFollowed())
    return;
  if (!isLavapipe)
    return m_session->warn("DOVETAIL_SHADOW_EXECUTE: draws are executed beside lavapipe only");
  try {
    m_execution = std::make_unique<Execution>(m_session->options(), *m_session->executionLog(),
                                              DriverCommands(handle, getDeviceProcAddr));
    m_session->addUnfinished(this, [this] { m_execution->drain(); });
  } catch (const std::exception &exception) {
    m_session->warn(std::string("DOVETAIL_SHADOW_EXECUTE: ") + exception.what());
  }
}

std::shared_ptr<Pool> Device::strayPool() {
  std::scoped_lock lock(m_strayMutex);
  if (!m_strayPool)
    m_strayPool = std::make_shared<Pool>(*this);
  return m_strayPool;
}

Device &deviceOf(const void *dispatchable) {
  Devices &all = devices();
  std::shared_lock lock(all.mutex);
  const auto found = all.byKey.find(loaderTable(dispatchable));
  if (found == all.byKey.end())
    std::abort(); // the loader called this layer for a device that the layer has not created
  return *found->second;
}

void addDevice(VkDevice handle, std::unique_ptr<Device> device) {
  Devices &all = devices();
  std::scoped_lock lock(all.mutex);
  all.byKey[loaderTable(handle)] = std::move(device);
}

std::unique_ptr<Device> removeDevice(VkDevice handle) {
  Devices &all = devices();
  std::scoped_lock lock(all.mutex);
  const auto found = all.byKey.find(loaderTable(handle));
  std::unique_ptr<Device> device = std::move(found->second);
  all.byKey.erase(found);
  return device;
}

} // namespace dovetail::layer
