// SPDX-License-Identifier: MIT
//
// Draws by other commands than vkCmdDraw(), within a query, from a command buffer that is submitted twice.
#include "tests/layer/headless_app.h"
#include <cstring>

namespace dovetail::headless {

namespace {

// What the commands read, in one buffer.
struct Arguments {
  uint16_t indices[4] = {2, 3, 0, 1};
  VkDrawIndirectCommand draws[2] = {{4, 1, 0, 0}, {3, 1, 0, 0}};
  VkDrawIndexedIndirectCommand indexed = {4, 1, 0, 0, 0};
};

} // namespace

std::array<uint64_t, 2> App::finishCommands(VkPipeline pipeline) {
  Buffer arguments =
      makeBuffer(sizeof(Arguments), VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const Arguments content;
  std::memcpy(arguments.data, &content, sizeof content);
  VkQueryPoolCreateInfo poolInfo = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
  poolInfo.queryType = VK_QUERY_TYPE_OCCLUSION;
  poolInfo.queryCount = 1;
  VkQueryPool queries = VK_NULL_HANDLE;
  check(vkCreateQueryPool(m_device, &poolInfo, nullptr, &queries), "vkCreateQueryPool");

  VkCommandBuffer commands = begin();
  vkCmdResetQueryPool(commands, queries, 0, 1);
  beginRendering(commands);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindIndexBuffer(commands, arguments.buffer, offsetof(Arguments, indices), VK_INDEX_TYPE_UINT16);
  vkCmdBeginQuery(commands, queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  drawQuad(commands, -0.5f, -0.5f, 0.4f);
  const auto place = [&](float x, float y) {
    const float values[] = {x, y, 0.4f};
    vkCmdPushConstants(commands, m_layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof values, values);
  };
  place(0.5f, -0.5f);
  vkCmdDrawIndexed(commands, 4, 1, 0, 0, 0);
  place(-0.5f, 0.5f);
  vkCmdDrawIndirect(commands, arguments.buffer, offsetof(Arguments, draws), 1, 0);
  place(0.5f, 0.5f);
  vkCmdDrawIndexedIndirect(commands, arguments.buffer, offsetof(Arguments, indexed), 1, 0);
  place(0, 0);
  vkCmdDrawIndirect(commands, arguments.buffer, offsetof(Arguments, draws), 2, sizeof(VkDrawIndirectCommand));
  vkCmdEndQuery(commands, queries, 0);
  uint64_t picture = finishRendering(commands);
  submitAgain(commands);
  uint64_t samples = 0;
  check(vkGetQueryPoolResults(m_device, queries, 0, 1, sizeof samples, &samples, sizeof samples,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  vkDestroyQueryPool(m_device, queries, nullptr);
  vkDestroyBuffer(m_device, arguments.buffer, nullptr);
  vkFreeMemory(m_device, arguments.memory, nullptr);
  return {picture, samples};
}

} // namespace dovetail::headless
