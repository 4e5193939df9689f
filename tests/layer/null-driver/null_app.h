// SPDX-License-Identifier: MIT
//
// An application over the null driver: pipelines, and a command buffer to draw with them.
#pragma once

#include "tests/layer/null-driver/null_driver.h"
#include <array>
#include <vector>

namespace dovetail::null_driver {

class App {
public:
  // `isDynamic`: the pipelines' topology is dynamic.
  App(const char *layer, size_t pipelineCount, bool isDynamic);

  void bindPipeline(size_t number) {
    m_bindPipeline(m_commands, VK_PIPELINE_BIND_POINT_GRAPHICS, m_pipelines[number % m_pipelines.size()]);
  }
  void setTopology(size_t number) {
    m_setTopology(m_commands, number % 2 ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
  }
  void pushConstants() {
    m_pushConstants(m_commands, m_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof m_constants, m_constants.data());
  }
  void draw() { m_draw(m_commands, 4, 1, 0, 0); }
  // Ends a frame.
  void present();
  // Names a pipeline by VK_EXT_debug_marker.
  void namePipeline(size_t number, const char *name);

private:
  void makeCommandBuffer();
  VkShaderModule makeModule(const uint32_t *words, size_t size);
  // They differ in a specialisation constant, and so in their main parts, or in blending.
  VkPipeline makePipeline(size_t number, bool isDynamic);

  LayeredDevice m_device;
  PFN_vkCmdBindPipeline m_bindPipeline;
  PFN_vkCmdPushConstants m_pushConstants;
  PFN_vkCmdSetPrimitiveTopology m_setTopology;
  PFN_vkCmdDraw m_draw;
  VkCommandBuffer m_commands = VK_NULL_HANDLE;
  VkQueue m_queue = VK_NULL_HANDLE;
  VkPipelineLayout m_layout = VK_NULL_HANDLE;
  VkShaderModule m_vertex = VK_NULL_HANDLE, m_fragment = VK_NULL_HANDLE;
  std::vector<VkPipeline> m_pipelines;
  std::array<float, 3> m_constants = {0, 0, 1};
};

} // namespace dovetail::null_driver
