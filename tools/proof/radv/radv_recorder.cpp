// SPDX-License-Identifier: MIT
#include "tools/proof/radv/radv_recorder.h"
#include "tools/proof/radv/commands/null_calls.h"
#include "tools/proof/radv/commands/own_commands.h"
#include "tools/proof/radv/commands/vulkan_check.h"
#include "tools/proof/radv/radv_user_data.h"
#include <array>
#include <numeric>
#include <utility>

namespace dovetail {

namespace {

constexpr VkDeviceSize BufferBytes = 4096;
constexpr uint32_t XfbBuffers = 4;

// The number of vertices of one primitive or patch.
uint32_t verticesOf(const PipelineState &state) {
  constexpr uint32_t AnyPrimitive = 6;
  return state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? state.patchControlPoints : AnyPrimitive;
}

} // namespace

Result<RadvRecorder> RadvRecorder::create(VkPhysicalDevice physical, VkDevice device) {
  RadvRecorder recorder(physical, device);
  DOVETAIL_CHECK(recorder.open());
  return recorder;
}

RadvRecorder::RadvRecorder(RadvRecorder &&other) noexcept
    : m_physical(other.m_physical), m_device(other.m_device), m_buffer(std::exchange(other.m_buffer, VK_NULL_HANDLE)),
      m_memory(std::exchange(other.m_memory, VK_NULL_HANDLE)), m_preamble(std::move(other.m_preamble)),
      m_recordings(other.m_recordings) {}

RadvRecorder::~RadvRecorder() {
  vkDestroyBuffer(m_device, m_buffer, nullptr);
  vkFreeMemory(m_device, m_memory, nullptr);
}

Result<void> RadvRecorder::open() {
  if (!NullCallsCanReturn)
    return makeError(ErrorCode::Unsupported, "commands of RADV's null hardware can be recorded on x86-64 only");
  m_preamble = DOVETAIL_TRY(readRegisterWrites(DOVETAIL_TRY(findPreamble())));
  return makeBuffer();
}

Result<void> RadvRecorder::makeBuffer() {
  VkBufferCreateInfo bufferInfo = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = BufferBytes,
                                   .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                            VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT};
  DOVETAIL_CHECK_VK(vkCreateBuffer(m_device, &bufferInfo, nullptr, &m_buffer));
  VkMemoryRequirements requirements;
  vkGetBufferMemoryRequirements(m_device, m_buffer, &requirements);
  // The null hardware lists no memory types, and allocates from any.
  VkMemoryAllocateInfo memoryInfo = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = requirements.size};
  DOVETAIL_CHECK_VK(vkAllocateMemory(m_device, &memoryInfo, nullptr, &m_memory));
  DOVETAIL_CHECK_VK(vkBindBufferMemory(m_device, m_buffer, m_memory, 0));
  return {};
}

Result<RegisterValues> RadvRecorder::record(const Commands &commands) {
  // Each recording has a pool of its own: a pool would keep its command buffer, which cannot be reset, and give it out
  // again.
  VkCommandPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = 0};
  VkCommandPool pool = VK_NULL_HANDLE;
  DOVETAIL_CHECK_VK(vkCreateCommandPool(m_device, &poolInfo, nullptr, &pool));
  VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                      .commandPool = pool,
                                      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                      .commandBufferCount = 1};
  VkCommandBuffer buffer = VK_NULL_HANDLE;
  DOVETAIL_CHECK_VK(vkAllocateCommandBuffers(m_device, &info, &buffer));
  const NullCallsReturn nullCallsReturn;
  VkCommandBufferBeginInfo beginInfo = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  DOVETAIL_CHECK_VK(vkBeginCommandBuffer(buffer, &beginInfo));
  ++m_recordings;
  const CommandMarker begin = {0x5eed0e0d, m_recordings, 0xd07e7a11, 0xb};
  const CommandMarker end = {0x5eed0e0d, m_recordings, 0xd07e7a11, 0xe};
  vkCmdUpdateBuffer(buffer, m_buffer, 0, sizeof(begin), begin.data());
  commands(buffer);
  vkCmdUpdateBuffer(buffer, m_buffer, 0, sizeof(end), end.data());
  DOVETAIL_CHECK_VK(vkEndCommandBuffer(buffer));
  Result<std::vector<uint32_t>> dwords = findCommandsBetween(begin, end);
  vkDestroyCommandPool(m_device, pool, nullptr);
  RegisterValues registers = DOVETAIL_TRY(readRegisterWrites(DOVETAIL_TRY(dwords)));
  registers.insert(m_preamble.begin(), m_preamble.end()); // only registers that the commands do not write
  return registers;
}

Result<RegisterValues> RadvRecorder::recordDispatch(VkPipeline pipeline) {
  return record([&](VkCommandBuffer buffer) {
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(buffer, 1, 1, 1);
  });
}

// Records everything in front of the draw itself.
void RadvRecorder::beginDraw(VkCommandBuffer buffer, VkPipeline pipeline, const PipelineState &state,
                             DrawState draw) const {
  auto bindXfbBuffers =
      deviceFunction<PFN_vkCmdBindTransformFeedbackBuffersEXT>("vkCmdBindTransformFeedbackBuffersEXT");
  auto beginXfb = deviceFunction<PFN_vkCmdBeginTransformFeedbackEXT>("vkCmdBeginTransformFeedbackEXT");
  // The draw has no targets: the driver alone would look at them.
  VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {.extent = {256, 256}}, .layerCount = 1};
  vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdSetRasterizerDiscardEnable(buffer, state.rasterizerDiscardEnable);
  vkCmdSetPrimitiveRestartEnable(buffer, draw.primitiveRestart);
  vkCmdBeginRendering(buffer, &rendering);
  if (!draw.xfb)
    return;
  std::array<VkBuffer, XfbBuffers> buffers;
  buffers.fill(m_buffer);
  constexpr std::array<VkDeviceSize, XfbBuffers> Offsets = {};
  bindXfbBuffers(buffer, 0, XfbBuffers, buffers.data(), Offsets.data(), nullptr);
  beginXfb(buffer, 0, 0, nullptr, nullptr);
}

Result<RegisterValues> RadvRecorder::recordDraw(VkPipeline pipeline, const PipelineState &state, DrawState draw) {
  return record([&](VkCommandBuffer buffer) {
    beginDraw(buffer, pipeline, state, draw);
    vkCmdDraw(buffer, verticesOf(state), 1, 0, 0);
    vkCmdEndRendering(buffer);
  });
}

Result<RegisterValues> RadvRecorder::recordMarkedDispatch(VkPipeline pipeline, const RadvLayout &layout) {
  return recordMarked(layout, VK_PIPELINE_BIND_POINT_COMPUTE, [&](VkCommandBuffer buffer) {
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatchIndirect(buffer, m_buffer, marked::GridSizeAddress); // the buffer is at address 0
  });
}

Result<RegisterValues> RadvRecorder::recordMarkedDraw(VkPipeline pipeline, const RadvLayout &layout,
                                                      const PipelineState &state, bool xfb) {
  auto drawMulti = deviceFunction<PFN_vkCmdDrawMultiEXT>("vkCmdDrawMultiEXT");
  std::array<VkMultiDrawInfoEXT, marked::LastDraw + 1> draws;
  draws.fill({.firstVertex = marked::FirstVertex, .vertexCount = verticesOf(state)});
  return recordMarked(layout, VK_PIPELINE_BIND_POINT_GRAPHICS, [&](VkCommandBuffer buffer) {
    beginDraw(buffer, pipeline, state, {xfb, false});
    drawMulti(buffer, uint32_t(draws.size()), draws.data(), 1, marked::FirstInstance, sizeof(draws[0]));
    vkCmdEndRendering(buffer);
  });
}

// Records with sets and push constants that hold the values of radv_user_data.h.
Result<RegisterValues> RadvRecorder::recordMarked(const RadvLayout &layout, VkPipelineBindPoint point,
                                                  const Commands &commands) {
  VkDescriptorPool pool = VK_NULL_HANDLE;
  VkDescriptorSetLayout filler = VK_NULL_HANDLE;
  Result<std::vector<VkDescriptorSet>> sets = makeSets(layout, pool, filler);
  std::vector<uint32_t> constants(layout.pushConstantBytes / sizeof(uint32_t));
  std::iota(constants.begin(), constants.end(), marked::FirstPushConstant);
  Result<RegisterValues> registers = sets.map([](auto &) { return RegisterValues(); });
  if (sets)
    registers = record([&](VkCommandBuffer buffer) {
      if (!sets->empty())
        vkCmdBindDescriptorSets(buffer, point, layout.layout, 0, uint32_t(sets->size()), sets->data(), 0, nullptr);
      if (!constants.empty())
        vkCmdPushConstants(buffer, layout.layout, VK_SHADER_STAGE_ALL, 0, layout.pushConstantBytes, constants.data());
      commands(buffer);
    });
  vkDestroyDescriptorPool(m_device, pool, nullptr);
  vkDestroyDescriptorSetLayout(m_device, filler, nullptr);
  return registers;
}

// RADV places a pool's sets one after the other from address 0 on. A filler block in front of each set makes it begin
// in the part with its number. The blocks end a little before those parts begin, by the size of the sets.
Result<std::vector<VkDescriptorSet>> RadvRecorder::makeSets(const RadvLayout &layout, VkDescriptorPool &pool,
                                                            VkDescriptorSetLayout &filler) {
  const auto count = uint32_t(layout.sets.size());
  if (count > marked::MaxDescriptorSets)
    return makeError(ErrorCode::Unsupported, "{} descriptor sets", count);
  if (count == 0)
    return std::vector<VkDescriptorSet>();
  constexpr VkDescriptorType Block = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  VkDescriptorSetLayoutBinding binding = {
      .binding = 0, .descriptorType = Block, .descriptorCount = marked::DescriptorSetPart};
  VkDescriptorSetLayoutCreateInfo fillerInfo = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
  DOVETAIL_CHECK_VK(vkCreateDescriptorSetLayout(m_device, &fillerInfo, nullptr, &filler));

  VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
      .maxInlineUniformBlockBindings = count};
  VkDescriptorPoolSize size = {Block, marked::DescriptorSetPart * (count + 1)};
  VkDescriptorPoolCreateInfo poolInfo = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                         .pNext = &blocks,
                                         .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                         .maxSets = 2 * count,
                                         .poolSizeCount = 1,
                                         .pPoolSizes = &size};
  DOVETAIL_CHECK_VK(vkCreateDescriptorPool(m_device, &poolInfo, nullptr, &pool));
  std::vector<VkDescriptorSetLayout> layouts;
  for (VkDescriptorSetLayout set : layout.sets) {
    layouts.push_back(filler);
    layouts.push_back(set);
  }
  VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                      .descriptorPool = pool,
                                      .descriptorSetCount = uint32_t(layouts.size()),
                                      .pSetLayouts = layouts.data()};
  std::vector<VkDescriptorSet> all(layouts.size()), sets;
  DOVETAIL_CHECK_VK(vkAllocateDescriptorSets(m_device, &info, all.data()));
  for (uint32_t set = 0; set < count; ++set)
    sets.push_back(all[2 * set + 1]);
  return sets;
}

} // namespace dovetail
