// SPDX-License-Identifier: MIT
//
// A pipeline state in the structures that Vulkan takes it in, for whole pipelines and for pipeline libraries.
#pragma once

#include "src/state/pipeline_state.h"
#include <span>
#include <vector>

namespace dovetail {

// Of these shaders, in the order of the stages.
using RadvStages = std::vector<VkPipelineShaderStageCreateInfo>;

// Its structures refer to each other. States of GL are not Vulkan's to have.
class GraphicsInfo {
public:
  explicit GraphicsInfo(const PipelineState &state);
  GraphicsInfo(const GraphicsInfo &) = delete;

  // What they return is valid for as long as the stages and this live, and may be changed.
  VkGraphicsPipelineCreateInfo wholePipeline(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                             VkPipelineLayout layout) const;
  // Its vertex input is dynamic state.
  VkGraphicsPipelineCreateInfo withDynamicVertexInput(std::span<const VkPipelineShaderStageCreateInfo> stages,
                                                      VkPipelineLayout layout) const;

  // The four libraries that a pipeline is linked from. `stages`: of the pipeline, of which each takes its own.
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
