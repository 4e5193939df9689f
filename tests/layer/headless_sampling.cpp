// SPDX-License-Identifier: MIT
//
// The application reads its own picture, through a sampler that belongs to the layout of its descriptors.
#include "layer_shaders.inc" // made by the build
#include "tests/layer/headless_app.h"

namespace dovetail::headless {

uint64_t App::finishSampling(VkCommandBuffer commands) {
  VkSamplerCreateInfo samplerInfo = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
  samplerInfo.magFilter = samplerInfo.minFilter = VK_FILTER_LINEAR;
  samplerInfo.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
  VkSampler sampler = VK_NULL_HANDLE;
  check(vkCreateSampler(m_device, &samplerInfo, nullptr, &sampler), "vkCreateSampler");
  const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, &sampler}};
  VkDescriptorSetLayoutCreateInfo setLayoutInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 2,
                                                   bindings};
  VkDescriptorSetLayout setLayout = VK_NULL_HANDLE;
  check(vkCreateDescriptorSetLayout(m_device, &setLayoutInfo, nullptr, &setLayout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layoutInfo = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &setLayout};
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(vkCreatePipelineLayout(m_device, &layoutInfo, nullptr, &layout), "vkCreatePipelineLayout");
  VkShaderModuleCreateInfo moduleInfo = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, sizeof sample_comp,
                                         sample_comp};
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(m_device, &moduleInfo, nullptr, &module), "vkCreateShaderModule");
  VkComputePipelineCreateInfo pipelineInfo = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
  pipelineInfo.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  pipelineInfo.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  pipelineInfo.stage.module = module;
  pipelineInfo.stage.pName = "main";
  pipelineInfo.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(m_device, VK_NULL_HANDLE, 1, &pipelineInfo, nullptr, &pipeline),
        "vkCreateComputePipelines");

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
  VkDescriptorPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 2, sizes};
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(vkCreateDescriptorPool(m_device, &poolInfo, nullptr, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo setInfo = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &setLayout};
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(vkAllocateDescriptorSets(m_device, &setInfo, &set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffer = {m_numbers.buffer, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image = {VK_NULL_HANDLE, m_image.view, VK_IMAGE_LAYOUT_GENERAL};
  VkWriteDescriptorSet writes[2] = {{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}, {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET}};
  for (uint32_t binding = 0; binding < 2; ++binding) {
    writes[binding].dstSet = set;
    writes[binding].dstBinding = binding;
    writes[binding].descriptorCount = 1;
    writes[binding].descriptorType = bindings[binding].descriptorType;
  }
  writes[0].pBufferInfo = &buffer;
  writes[1].pImageInfo = &image;
  vkUpdateDescriptorSets(m_device, 2, writes, 0, nullptr);

  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vkCmdDispatch(commands, NumberCount / 64, 1, 1);
  submit(commands);

  vkDestroyPipeline(m_device, pipeline, nullptr);
  vkDestroyShaderModule(m_device, module, nullptr);
  vkDestroyDescriptorPool(m_device, pool, nullptr);
  vkDestroyPipelineLayout(m_device, layout, nullptr);
  vkDestroyDescriptorSetLayout(m_device, setLayout, nullptr);
  vkDestroySampler(m_device, sampler, nullptr);
  return hashOfNumbers();
}

} // namespace dovetail::headless
