// SPDX-License-Identifier: MIT
//
// VK_LAYER_DOVETAIL_shadow stands between an application and its Vulkan driver. Beside every draw, it does what a
// driver for AMD GPUs would do with Dovetail: it binds program and state, on the application's thread. The application
// sees only its own driver. docs/layer.md says how to use the layer.
//
// This file has the functions that the loader asks for. followed_commands.txt lists the commands that the layer
// follows; the build makes their functions, which call followers.h.
#include "tools/programs/layer/followers.h"
#include "tools/programs/layer/process.h"
#include "tools/programs/layer/reported_features.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace dovetail::layer {

namespace {

// Sets a member of FixedFunction, whose types are those of C++.
template <typename Member, typename Value> void setMember(Member &member, Value value) {
  member = static_cast<Member>(value);
}

// Whether the draws of one command may be recorded as commands of their own: no shader asks for their numbers. Counts
// those that may not.
bool drawsAreAlone(Recording &layer, uint32_t count) {
  const BoundPipeline bound = layer.boundForDraw();
  if (count == 1 || !bound.pipeline || !layer.tracker()->usesDrawNumbers(bound))
    return true;
  layer.tracker()->refuse(bound, "a command of several draws whose shaders ask for their numbers");
  return false;
}

template <typename Info, typename Use>
void forEachDraw(uint32_t count, const Info *infos, uint32_t stride, const Use &use) {
  for (uint32_t draw = 0; draw < count; ++draw)
    use(reinterpret_cast<const Info *>(reinterpret_cast<const char *>(infos) + size_t(draw) * stride));
}

struct Wrapper {
  std::string_view name;
  PFN_vkVoidFunction (*function)();
  bool onlyExecuting; // is followed only if draws are executed
};

#include "command_wrappers.inc" // made by the build

// ---- Instances ----

struct Instance {
  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;
  PFN_vkDestroyInstance destroyInstance = nullptr;
  PFN_vkGetPhysicalDeviceFeatures getFeatures = nullptr;
  PFN_vkGetPhysicalDeviceFeatures2 getFeatures2 = nullptr;
};

struct Instances {
  std::shared_mutex mutex;
  std::unordered_map<const void *, Instance> byKey;
};

Instances &instances() {
  static Instances *const all = new Instances;
  return *all;
}

// The loader's table: an instance and its physical devices begin with its address.
Instance findInstance(const void *dispatchable) {
  Instances &all = instances();
  std::shared_lock lock(all.mutex);
  const auto found = all.byKey.find(loaderTable(dispatchable));
  return found == all.byKey.end() ? Instance() : found->second;
}

// Finds the loader's struct that leads to the next layer, in a chain of create infos; each layer takes its own link
// out.
template <typename CreateInfo> CreateInfo *findLink(const void *next, VkStructureType type) {
  for (auto *at = static_cast<const VkBaseInStructure *>(next); at; at = at->pNext)
    if (at->sType == type) {
      auto *info = reinterpret_cast<CreateInfo *>(const_cast<VkBaseInStructure *>(at));
      if (info->function == VK_LAYER_LINK_INFO)
        return info;
    }
  return nullptr;
}

VKAPI_ATTR VkResult VKAPI_CALL createInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                                              VkInstance *instance) {
  auto *link = findLink<VkLayerInstanceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  Instance made;
  made.getInstanceProcAddr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create =
      reinterpret_cast<PFN_vkCreateInstance>(made.getInstanceProcAddr(VK_NULL_HANDLE, "vkCreateInstance"));
  if (!create)
    return VK_ERROR_INITIALIZATION_FAILED;
  // lavapipe then samples textures with floats, and with a level of detail of their own for all pixels, as GPUs do.
  if (isExecutionAsked())
    (void)setenv("GALLIVM_PERF", "no_quad_lod,no_aos_sampling", 0);
  const VkResult result = create(info, allocator, instance);
  if (result != VK_SUCCESS)
    return result;
  made.handle = *instance;
  made.destroyInstance =
      reinterpret_cast<PFN_vkDestroyInstance>(made.getInstanceProcAddr(*instance, "vkDestroyInstance"));
  made.getFeatures = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures>(
      made.getInstanceProcAddr(*instance, "vkGetPhysicalDeviceFeatures"));
  for (const char *name : {"vkGetPhysicalDeviceFeatures2KHR", "vkGetPhysicalDeviceFeatures2"})
    if (const PFN_vkVoidFunction found = made.getInstanceProcAddr(*instance, name))
      made.getFeatures2 = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(found);
  noteApplication(info->pApplicationInfo);
  Instances &all = instances();
  std::scoped_lock lock(all.mutex);
  all.byKey[loaderTable(*instance)] = made;
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroyInstance(VkInstance instance, const VkAllocationCallbacks *allocator) {
  if (instance == VK_NULL_HANDLE)
    return;
  const Instance known = findInstance(instance);
  bool isLast = false;
  {
    Instances &all = instances();
    std::scoped_lock lock(all.mutex);
    all.byKey.erase(loaderTable(instance));
    isLast = all.byKey.empty();
  }
  // After the last instance, the loader may unload this library.
  if (isLast)
    closeSession();
  known.destroyInstance(instance, allocator);
}

// ---- Features that the layer adds (reported_features.h) ----

VKAPI_ATTR void VKAPI_CALL getFeatures(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures *features) {
  findInstance(physicalDevice).getFeatures(physicalDevice, features);
  addReported(*features);
}

VKAPI_ATTR void VKAPI_CALL getFeatures2(VkPhysicalDevice physicalDevice, VkPhysicalDeviceFeatures2 *features) {
  findInstance(physicalDevice).getFeatures2(physicalDevice, features);
  addReported(features->features);
}

// ---- Devices ----

bool isLavapipe(VkPhysicalDevice physicalDevice) {
  const Instance instance = findInstance(physicalDevice);
  const auto getProperties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(
      instance.getInstanceProcAddr(instance.handle, "vkGetPhysicalDeviceProperties"));
  VkPhysicalDeviceProperties properties = {};
  if (getProperties)
    getProperties(physicalDevice, &properties);
  return std::string_view(properties.deviceName).starts_with("llvmpipe");
}

VKAPI_ATTR VkResult VKAPI_CALL createDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *info,
                                            const VkAllocationCallbacks *allocator, VkDevice *device) {
  auto *link = findLink<VkLayerDeviceCreateInfo>(info->pNext, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!link)
    return VK_ERROR_INITIALIZATION_FAILED;
  const PFN_vkGetInstanceProcAddr getInstanceProcAddr = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  const PFN_vkGetDeviceProcAddr getDeviceProcAddr = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const auto create = reinterpret_cast<PFN_vkCreateDevice>(getInstanceProcAddr(VK_NULL_HANDLE, "vkCreateDevice"));
  if (!create)
    return VK_ERROR_INITIALIZATION_FAILED;
  std::optional<DriversFeatures> withoutAdded;
  VkPhysicalDeviceFeatures drivers = {};
  if (reportsImageIndexing()) {
    findInstance(physicalDevice).getFeatures(physicalDevice, &drivers);
    info = withoutAdded.emplace(*info, drivers).info();
  }
  const VkResult result = create(physicalDevice, info, allocator, device);
  if (result != VK_SUCCESS)
    return result;
  auto made = std::make_unique<Device>(openSession(), *device, getDeviceProcAddr);
  made->refusesImageIndexing = withoutAdded && lacksReported(drivers);
  made->startExecution(*device, getDeviceProcAddr, isLavapipe(physicalDevice));
  addDevice(*device, std::move(made));
  return result;
}

VKAPI_ATTR void VKAPI_CALL destroyDevice(VkDevice device, const VkAllocationCallbacks *allocator) {
  if (device == VK_NULL_HANDLE)
    return;
  const PFN_vkDestroyDevice destroy = deviceOf(device).next().vkDestroyDevice;
  removeDevice(device);
  destroy(device, allocator);
}

// ---- Functions by name ----

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char *name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char *name);

template <typename Function> PFN_vkVoidFunction plain(Function function) {
  return reinterpret_cast<PFN_vkVoidFunction>(function);
}

// nullptr: this command is not followed.
PFN_vkVoidFunction findOwn(std::string_view name) {
  if (name == "vkGetDeviceProcAddr")
    return plain(getDeviceProcAddr);
  if (name == "vkDestroyDevice")
    return plain(destroyDevice);
  const auto *found = std::ranges::lower_bound(Wrappers, name, {}, &Wrapper::name);
  const bool isFollowed =
      found != std::end(Wrappers) && found->name == name && (!found->onlyExecuting || isExecutionAsked());
  return isFollowed ? found->function() : nullptr;
}

PFN_vkVoidFunction findOwnOfInstance(std::string_view name) {
  if (name == "vkGetInstanceProcAddr")
    return plain(getInstanceProcAddr);
  if (name == "vkCreateInstance")
    return plain(createInstance);
  if (name == "vkDestroyInstance")
    return plain(destroyInstance);
  if (name == "vkCreateDevice")
    return plain(createDevice);
  if (reportsImageIndexing() && name == "vkGetPhysicalDeviceFeatures")
    return plain(getFeatures);
  if (reportsImageIndexing() && (name == "vkGetPhysicalDeviceFeatures2" || name == "vkGetPhysicalDeviceFeatures2KHR"))
    return plain(getFeatures2);
  return findOwn(name);
}

// If the driver lacks a function, the layer lacks it, too.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getDeviceProcAddr(VkDevice device, const char *name) {
  const PFN_vkVoidFunction next = deviceOf(device).next().vkGetDeviceProcAddr(device, name);
  const PFN_vkVoidFunction own = findOwn(name);
  return next && own ? own : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL getInstanceProcAddr(VkInstance instance, const char *name) {
  const PFN_vkVoidFunction own = findOwnOfInstance(name);
  if (instance == VK_NULL_HANDLE)
    return own;
  const Instance known = findInstance(instance);
  const PFN_vkVoidFunction next = known.getInstanceProcAddr ? known.getInstanceProcAddr(instance, name) : nullptr;
  return next && own ? own : next;
}

} // namespace

} // namespace dovetail::layer

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *interface) {
  if (interface->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT || interface->loaderLayerInterfaceVersion < 2)
    return VK_ERROR_INITIALIZATION_FAILED;
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = dovetail::layer::getInstanceProcAddr;
  interface->pfnGetDeviceProcAddr = dovetail::layer::getDeviceProcAddr;
  interface->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
