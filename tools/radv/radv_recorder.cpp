// SPDX-License-Identifier: MIT
//
// The null hardware lacks functions that recording calls: those that reset and enlarge command buffers and list the
// memory that they need. None of them matters here, so a call through a null pointer is made to return.
#include "tools/radv/radv_recorder.h"
#include "tools/radv/own_commands.h"
#include "tools/radv/vulkan_check.h"
#include <array>
#include <csignal>
#include <ucontext.h>
#include <utility>

namespace dovetail {

namespace {

constexpr VkDeviceSize BufferBytes = 4096;
constexpr uint32_t XfbBuffers = 4;

#ifdef __x86_64__
constexpr bool CanReturn = true;

// What a call has put onto the stack is taken from it.
void returnFromNull(int, siginfo_t *, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  if (registers[REG_RIP] != 0) {
    signal(SIGSEGV, SIG_DFL); // happens again, and ends the process
    return;
  }
  auto *stack = reinterpret_cast<greg_t *>(registers[REG_RSP]);
  registers[REG_RIP] = *stack;
  registers[REG_RSP] += sizeof(*stack);
  registers[REG_RAX] = 0;
}
#else
constexpr bool CanReturn = false;
void returnFromNull(int, siginfo_t *, void *) {}
#endif

// For as long as it lives.
class NullCallsReturn {
public:
  NullCallsReturn() {
    struct sigaction action = {};
    action.sa_sigaction = returnFromNull;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &m_before);
  }
  NullCallsReturn(const NullCallsReturn &) = delete;
  ~NullCallsReturn() { sigaction(SIGSEGV, &m_before, nullptr); }

private:
  struct sigaction m_before;
};

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
  if (!CanReturn)
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
  // The null hardware lists no types of memory, and allocates from any.
  VkMemoryAllocateInfo memoryInfo = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .allocationSize = requirements.size};
  DOVETAIL_CHECK_VK(vkAllocateMemory(m_device, &memoryInfo, nullptr, &m_memory));
  DOVETAIL_CHECK_VK(vkBindBufferMemory(m_device, m_buffer, m_memory, 0));
  return {};
}

Result<RegisterValues> RadvRecorder::record(const std::function<void(VkCommandBuffer)> &commands) {
  // A pool would keep the buffer, which cannot be reset, and give it out again.
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
  registers.insert(m_preamble.begin(), m_preamble.end()); // where the commands say nothing else
  return registers;
}

Result<RegisterValues> RadvRecorder::recordDispatch(VkPipeline pipeline) {
  return record([&](VkCommandBuffer buffer) {
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdDispatch(buffer, 1, 1, 1);
  });
}

Result<RegisterValues> RadvRecorder::recordDraw(VkPipeline pipeline, const PipelineState &state, DrawState draw) {
  auto bindXfbBuffers = reinterpret_cast<PFN_vkCmdBindTransformFeedbackBuffersEXT>(
      vkGetDeviceProcAddr(m_device, "vkCmdBindTransformFeedbackBuffersEXT"));
  auto beginXfb = reinterpret_cast<PFN_vkCmdBeginTransformFeedbackEXT>(
      vkGetDeviceProcAddr(m_device, "vkCmdBeginTransformFeedbackEXT"));
  // Targets are the driver's alone.
  VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {.extent = {256, 256}}, .layerCount = 1};
  const uint32_t vertices = state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST ? state.patchControlPoints : 6;
  return record([&](VkCommandBuffer buffer) {
    vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdSetRasterizerDiscardEnable(buffer, state.rasterizerDiscardEnable);
    vkCmdSetPrimitiveRestartEnable(buffer, draw.primitiveRestart);
    vkCmdBeginRendering(buffer, &rendering);
    if (draw.xfb) {
      std::array<VkBuffer, XfbBuffers> buffers;
      buffers.fill(m_buffer);
      constexpr std::array<VkDeviceSize, XfbBuffers> Offsets = {};
      bindXfbBuffers(buffer, 0, XfbBuffers, buffers.data(), Offsets.data(), nullptr);
      beginXfb(buffer, 0, 0, nullptr, nullptr);
    }
    vkCmdDraw(buffer, vertices, 1, 0, 0);
    vkCmdEndRendering(buffer);
  });
}

} // namespace dovetail
