// SPDX-License-Identifier: MIT
#include "tools/proof/reference/draw_scene.h"
#include <algorithm>
#include <cstring>

namespace dovetail::reference {

namespace {

Result<SceneResult> dispatch(const VulkanDevice &device, const Scene &scene) {
  Garbage garbage;
  SceneResources resources = DOVETAIL_TRY(SceneResources::make(device, scene, garbage));
  VkPipeline pipeline = DOVETAIL_TRY(makeComputePipeline(device, scene, resources.layout(), garbage));
  DOVETAIL_CHECK(device.run([&](VkCommandBuffer commands) {
    resources.recordUpload(commands);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    resources.recordBind(commands, VK_PIPELINE_BIND_POINT_COMPUTE);
    vkCmdDispatch(commands, scene.workgroups[0], scene.workgroups[1], scene.workgroups[2]);
    resources.recordReadback(commands);
  }));
  SceneResult result;
  resources.read(result);
  return result;
}

// The vertex buffers and the index buffer.
class Geometry {
public:
  static Result<Geometry> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage) {
    Geometry geometry(scene);
    for (const SceneVertexBuffer &buffer : scene.vertexBuffers) {
      HostBuffer made = DOVETAIL_TRY(device.makeBuffer(buffer.bytes.size(), garbage));
      std::ranges::copy(buffer.bytes, made.data);
      geometry.m_vertexBuffers.push_back(made);
    }
    if (!scene.indices.empty()) {
      geometry.m_indices = DOVETAIL_TRY(device.makeBuffer(scene.indices.size() * sizeof(uint32_t), garbage));
      std::memcpy(geometry.m_indices.data, scene.indices.data(), geometry.m_indices.size);
    }
    return geometry;
  }

  void recordDraw(VkCommandBuffer commands) const {
    for (size_t index = 0; index < m_vertexBuffers.size(); ++index) {
      VkDeviceSize offset = 0;
      vkCmdBindVertexBuffers(commands, m_scene.vertexBuffers[index].binding, 1, &m_vertexBuffers[index].buffer,
                             &offset);
    }
    if (!m_indices.buffer) {
      vkCmdDraw(commands, m_scene.vertexCount, m_scene.instanceCount, m_scene.firstVertex, m_scene.firstInstance);
      return;
    }
    vkCmdBindIndexBuffer(commands, m_indices.buffer, 0, VK_INDEX_TYPE_UINT32);
    vkCmdDrawIndexed(commands, m_scene.vertexCount, m_scene.instanceCount, m_scene.firstVertex, m_scene.vertexOffset,
                     m_scene.firstInstance);
  }

private:
  explicit Geometry(const Scene &scene) : m_scene(scene) {}

  const Scene &m_scene;
  std::vector<HostBuffer> m_vertexBuffers;
  HostBuffer m_indices;
};

// The loader does not export the extension's commands.
class TransformFeedback {
public:
  static Result<TransformFeedback> make(const VulkanDevice &device, const Scene &scene,
                                        const SceneResources &resources) {
    TransformFeedback made;
    if (scene.transformFeedbackBuffers.empty() || !scene.state.transformFeedbackEnable)
      return made;
    auto load = [&](const char *name) { return vkGetDeviceProcAddr(device.handle(), name); };
    made.m_bind =
        reinterpret_cast<PFN_vkCmdBindTransformFeedbackBuffersEXT>(load("vkCmdBindTransformFeedbackBuffersEXT"));
    made.m_begin = reinterpret_cast<PFN_vkCmdBeginTransformFeedbackEXT>(load("vkCmdBeginTransformFeedbackEXT"));
    made.m_end = reinterpret_cast<PFN_vkCmdEndTransformFeedbackEXT>(load("vkCmdEndTransformFeedbackEXT"));
    if (!made.m_bind || !made.m_begin || !made.m_end)
      return makeError(ErrorCode::Unsupported, "lavapipe has no transform feedback");
    for (uint32_t index : scene.transformFeedbackBuffers)
      made.m_buffers.push_back(index == NoSceneBuffer ? HostBuffer{} : resources.buffer(index));
    return made;
  }

  void recordBegin(VkCommandBuffer commands) const {
    if (!m_begin)
      return;
    for (uint32_t number = 0; number < m_buffers.size(); ++number) {
      VkDeviceSize offset = 0;
      if (m_buffers[number].buffer)
        m_bind(commands, number, 1, &m_buffers[number].buffer, &offset, &m_buffers[number].size);
    }
    m_begin(commands, 0, 0, nullptr, nullptr);
  }
  void recordEnd(VkCommandBuffer commands) const {
    if (m_end)
      m_end(commands, 0, 0, nullptr, nullptr);
  }

private:
  PFN_vkCmdBindTransformFeedbackBuffersEXT m_bind = nullptr;
  PFN_vkCmdBeginTransformFeedbackEXT m_begin = nullptr;
  PFN_vkCmdEndTransformFeedbackEXT m_end = nullptr;
  std::vector<HostBuffer> m_buffers;
};

// The queries around the draw, if the scene wants their counts.
class Queries {
public:
  static Result<Queries> make(const VulkanDevice &device, const Scene &scene, Garbage &garbage) {
    Queries made;
    if (!scene.countQueries)
      return made;
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1};
    DOVETAIL_CHECK(checkVk("vkCreateQueryPool", vkCreateQueryPool(device.handle(), &info, nullptr, &made.m_pool)));
    garbage.add([device = device.handle(), pool = made.m_pool] { vkDestroyQueryPool(device, pool, nullptr); });
    return made;
  }

  void recordReset(VkCommandBuffer commands) const {
    if (m_pool)
      vkCmdResetQueryPool(commands, m_pool, 0, 1);
  }
  void recordBegin(VkCommandBuffer commands) const {
    if (m_pool)
      vkCmdBeginQuery(commands, m_pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  }
  void recordEnd(VkCommandBuffer commands) const {
    if (m_pool)
      vkCmdEndQuery(commands, m_pool, 0);
  }
  Result<void> read(const VulkanDevice &device, SceneCounts &counts) const {
    if (!m_pool)
      return {};
    return checkVk("vkGetQueryPoolResults",
                   vkGetQueryPoolResults(device.handle(), m_pool, 0, 1, sizeof(counts.samplesPassed),
                                         &counts.samplesPassed, sizeof(counts.samplesPassed), VK_QUERY_RESULT_64_BIT));
  }

private:
  VkQueryPool m_pool = VK_NULL_HANDLE;
};

Result<SceneResult> render(const VulkanDevice &device, const Scene &scene) {
  Garbage garbage;
  SceneResources resources = DOVETAIL_TRY(SceneResources::make(device, scene, garbage));
  Geometry geometry = DOVETAIL_TRY(Geometry::make(device, scene, garbage));
  Targets targets = DOVETAIL_TRY(Targets::make(device, scene, garbage));
  TransformFeedback feedback = DOVETAIL_TRY(TransformFeedback::make(device, scene, resources));
  const Queries queries = DOVETAIL_TRY(Queries::make(device, scene, garbage));
  RenderPass renderPass = DOVETAIL_TRY(targets.makeRenderPass(device, resources, garbage));
  VkPipeline pipeline = DOVETAIL_TRY(makeGraphicsPipeline(device, scene, resources.layout(), renderPass.pass, garbage));
  DOVETAIL_CHECK(device.run([&](VkCommandBuffer commands) {
    resources.recordUpload(commands);
    queries.recordReset(commands);
    targets.recordBegin(commands, renderPass);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    resources.recordBind(commands, VK_PIPELINE_BIND_POINT_GRAPHICS);
    feedback.recordBegin(commands);
    queries.recordBegin(commands);
    geometry.recordDraw(commands);
    queries.recordEnd(commands);
    feedback.recordEnd(commands);
    targets.recordEnd(commands, renderPass);
    resources.recordReadback(commands);
  }));
  SceneResult result;
  resources.read(result);
  targets.read(result);
  DOVETAIL_CHECK(queries.read(device, result.counts));
  return result;
}

} // namespace

Result<SceneResult> drawScene(const VulkanDevice &device, const Scene &scene) {
  return scene.isCompute() ? dispatch(device, scene) : render(device, scene);
}

} // namespace dovetail::reference
