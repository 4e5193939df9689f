// SPDX-License-Identifier: MIT
#include "tests/layer/null-driver/null_driver.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vulkan/vk_layer.h>

namespace dovetail::null_driver {

namespace {

// Dispatchable handles begin with the loader's table; all of one device have the same one.
struct Dispatchable {
  const void *table;
};
int instanceTable, deviceTable;
Dispatchable instance = {&instanceTable}, physicalDevice = {&instanceTable}, device = {&deviceTable};
constexpr size_t CommandBufferCount = 16;
Dispatchable commandBuffers[CommandBufferCount], queue = {&deviceTable};
uint64_t made = 0; // objects

template <typename Handle> Handle makeHandle() {
  return reinterpret_cast<Handle>(static_cast<uintptr_t>(++made));
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo *, const VkAllocationCallbacks *,
                                              VkInstance *out) {
  *out = reinterpret_cast<VkInstance>(&instance);
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice, const VkDeviceCreateInfo *, const VkAllocationCallbacks *,
                                            VkDevice *out) {
  *out = reinterpret_cast<VkDevice>(&device);
  return VK_SUCCESS;
}

// vkCreate… of one object.
template <typename Info, typename Handle>
VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice, const Info *, const VkAllocationCallbacks *, Handle *out) {
  *out = makeHandle<Handle>();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL createPipelines(VkDevice, VkPipelineCache, uint32_t count,
                                               const VkGraphicsPipelineCreateInfo *, const VkAllocationCallbacks *,
                                               VkPipeline *out) {
  for (uint32_t index = 0; index < count; ++index)
    out[index] = makeHandle<VkPipeline>();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL allocateCommandBuffers(VkDevice, const VkCommandBufferAllocateInfo *info,
                                                      VkCommandBuffer *out) {
  for (uint32_t index = 0; index < info->commandBufferCount && index < CommandBufferCount; ++index) {
    commandBuffers[index].table = &deviceTable;
    out[index] = reinterpret_cast<VkCommandBuffer>(&commandBuffers[index]);
  }
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL getDeviceQueue(VkDevice, uint32_t, uint32_t, VkQueue *out) {
  *out = reinterpret_cast<VkQueue>(&queue);
}

// Every other command. Callers remove the arguments themselves.
VKAPI_ATTR VkResult VKAPI_CALL doNothing() {
  return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice, const char *name);

template <typename Function> PFN_vkVoidFunction plain(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance, const char *name) {
  const auto isNamed = [name](const char *other) { return std::strcmp(name, other) == 0; };
  if (isNamed("vkCreateInstance"))
    return plain(createInstance);
  if (isNamed("vkCreateDevice"))
    return plain(createDevice);
  if (isNamed("vkGetDeviceProcAddr"))
    return plain(getDeviceProcAddr);
  return getDeviceProcAddr(VK_NULL_HANDLE, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice, const char *name) {
  const auto isNamed = [name](const char *other) { return std::strcmp(name, other) == 0; };
  if (isNamed("vkGetDeviceProcAddr"))
    return plain(getDeviceProcAddr);
  if (isNamed("vkGetDeviceQueue"))
    return plain(getDeviceQueue);
  if (isNamed("vkCreateShaderModule"))
    return plain(create<VkShaderModuleCreateInfo, VkShaderModule>);
  if (isNamed("vkCreatePipelineLayout"))
    return plain(create<VkPipelineLayoutCreateInfo, VkPipelineLayout>);
  if (isNamed("vkCreateCommandPool"))
    return plain(create<VkCommandPoolCreateInfo, VkCommandPool>);
  if (isNamed("vkCreateGraphicsPipelines"))
    return plain(createPipelines);
  if (isNamed("vkAllocateCommandBuffers"))
    return plain(allocateCommandBuffers);
  return plain(doNothing);
}

[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

} // namespace

LayeredDevice::LayeredDevice(const char *layerPath) : m_library(dlopen(layerPath, RTLD_NOW)) {
  if (!m_library)
    fail(dlerror());
  const auto negotiate = reinterpret_cast<PFN_vkNegotiateLoaderLayerInterfaceVersion>(
      dlsym(m_library, "vkNegotiateLoaderLayerInterfaceVersion"));
  VkNegotiateLayerInterface interface = {LAYER_NEGOTIATE_INTERFACE_STRUCT, nullptr, 2, nullptr, nullptr, nullptr};
  if (!negotiate || negotiate(&interface) != VK_SUCCESS)
    fail("this is no layer");
  m_getInstanceProcAddr = interface.pfnGetInstanceProcAddr;
  m_getDeviceProcAddr = interface.pfnGetDeviceProcAddr;

  VkLayerInstanceLink instanceLink = {nullptr, getInstanceProcAddr, nullptr};
  VkLayerInstanceCreateInfo layerInstance = {};
  layerInstance.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO;
  layerInstance.function = VK_LAYER_LINK_INFO;
  layerInstance.u.pLayerInfo = &instanceLink;
  const VkInstanceCreateInfo instanceInfo = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &layerInstance};
  const auto makeInstance =
      reinterpret_cast<PFN_vkCreateInstance>(m_getInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"));
  if (makeInstance(&instanceInfo, nullptr, &m_instance) != VK_SUCCESS)
    fail("vkCreateInstance failed");

  VkLayerDeviceLink deviceLink = {nullptr, getInstanceProcAddr, getDeviceProcAddr};
  VkLayerDeviceCreateInfo layerDevice = {};
  layerDevice.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
  layerDevice.function = VK_LAYER_LINK_INFO;
  layerDevice.u.pLayerInfo = &deviceLink;
  const VkDeviceCreateInfo deviceInfo = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &layerDevice};
  const auto makeDevice = reinterpret_cast<PFN_vkCreateDevice>(m_getInstanceProcAddr(m_instance, "vkCreateDevice"));
  if (makeDevice(reinterpret_cast<VkPhysicalDevice>(&physicalDevice), &deviceInfo, nullptr, &m_device) != VK_SUCCESS)
    fail("vkCreateDevice failed");
}

LayeredDevice::~LayeredDevice() {
  function<PFN_vkDestroyDevice>("vkDestroyDevice")(m_device, nullptr);
  reinterpret_cast<PFN_vkDestroyInstance>(m_getInstanceProcAddr(m_instance, "vkDestroyInstance"))(m_instance, nullptr);
}

} // namespace dovetail::null_driver
