// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/structure_names.h"
#include <fmt/format.h>
#include <utility>

namespace dovetail::fossilize {

std::string structureName(uint32_t type) {
  static constexpr std::pair<uint32_t, const char *> Names[] = {
      {1000028002, "VkPipelineRasterizationStateStreamCreateInfoEXT"},
      {1000044002, "VkPipelineRenderingCreateInfo"},
      {1000053000, "VkRenderPassMultiviewCreateInfo"},
      {1000068000, "VkPipelineRobustnessCreateInfo"},
      {1000099001, "VkPipelineDiscardRectangleStateCreateInfoEXT"},
      {1000101001, "VkPipelineRasterizationConservativeStateCreateInfoEXT"},
      {1000102001, "VkPipelineRasterizationDepthClipStateCreateInfoEXT"},
      {1000117001, "VkRenderPassInputAttachmentAspectCreateInfo"},
      {1000117003, "VkPipelineTessellationDomainOriginStateCreateInfo"},
      {1000130001, "VkSamplerReductionModeCreateInfo"},
      {1000135006, "VkShaderDescriptorSetAndBindingMappingInfoEXT"},
      {1000143000, "VkSampleLocationsInfoEXT"},
      {1000143002, "VkPipelineSampleLocationsStateCreateInfoEXT"},
      {1000148002, "VkPipelineColorBlendAdvancedStateCreateInfoEXT"},
      {1000156000, "VkSamplerYcbcrConversionCreateInfo"},
      {1000161000, "VkDescriptorSetLayoutBindingFlagsCreateInfo"},
      {1000190001, "VkPipelineVertexInputDivisorStateCreateInfo"},
      {1000199001, "VkSubpassDescriptionDepthStencilResolve"},
      {1000218002, "VkRenderPassFragmentDensityMapCreateInfoEXT"},
      {1000225001, "VkPipelineShaderStageRequiredSubgroupSizeCreateInfo"},
      {1000226000, "VkFragmentShadingRateAttachmentInfoKHR"},
      {1000226001, "VkPipelineFragmentShadingRateStateCreateInfoKHR"},
      {1000232001, "VkRenderingAttachmentLocationInfo"},
      {1000232002, "VkRenderingInputAttachmentIndexInfo"},
      {1000241001, "VkAttachmentReferenceStencilLayout"},
      {1000241002, "VkAttachmentDescriptionStencilLayout"},
      {1000254001, "VkPipelineRasterizationProvokingVertexStateCreateInfoEXT"},
      {1000259001, "VkPipelineRasterizationLineStateCreateInfo"},
      {1000283002, "VkDepthBiasRepresentationInfoEXT"},
      {1000287000, "VkSamplerCustomBorderColorCreateInfoEXT"},
      {1000290000, "VkPipelineLibraryCreateInfoKHR"},
      {1000314000, "VkMemoryBarrier2"},
      {1000320002, "VkGraphicsPipelineLibraryCreateInfoEXT"},
      {1000351002, "VkMutableDescriptorTypeCreateInfoEXT"},
      {1000355001, "VkPipelineViewportDepthClipControlCreateInfoEXT"},
      {1000376002, "VkMultisampledRenderToSingleSampledInfoEXT"},
      {1000381001, "VkPipelineColorWriteCreateInfoEXT"},
      {1000411001, "VkSamplerBorderColorComponentMappingCreateInfoEXT"},
      {1000458001, "VkRenderPassCreationControlEXT"},
      {1000470005, "VkPipelineCreateFlags2CreateInfo"},
      {1000569007, "VkRayTracingPipelineClusterAccelerationStructureCreateInfoNV"},
      {1000582001, "VkPipelineViewportDepthClampControlCreateInfoEXT"},
      {1000611002, "VkPipelineFragmentDensityMapLayeredCreateInfoVALVE"},
      {1000628002, "VkCustomResolveCreateInfoEXT"},
  };
  for (const auto &[number, name] : Names)
    if (number == type)
      return name;
  return fmt::format("a struct of VkStructureType {}", type);
}

} // namespace dovetail::fossilize
