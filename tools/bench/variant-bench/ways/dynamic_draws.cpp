// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/dynamic_draws.h"
#include "tools/bench/variant-bench/measure/measure.h"
#include "tools/proof/radv/commands/null_calls.h"
#include "tools/proof/radv/commands/vulkan_check.h"
#include <algorithm>

namespace dovetail {

namespace {

// So many fit for certain: the null hardware's command buffers do not grow.
constexpr size_t DrawsOfBuffer = 8;

// A state's vertex input for vkCmdSetVertexInputEXT().
struct DynamicInput {
  std::vector<VkVertexInputBindingDescription2EXT> bindings;
  std::vector<VkVertexInputAttributeDescription2EXT> attributes;

  explicit DynamicInput(const PipelineState &state) {
    for (const VertexBinding &binding : state.vertexBindings)
      bindings.push_back({.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
                          .binding = binding.binding,
                          .stride = binding.stride,
                          .inputRate = binding.inputRate,
                          .divisor = binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE ? binding.divisor : 1});
    for (const VertexAttribute &attribute : state.vertexAttributes)
      attributes.push_back({.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
                            .location = attribute.location,
                            .binding = attribute.binding,
                            .format = attribute.format,
                            .offset = attribute.offset});
  }
};

class Recording {
public:
  Recording(VkDevice device, VkPipeline pipeline)
      : m_device(device), m_pipeline(pipeline), m_setVertexInput(reinterpret_cast<PFN_vkCmdSetVertexInputEXT>(
                                                    vkGetDeviceProcAddr(device, "vkCmdSetVertexInputEXT"))) {}
  Recording(const Recording &) = delete;
  ~Recording() { vkDestroyCommandPool(m_device, m_pool, nullptr); }

  Result<void> begin() {
    VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = 0};
    DOVETAIL_CHECK_VK(vkCreateCommandPool(m_device, &poolInfo, nullptr, &m_pool));
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = m_pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    DOVETAIL_CHECK_VK(vkAllocateCommandBuffers(m_device, &info, &m_buffer));
    VkCommandBufferBeginInfo beginInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    DOVETAIL_CHECK_VK(vkBeginCommandBuffer(m_buffer, &beginInfo));
    VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {.extent = {256, 256}}, .layerCount = 1};
    vkCmdBindPipeline(m_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, m_pipeline);
    vkCmdSetRasterizerDiscardEnable(m_buffer, VK_FALSE);
    vkCmdSetPrimitiveRestartEnable(m_buffer, VK_FALSE);
    vkCmdBeginRendering(m_buffer, &rendering);
    return {};
  }

  void draw(const DynamicInput &input) {
    m_setVertexInput(m_buffer, uint32_t(input.bindings.size()), input.bindings.data(),
                     uint32_t(input.attributes.size()), input.attributes.data());
    vkCmdDraw(m_buffer, 3, 1, 0, 0);
  }

private:
  VkDevice m_device;
  VkPipeline m_pipeline;
  PFN_vkCmdSetVertexInputEXT m_setVertexInput;
  VkCommandPool m_pool = VK_NULL_HANDLE;
  VkCommandBuffer m_buffer = VK_NULL_HANDLE;
};

} // namespace

Result<std::vector<double>> timeDynamicDraws(VkDevice device, VkPipeline pipeline, const PipelineState &first,
                                             const std::vector<PipelineState> &states) {
  if (!NullCallsCanReturn)
    return makeError(ErrorCode::Unsupported, "commands of RADV's null hardware can be recorded on x86-64 only");
  const NullCallsReturn nullCallsReturn;
  const DynamicInput firstInput(first);
  std::vector<double> times;
  for (size_t begin = 0; begin < states.size(); begin += DrawsOfBuffer) {
    Recording recording(device, pipeline);
    DOVETAIL_CHECK(recording.begin());
    recording.draw(firstInput);
    for (size_t i = begin; i < std::min(begin + DrawsOfBuffer, states.size()); ++i) {
      const DynamicInput input(states[i]);
      const double start = wallMicroseconds();
      recording.draw(input);
      times.push_back(wallMicroseconds() - start);
    }
  }
  return times;
}

} // namespace dovetail
