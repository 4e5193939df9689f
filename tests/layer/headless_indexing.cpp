// SPDX-License-Identifier: MIT
//
// Asks for the dynamic indexing of images, and makes a shader that uses it, which must be refused where it does not
// hold.
#include "layer_shaders.inc" // made by the build
#include "tests/layer/headless_app.h"

namespace dovetail::headless {

std::array<VkBool32, 2> App::imageIndexing() const {
  VkPhysicalDeviceFeatures first = {};
  vkGetPhysicalDeviceFeatures(m_physicalDevice, &first);
  VkPhysicalDeviceFeatures2 second = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  vkGetPhysicalDeviceFeatures2(m_physicalDevice, &second);
  return {first.shaderSampledImageArrayDynamicIndexing && second.features.shaderSampledImageArrayDynamicIndexing,
          first.shaderStorageImageArrayDynamicIndexing && second.features.shaderStorageImageArrayDynamicIndexing};
}

std::array<VkResult, 2> App::tryImageIndexing() {
  VkShaderModuleCreateInfo moduleInfo = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, sizeof index_comp,
                                         index_comp};
  VkShaderModule module = VK_NULL_HANDLE;
  const VkResult ofModule = vkCreateShaderModule(m_device, &moduleInfo, nullptr, &module);
  vkDestroyShaderModule(m_device, module, nullptr);

  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 4, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}};
  VkDescriptorSetLayoutCreateInfo setLayoutInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 2,
                                                   bindings};
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(m_device, &setLayoutInfo, nullptr, &setLayout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layoutInfo = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &setLayout};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(vkCreatePipelineLayout(m_device, &layoutInfo, nullptr, &layout), "vkCreatePipelineLayout");
  VkComputePipelineCreateInfo pipelineInfo = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  pipelineInfo.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipelineInfo.stage.pNext = &moduleInfo; // the module comes with its stage
  pipelineInfo.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipelineInfo.stage.pName = "main";
  pipelineInfo.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult ofPipeline = vkCreateComputePipelines(m_device, VK_NULL_HANDLE, 1, &pipelineInfo, nullptr, &pipeline);
  vkDestroyPipeline(m_device, pipeline, nullptr);
  vkDestroyPipelineLayout(m_device, layout, nullptr);
  vkDestroyDescriptorSetLayout(m_device, setLayout, nullptr);
  return {ofModule, ofPipeline};
}

} // namespace dovetail::headless
