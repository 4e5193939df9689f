// SPDX-License-Identifier: MIT
//
// Puts a pipeline state into Vulkan's structures, for whole pipelines and for pipeline libraries.
#pragma once

#include "src/state/pipeline_state.h"
#include <span>
#include <vector>

namespace dovetail {

// The stages of a pipeline, in Vulkan's order.
using RadvStages = std::vector<VkPipelineShaderStageCreateInfo>;

// Its structures refer to each other, so it cannot be copied. Leaves out GL's states, which Vulkan lacks.
class GraphicsInfo {
public:
  explicit GraphicsInfo(const PipelineState &state);
  GraphicsInfo(const GraphicsInfo &) = delete;

  // The create-infos are valid as long as the stages and this object live. Callers may change them.
  VkGraphicsPipelineCreateInfo wholePipeline(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                             VkPipelineLayout layout) const;
  // With the vertex input as dynamic state.
  VkGraphicsPipelineCreateInfo withDynamicVertexInput(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                      VkPipelineLayout layout) const;

  // The four libraries from which a pipeline is linked. `stages`: the pipeline's; each library takes its own.
  VkGraphicsPipelineCreateInfo vertexInputLibrary() const;
  VkGraphicsPipelineCreateInfo preRasterLibrary(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                VkPipelineLayout layout) const;
  VkGraphicsPipelineCreateInfo fragmentLibrary(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                               VkPipelineLayout layout) const;
  VkGraphicsPipelineCreateInfo fragmentOutputLibrary() const;

private:
  static constexpr unsigned LibraryKinds = 4;

  VkGraphicsPipelineCreateInfo library(unsigned kind) const;

  std::vector<VkVertexInputBindingDescription> m_bindings;
  std::vector<VkVertexInputBindingDivisorDescriptionEXT> m_divisors;
  std::vector<VkVertexInputAttributeDescription> m_attributes;
  VkPipelineVertexInputDivisorStateCreateInfoEXT m_divisorInput;
  VkPipelineVertexInputStateCreateInfo m_vertexInput;
  VkPipelineInputAssemblyStateCreateInfo m_assembly;
  VkPipelineTessellationDomainOriginStateCreateInfo m_domainOrigin;
  VkPipelineTessellationStateCreateInfo m_tessellation;
  VkViewport m_viewport;
  VkRect2D m_scissor;
  VkPipelineViewportStateCreateInfo m_viewports;
  VkPipelineRasterizationProvokingVertexStateCreateInfoEXT m_provokingVertex;
  VkPipelineRasterizationStateCreateInfo m_rasterization;
  VkPipelineMultisampleStateCreateInfo m_multisample;
  VkPipelineDepthStencilStateCreateInfo m_depthStencil;
  std::vector<VkPipelineColorBlendAttachmentState> m_attachments;
  std::vector<VkFormat> m_formats;
  VkPipelineColorBlendStateCreateInfo m_blend;
  VkPipelineRenderingCreateInfo m_rendering;
  VkPipelineDynamicStateCreateInfo m_dynamic, m_dynamicVertexInput;
  VkGraphicsPipelineLibraryCreateInfoEXT m_libraries[LibraryKinds];
};

} // namespace dovetail
