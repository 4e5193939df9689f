// SPDX-License-Identifier: MIT
#include "tools/programs/layer/reported_features.h"
#include "tools/programs/layer/followers.h"
#include "tools/programs/layer/graphics_pieces.h"
#include <algorithm>
#include <new>
#include <unordered_set>

namespace dovetail::layer {

namespace {

constexpr VkBool32 VkPhysicalDeviceFeatures::*Reported[] = {
    &VkPhysicalDeviceFeatures::shaderSampledImageArrayDynamicIndexing,
    &VkPhysicalDeviceFeatures::shaderStorageImageArrayDynamicIndexing,
};

// Returns whether it took something out.
bool takeOut(VkPhysicalDeviceFeatures &features, const VkPhysicalDeviceFeatures &drivers) {
  bool isChanged = false;
  for (VkBool32 VkPhysicalDeviceFeatures::*feature : Reported)
    if (features.*feature && !(drivers.*feature)) {
      features.*feature = VK_FALSE;
      isChanged = true;
    }
  return isChanged;
}

// Refuses a command if `isWrong`(), which may throw.
template <typename Question> VkResult refuseIf(Device &device, const char *command, const Question &isWrong) noexcept {
  try {
    if (!device.refusesImageIndexing || !isWrong())
      return VK_SUCCESS;
  } catch (const std::bad_alloc &) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  }
  guarded(device, command, [&] {
    device.session().problems().noteUnfollowed(
        std::string(command) +
        ": refused, because the shader indexes images dynamically, which the driver does not do");
  });
  return VK_ERROR_INVALID_SHADER_NV;
}

// Whether a stage brings its module with it, and the module indexes images.
bool bringsIndexing(const VkPipelineShaderStageCreateInfo &stage) {
  const auto *module = findNext<VkShaderModuleCreateInfo>(stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  return stage.module == VK_NULL_HANDLE && module && indexesImages(*module);
}

} // namespace

bool reportsImageIndexing() {
  static const bool reports = readOptions().reportsImageIndexing;
  return reports;
}

void addReported(VkPhysicalDeviceFeatures &features) {
  for (VkBool32 VkPhysicalDeviceFeatures::*feature : Reported)
    features.*feature = VK_TRUE;
}

bool lacksReported(const VkPhysicalDeviceFeatures &drivers) {
  return std::ranges::any_of(Reported,
                             [&](VkBool32 VkPhysicalDeviceFeatures::*feature) { return !(drivers.*feature); });
}

// Compilers need not declare a capability for it, so this looks for an index that is no constant on the way to an image
// or a sampler: both are in the storage class UniformConstant.
bool indexesImages(const VkShaderModuleCreateInfo &module) {
  constexpr uint32_t HeadWords = 5, OpTypePointer = 32, UniformConstant = 0;
  constexpr uint32_t OpConstant = 43, OpSpecConstant = 50, OpSpecConstantOp = 52;
  constexpr uint32_t OpAccessChain = 65, OpInBoundsAccessChain = 66;
  const size_t count = module.codeSize / sizeof(uint32_t);
  std::unordered_set<uint32_t> pointers, constants; // ids of types and of values
  for (size_t at = HeadWords; at < count;) {
    const uint32_t *const words = module.pCode + at;
    const size_t length = words[0] >> 16;
    if (length == 0 || at + length > count)
      return true; // malformed
    at += length;
    switch (words[0] & 0xffff) {
    case OpTypePointer:
      if (length > 2 && words[2] == UniformConstant)
        pointers.insert(words[1]);
      break;
    case OpConstant:
    case OpSpecConstant:
    case OpSpecConstantOp:
      if (length > 2)
        constants.insert(words[2]);
      break;
    case OpAccessChain:
    case OpInBoundsAccessChain:
      if (length > 4 && pointers.contains(words[1]) &&
          !std::all_of(words + 4, words + length, [&](uint32_t index) { return constants.contains(index); }))
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

DriversFeatures::DriversFeatures(const VkDeviceCreateInfo &info, const VkPhysicalDeviceFeatures &drivers)
    : m_info(info) {
  if (info.pEnabledFeatures) {
    m_features = *info.pEnabledFeatures;
    takeOut(m_features, drivers);
    m_info.pEnabledFeatures = &m_features;
  }
  const auto *chained = findNext<VkPhysicalDeviceFeatures2>(info.pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  if (!chained)
    return;
  VkPhysicalDeviceFeatures features = m_before = chained->features;
  if (takeOut(features, drivers)) { // a struct with nothing to take out may be in memory that is not writable
    m_chained = &const_cast<VkPhysicalDeviceFeatures2 *>(chained)->features;
    *m_chained = features;
  }
}

VkResult checkCreateShaderModule(Device &device, const VkShaderModuleCreateInfo *info, const VkAllocationCallbacks *,
                                 VkShaderModule *) noexcept {
  return refuseIf(device, "vkCreateShaderModule", [&] { return indexesImages(*info); });
}

VkResult checkCreateGraphicsPipelines(Device &device, VkPipelineCache, uint32_t count,
                                      const VkGraphicsPipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                      VkPipeline *made) noexcept {
  const VkResult refusal = refuseIf(device, "vkCreateGraphicsPipelines", [&] {
    return std::any_of(infos, infos + count, [](const VkGraphicsPipelineCreateInfo &info) {
      return std::any_of(info.pStages, info.pStages + info.stageCount, bringsIndexing);
    });
  });
  if (refusal < VK_SUCCESS)
    std::fill_n(made, count, VkPipeline(VK_NULL_HANDLE));
  return refusal;
}

VkResult checkCreateComputePipelines(Device &device, VkPipelineCache, uint32_t count,
                                     const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *,
                                     VkPipeline *made) noexcept {
  const VkResult refusal = refuseIf(device, "vkCreateComputePipelines", [&] {
    return std::any_of(infos, infos + count,
                       [](const VkComputePipelineCreateInfo &info) { return bringsIndexing(info.stage); });
  });
  if (refusal < VK_SUCCESS)
    std::fill_n(made, count, VkPipeline(VK_NULL_HANDLE));
  return refusal;
}

DriversFeatures::~DriversFeatures() {
  if (m_chained)
    *m_chained = m_before;
}

} // namespace dovetail::layer
