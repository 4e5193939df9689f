// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/command_tracker.h"
#include <algorithm>
#include <bit>

namespace dovetail::layer {

namespace {

uint64_t pixelsOf(const DrawRecord &record) {
  const RenderTargets &targets = record.targets;
  uint64_t width = targets.renderArea.extent.width, height = targets.renderArea.extent.height;
  if (record.fixed.scissors.size() == 1) {
    width = std::min<uint64_t>(width, record.fixed.scissors[0].extent.width);
    height = std::min<uint64_t>(height, record.fixed.scissors[0].extent.height);
  }
  return record.call.isDispatch ? 0 : width * height;
}

} // namespace

void CommandTracker::continuePass(std::shared_ptr<const RenderPass> pass, uint32_t subpass,
                                  const std::shared_ptr<TrackedFramebuffer> &framebuffer) {
  if (!pass || !framebuffer || framebuffer->attachments.empty()) {
    m_targets.refusal = "a secondary command buffer that does not know its framebuffer";
    return;
  }
  beginPass(std::move(pass), framebuffer, {}, {{0, 0}, {framebuffer->width, framebuffer->height}});
  m_subpass = subpass;
  attach();
}

void CommandTracker::bindSet(VkPipelineBindPoint point, uint32_t set, BoundSet bound) {
  std::vector<BoundSet> &sets = at(point).sets;
  if (sets.size() <= set)
    sets.resize(set + 1);
  sets[set] = std::move(bound);
}

TrackedSet &CommandTracker::pushedSet(VkPipelineBindPoint point, uint32_t set,
                                      const std::shared_ptr<const SetLayout> &layout) {
  TrackedSet &pushed = at(point).pushed[set];
  if (pushed.layout != layout)
    pushed = {layout};
  return pushed;
}

void CommandTracker::beginRendering(const VkRenderingInfo &info) {
  m_targets = {};
  m_pass = nullptr;
  m_targets.refusal = nullptr;
  m_targets.renderArea = info.renderArea;
  m_targets.viewMask = info.viewMask;
  m_targets.layers = info.viewMask != 0 ? uint32_t(std::bit_width(info.viewMask)) : std::max(info.layerCount, 1u);
  m_targets.width = info.renderArea.offset.x + info.renderArea.extent.width;
  m_targets.height = info.renderArea.offset.y + info.renderArea.extent.height;
  const auto viewOf = [&](VkImageView handle) {
    if (handle == VK_NULL_HANDLE)
      return std::shared_ptr<TrackedView>();
    std::shared_ptr<TrackedView> view = m_execution.objects.views.find(handle);
    if (!view)
      m_targets.refusal = "a target that the layer does not know";
    return view;
  };
  for (uint32_t index = 0; index < std::min<uint32_t>(info.colorAttachmentCount, MaxTargets); ++index)
    m_targets.colors[index] = viewOf(info.pColorAttachments[index].imageView);
  if (info.pDepthAttachment)
    m_targets.depth = viewOf(info.pDepthAttachment->imageView);
  if (info.pStencilAttachment)
    m_targets.stencil = viewOf(info.pStencilAttachment->imageView);
}

void CommandTracker::beginPass(std::shared_ptr<const RenderPass> pass,
                               const std::shared_ptr<TrackedFramebuffer> &framebuffer,
                               std::vector<std::shared_ptr<TrackedView>> views, VkRect2D area) {
  m_targets = {};
  m_pass = std::move(pass);
  m_subpass = 0;
  if (!framebuffer || !m_pass) {
    m_targets.refusal = "a render pass that the layer does not know";
    return;
  }
  m_attachments = framebuffer->attachments.empty() ? std::move(views) : framebuffer->attachments;
  m_targets.renderArea = area;
  m_targets.width = framebuffer->width;
  m_targets.height = framebuffer->height;
  m_framebufferLayers = framebuffer->layers;
  attach();
}

// Takes the targets of the current subpass.
void CommandTracker::attach() {
  if (!m_pass || m_subpass >= m_pass->subpasses.size())
    return;
  const Subpass &subpass = m_pass->subpasses[m_subpass];
  m_targets.refusal = nullptr;
  m_targets.viewMask = subpass.viewMask;
  m_targets.layers =
      subpass.viewMask != 0 ? uint32_t(std::bit_width(subpass.viewMask)) : std::max(m_framebufferLayers, 1u);
  const auto viewOf = [&](uint32_t attachment) {
    if (attachment == VK_ATTACHMENT_UNUSED)
      return std::shared_ptr<TrackedView>();
    std::shared_ptr<TrackedView> view = attachment < m_attachments.size() ? m_attachments[attachment] : nullptr;
    if (!view)
      m_targets.refusal = "a target that the layer does not know";
    return view;
  };
  m_targets.colors = {};
  for (size_t index = 0; index < std::min(subpass.colorAttachments.size(), MaxTargets); ++index)
    m_targets.colors[index] = viewOf(subpass.colorAttachments[index]);
  m_targets.depth = m_targets.stencil = viewOf(subpass.depthStencilAttachment);
}

void CommandTracker::nextSubpass() {
  ++m_subpass;
  attach();
}

void CommandTracker::endRendering() {
  m_targets = {};
  m_pass = nullptr;
  m_attachments.clear();
}

bool CommandTracker::usesDrawNumbers(const BoundPipeline &bound) {
  ShaderUses uses;
  for (const StageSource &stage : bound.pipeline->stages)
    uses.add(stage.module->words);
  return uses.usesDrawNumbers;
}

void CommandTracker::refuse(const BoundPipeline &bound, const std::string &reason) noexcept {
  try {
    m_execution.log().noteRefused(bound.pipeline ? bound.pipeline->facts->shaders : "", reason);
  } catch (const std::exception &) { // out of memory: the application's draw goes on, uncounted
  }
}

std::shared_ptr<DrawRecord> CommandTracker::prepare(const BoundPipeline &bound, const DrawCall &call) noexcept {
  try {
    Result<std::shared_ptr<DrawRecord>> record = tryPrepare(bound, call);
    if (record)
      return *record;
    refuse(bound, record.error().text);
  } catch (const std::exception &exception) {
    refuse(bound, exception.what());
  }
  return nullptr;
}

Result<std::shared_ptr<DrawRecord>> CommandTracker::tryPrepare(const BoundPipeline &bound, const DrawCall &call) {
  const auto unsupported = [](std::string_view what) { return makeError(ErrorCode::Unsupported, "{}", what); };
  if (!bound.pipeline)
    return unsupported("a pipeline that the layer does not know");
  if (!bound.variant)
    return unsupported("a pipeline that Dovetail refuses");
  if (call.refusal)
    return unsupported(call.refusal);
  if (m_isConditional)
    return unsupported("conditional rendering");
  auto record = std::make_shared<DrawRecord>();
  record->pipeline = bound.pipeline;
  record->call = call;
  if (!call.isDispatch) {
    if (m_hasTransformFeedback)
      return unsupported("transform feedback");
    if (m_targets.refusal)
      return unsupported(m_targets.refusal);
    const PipelineFixedFunction &fixed = bound.pipeline->fixed;
    if (!fixed.unsupported.empty())
      return unsupported(fixed.unsupported);
    record->fixed = resolveFixedFunction(fixed, m_dynamic);
    record->targets = m_targets;
  }
  bool isNew = false;
  record->variant = DOVETAIL_TRY(m_execution.variants().get(*bound.pipeline, bound.variant, isNew));
  if (!m_execution.choose(pixelsOf(*record), isNew)) {
    m_execution.log().noteNotChosen(bound.pipeline->facts->shaders);
    return std::shared_ptr<DrawRecord>();
  }
  record->fields = bound.fields;
  record->hasDynamicStrides = bound.pipeline->fixed.hasDynamicStrides;
  BindPoint &point = at(call.isDispatch ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS);
  record->sets = point.sets;
  record->vertexBuffers = m_vertexBuffers;
  record->indexBuffer = m_indexBuffer;
  record->pushConstants = m_pushConstants;
  DOVETAIL_CHECK(planCopies(m_execution.commands(), *record));
  m_execution.add(record);
  m_records.push_back(record);
  return record;
}

} // namespace dovetail::layer
