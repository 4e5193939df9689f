// SPDX-License-Identifier: MIT
//
// CommandTracker: what a command buffer has bound, beyond its pipelines, and the draws of it that are executed.
#pragma once

#include "tools/programs/layer/execute/execution.h"

namespace dovetail::layer {

// What a draw or dispatch would bind now.
struct BoundPipeline {
  std::shared_ptr<const Pipeline> pipeline;  // nullptr: none that the layer knows
  const dovetail_variant *variant = nullptr; // nullptr: Dovetail refused it
  StateFields fields;                        // with dynamic state
};

// To be used by one thread at a time.
class CommandTracker {
public:
  explicit CommandTracker(Execution &execution) : m_execution(execution) {}

  Execution &execution() { return m_execution; }

  // Of a secondary command buffer that begins within a subpass.
  void continuePass(std::shared_ptr<const RenderPass> pass, uint32_t subpass,
                    const std::shared_ptr<TrackedFramebuffer> &framebuffer);

  FixedFunction &dynamic() { return m_dynamic; }
  std::vector<uint8_t> &pushConstants() { return m_pushConstants; }
  std::map<uint32_t, BoundVertexBuffer> &vertexBuffers() { return m_vertexBuffers; }
  BoundIndexBuffer &indexBuffer() { return m_indexBuffer; }
  void bindSet(VkPipelineBindPoint point, uint32_t set, BoundSet bound);
  // The contents of a set that is pushed. They are the command buffer's own.
  TrackedSet &pushedSet(VkPipelineBindPoint point, uint32_t set, const std::shared_ptr<const SetLayout> &layout);
  void setTransformFeedback(bool isOn) { m_hasTransformFeedback = isOn; }
  void setConditional(bool isOn) { m_isConditional = isOn; }

  void beginRendering(const VkRenderingInfo &info);
  // `views`: of an imageless framebuffer, otherwise empty.
  void beginPass(std::shared_ptr<const RenderPass> pass, const std::shared_ptr<TrackedFramebuffer> &framebuffer,
                 std::vector<std::shared_ptr<TrackedView>> views, VkRect2D area);
  void nextSubpass();
  void endRendering();

  // Whether the pipeline's shaders ask for the number of a draw in its command.
  static bool usesDrawNumbers(const BoundPipeline &bound);
  void refuse(const BoundPipeline &bound, const std::string &reason) noexcept;

  // Records a draw with what has to be around it. `record` calls the driver.
  template <typename Record>
  void around(VkCommandBuffer commands, const BoundPipeline &bound, const DrawCall &call, const Record &record) {
    const std::shared_ptr<DrawRecord> drawn = prepare(bound, call);
    if (drawn)
      m_execution.recordBefore(commands, *drawn);
    record();
    if (drawn)
      m_execution.recordAfter(commands, *drawn);
  }

private:
  // nullptr: it is not executed. Counts why.
  std::shared_ptr<DrawRecord> prepare(const BoundPipeline &bound, const DrawCall &call) noexcept;
  Result<std::shared_ptr<DrawRecord>> tryPrepare(const BoundPipeline &bound, const DrawCall &call);
  void attach();

  struct BindPoint {
    std::vector<BoundSet> sets;
    std::map<uint32_t, TrackedSet> pushed;
  };
  BindPoint &at(VkPipelineBindPoint point) { return m_points[point == VK_PIPELINE_BIND_POINT_COMPUTE ? 1 : 0]; }

  Execution &m_execution;
  FixedFunction m_dynamic;
  std::vector<uint8_t> m_pushConstants;
  std::map<uint32_t, BoundVertexBuffer> m_vertexBuffers;
  BoundIndexBuffer m_indexBuffer;
  std::array<BindPoint, 2> m_points;
  bool m_hasTransformFeedback = false, m_isConditional = false;

  RenderTargets m_targets;
  // Of a render pass that is not dynamic.
  std::shared_ptr<const RenderPass> m_pass;
  uint32_t m_subpass = 0;
  std::vector<std::shared_ptr<TrackedView>> m_attachments;
  uint32_t m_framebufferLayers = 1;

  std::vector<std::shared_ptr<DrawRecord>> m_records; // of this command buffer
};

} // namespace dovetail::layer
