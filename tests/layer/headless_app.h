// SPDX-License-Identifier: MIT
//
// A small Vulkan application without a window: it draws quads into a picture of its own, and reads that back. It checks
// each result and ends the process if one is bad, so that a layer which changes anything is noticed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>
#include <vulkan/vulkan.h>

namespace dovetail::headless {

constexpr uint32_t Size = 64;
constexpr uint32_t NumberCount = 256;

void check(VkResult result, const char *call);

// The choices that may differ from pipeline to pipeline.
struct PipelineChoice {
  VkFormat target = VK_FORMAT_R8G8B8A8_UNORM;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  bool blends = false;
  float brightness = 1;                // a specialisation constant
  std::vector<VkDynamicState> dynamic; // beside viewport and scissor
};

class App {
public:
  App();
  ~App();
  App(const App &) = delete;

  VkDevice device() const { return m_device; }
  template <typename Function> Function function(const char *name) const {
    return reinterpret_cast<Function>(vkGetDeviceProcAddr(m_device, name));
  }

  VkPipeline makePipeline(const PipelineChoice &choice);
  // The same pipeline, linked from four libraries.
  VkPipeline linkPipeline(const PipelineChoice &choice);
  VkPipeline makeComputePipeline();
  // Names an object as debuggers show it. The application names its fragment shader "colors".
  void name(VkObjectType type, uint64_t handle, const char *text);

  // A command buffer of a pool of its own, begun.
  VkCommandBuffer begin();
  void beginRendering(VkCommandBuffer commands, VkFormat target = VK_FORMAT_R8G8B8A8_UNORM);
  // Draws a quad of this size at a place, with whatever is bound.
  void drawQuad(VkCommandBuffer commands, float x, float y, float scale);
  // Submits, waits, and returns a hash of the picture, or of the buffer.
  uint64_t finishRendering(VkCommandBuffer commands);
  uint64_t finishCompute(VkCommandBuffer commands, VkPipeline pipeline);
  // Reads the picture through an immutable sampler into the buffer (headless_sampling.cpp).
  uint64_t finishSampling(VkCommandBuffer commands);

  // Whether sampled and storage images can be indexed dynamically, by both ways to ask (headless_indexing.cpp).
  std::array<VkBool32, 2> imageIndexing() const;
  // The results of a module with such a shader, and of a pipeline with the shader in its stage.
  std::array<VkResult, 2> tryImageIndexing();
  // Draws by indices and indirectly, twice; one command has two draws. Returns a hash of the picture, and the number of
  // samples (headless_commands.cpp).
  std::array<uint64_t, 2> finishCommands(VkPipeline pipeline);

  void setVertexInput(VkCommandBuffer commands);

private:
  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    uint8_t *data = nullptr;
  };
  struct Image {
    VkImage image = VK_NULL_HANDLE;
    VkImageView view = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };
  Buffer makeBuffer(VkDeviceSize size, VkBufferUsageFlags usage);
  Image makeImage(VkFormat format);
  VkDeviceMemory allocate(const VkMemoryRequirements &needs);
  void submit(VkCommandBuffer commands);
  void submitAgain(VkCommandBuffer commands);
  uint64_t hashOfNumbers() const;
  VkPipeline makePart(const PipelineChoice &choice, VkGraphicsPipelineLibraryFlagsEXT sections,
                      const std::vector<VkPipeline> &libraries);

  VkInstance m_instance = VK_NULL_HANDLE;
  VkPhysicalDevice m_physicalDevice = VK_NULL_HANDLE;
  VkDevice m_device = VK_NULL_HANDLE;
  VkQueue m_queue = VK_NULL_HANDLE;
  VkShaderModule m_vertex = VK_NULL_HANDLE, m_fragment = VK_NULL_HANDLE, m_compute = VK_NULL_HANDLE;
  VkDescriptorSetLayout m_setLayout = VK_NULL_HANDLE;
  VkPipelineLayout m_layout = VK_NULL_HANDLE, m_computeLayout = VK_NULL_HANDLE;
  Buffer m_vertices, m_readback, m_numbers;
  Image m_image, m_integers;
  VkImage m_target = VK_NULL_HANDLE; // that is rendered to
  VkDescriptorPool m_descriptorPool = VK_NULL_HANDLE;
  VkDescriptorSet m_descriptors = VK_NULL_HANDLE;
  std::vector<VkPipeline> m_pipelines;
  std::vector<VkCommandPool> m_pools;
};

} // namespace dovetail::headless
