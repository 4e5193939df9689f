// SPDX-License-Identifier: MIT
//
// Measures the cost of VK_LAYER_DOVETAIL_shadow for a draw, with Dovetail's bind in it, for several streams of
// commands:
//
//   build/tests/layer/layer-benchmark build/tools/programs/layer/libVkLayer_dovetail_shadow.so [STREAM] [DRAWS]
//
// The layer's summary of each stream, on the standard error, has its own cost without the bind.
#include "layer_shaders.inc" // made by the build
#include "tests/layer/null_driver.h"
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace {

using dovetail::null_driver::LayeredDevice;

// An application's pipelines, and a command buffer to draw with them.
class App {
public:
  App(const char *layer, size_t pipelineCount, bool isDynamic) : m_device(layer) {
    m_bindPipeline = m_device.function<PFN_vkCmdBindPipeline>("vkCmdBindPipeline");
    m_pushConstants = m_device.function<PFN_vkCmdPushConstants>("vkCmdPushConstants");
    m_setTopology = m_device.function<PFN_vkCmdSetPrimitiveTopology>("vkCmdSetPrimitiveTopology");
    m_draw = m_device.function<PFN_vkCmdDraw>("vkCmdDraw");
    makeCommandBuffer();
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof m_constants};
    const VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    m_device.function<PFN_vkCreatePipelineLayout>("vkCreatePipelineLayout")(m_device.handle(), &layout, nullptr,
                                                                            &m_layout);
    m_vertex = makeModule(quad_vert, sizeof quad_vert);
    m_fragment = makeModule(color_frag, sizeof color_frag);
    for (size_t number = 0; number < pipelineCount; ++number)
      m_pipelines.push_back(makePipeline(number, isDynamic));
  }

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

private:
  void makeCommandBuffer() {
    VkCommandPool pool = VK_NULL_HANDLE;
    const VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    m_device.function<PFN_vkCreateCommandPool>("vkCreateCommandPool")(m_device.handle(), &poolInfo, nullptr, &pool);
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool, .commandBufferCount = 1};
    m_device.function<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(m_device.handle(), &info, &m_commands);
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    m_device.function<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(m_commands, &begin);
  }

  VkShaderModule makeModule(const uint32_t *words, size_t size) {
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkShaderModule module = VK_NULL_HANDLE;
    m_device.function<PFN_vkCreateShaderModule>("vkCreateShaderModule")(m_device.handle(), &info, nullptr, &module);
    return module;
  }

  // They differ in a specialisation constant, and so in their main parts, or in blending.
  VkPipeline makePipeline(size_t number, bool isDynamic) {
    constexpr size_t Brightnesses = 8;
    const float brightness = 1 + static_cast<float>(number % Brightnesses);
    const VkSpecializationMapEntry entry = {0, 0, sizeof brightness};
    const VkSpecializationInfo special = {1, &entry, sizeof brightness, &brightness};
    const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                       .module = m_vertex,
                                                       .pName = "main"},
                                                      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                       .module = m_fragment,
                                                       .pName = "main",
                                                       .pSpecializationInfo = &special}};
    const VkVertexInputBindingDescription binding = {0, 12, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0},
                                                            {1, 0, VK_FORMAT_R8G8B8A8_UNORM, 8}};
    const VkPipelineVertexInputStateCreateInfo vertexInput = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 2,
        .pVertexAttributeDescriptions = attributes};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    VkPipelineColorBlendAttachmentState attachment = {};
    attachment.blendEnable = number / Brightnesses % 2 != 0;
    attachment.srcColorBlendFactor = attachment.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
    attachment.colorWriteMask = static_cast<VkColorComponentFlags>(number / Brightnesses / 2 % 15 + 1);
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &attachment};
    const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                            VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = isDynamic ? 3u : 2u,
                                                      .pDynamicStates = dynamicStates};
    const VkFormat target = VK_FORMAT_R8G8B8A8_UNORM;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &target};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = 2,
                                               .pStages = stages,
                                               .pVertexInputState = &vertexInput,
                                               .pInputAssemblyState = &assembly,
                                               .pViewportState = &viewports,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &multisample,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = m_layout};
    VkPipeline pipeline = VK_NULL_HANDLE;
    m_device.function<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines")(m_device.handle(), VK_NULL_HANDLE, 1,
                                                                                  &info, nullptr, &pipeline);
    return pipeline;
  }

  LayeredDevice m_device;
  PFN_vkCmdBindPipeline m_bindPipeline;
  PFN_vkCmdPushConstants m_pushConstants;
  PFN_vkCmdSetPrimitiveTopology m_setTopology;
  PFN_vkCmdDraw m_draw;
  VkCommandBuffer m_commands = VK_NULL_HANDLE;
  VkPipelineLayout m_layout = VK_NULL_HANDLE;
  VkShaderModule m_vertex = VK_NULL_HANDLE, m_fragment = VK_NULL_HANDLE;
  std::vector<VkPipeline> m_pipelines;
  std::array<float, 3> m_constants = {0, 0, 1};
};

struct Stream {
  const char *name;
  size_t pipelines;
  bool isDynamic;
  bool isCold; // the caches are cold when a draw begins, as if a driver or an application had used them
  std::function<void(App &, size_t)> record; // commands of the draw with this number
};

const Stream Streams[] = {
    {"same", 1, false, false, [](App &, size_t) {}},
    {"constants", 1, false, false, [](App &app, size_t) { app.pushConstants(); }},
    {"two", 2, false, false, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"many", 64, false, false, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"dynamic", 1, true, false, [](App &app, size_t number) { app.setTopology(number); }},
    {"many-dynamic", 64, true, false,
     [](App &app, size_t number) {
       app.bindPipeline(number);
       app.setTopology(number);
     }},
    {"cold", 64, false, true, [](App &app, size_t number) { app.bindPipeline(number); }},
    {"cold-dynamic", 64, true, true,
     [](App &app, size_t number) {
       app.bindPipeline(number);
       app.setTopology(number);
     }},
};

// Fills the caches with other data.
void useCaches() {
  static std::vector<uint8_t> much(size_t(48) << 20);
  for (size_t at = 0; at < much.size(); at += 64)
    ++much[at];
}

void measure(const char *layer, const Stream &stream, size_t draws) {
  using Clock = std::chrono::steady_clock;
  App app(layer, stream.pipelines, stream.isDynamic);
  app.bindPipeline(0);
  app.setTopology(0);
  for (size_t number = 0; number < 2 * stream.pipelines; ++number) {
    stream.record(app, number);
    app.draw();
  }
  Clock::duration time = {};
  if (stream.isCold) {
    draws = draws / 1000 + 32;
    for (size_t number = 0; number < draws; ++number) {
      useCaches();
      const Clock::time_point start = Clock::now();
      stream.record(app, number);
      app.draw();
      time += Clock::now() - start;
    }
  } else {
    const Clock::time_point start = Clock::now();
    for (size_t number = 0; number < draws; ++number) {
      stream.record(app, number);
      app.draw();
    }
    time = Clock::now() - start;
  }
  std::printf("%-14s %8.1f ns a draw\n", stream.name,
              std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(draws));
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: layer-benchmark LAYER [STREAM] [DRAWS]\n");
    return 2;
  }
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  const size_t draws = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1000000;
  for (const Stream &stream : Streams)
    if (wanted.empty() || wanted == stream.name)
      measure(argv[1], stream, draws);
}
