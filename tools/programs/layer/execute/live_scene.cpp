// SPDX-License-Identifier: MIT
//
// Buffers are cut to what descriptors name, vertex buffers to what the draw reads. Storage buffers that are one range
// of memory stay one buffer of the scene.
#include "tools/programs/layer/execute/live_scene.h"
#include "tools/common/fossilize/write_object.h"
#include "tools/proof/scene/scene_file.h"
#include "tools/proof/scene/texel.h"
#include "variants/c_api/convert/state_fields.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace dovetail::layer {

namespace {

constexpr uint32_t MostBytesOfAttribute = 32;

tl::unexpected<Error> unsupported(std::string_view what) {
  return makeError(ErrorCode::Unsupported, "{}", what);
}

class SceneBuilder {
public:
  explicit SceneBuilder(const DrawRecord &record) : m_record(record), m_scene(m_live.scene) {}

  Result<LiveScene> run() {
    if (m_record.variant->uses.usesAddresses)
      return unsupported("shaders that use addresses of buffers");
    m_scene.name = m_record.pipeline->facts->shaders;
    addShaders();
    DOVETAIL_CHECK(readCall());
    DOVETAIL_CHECK(addDescriptors());
    const uint32_t pushed = m_record.pipeline->layout ? m_record.pipeline->layout->pushConstantBytes : 0;
    m_scene.pushConstants = m_record.pushConstants;
    m_scene.pushConstants.resize(pushed);
    if (m_record.call.isDispatch)
      return check(checkDispatchData(m_scene));
    auto state = c_api::toPipelineState(m_record.fields.description(), "state");
    if (!state)
      return unsupported(state.error().text);
    m_scene.state = std::move(*state);
    DOVETAIL_CHECK(addTargets());
    DOVETAIL_CHECK(addFixedFunction());
    DOVETAIL_CHECK(addGeometry());
    return check(checkDrawData(m_scene));
  }

private:
  Result<LiveScene> check(Result<void> checked) {
    if (!checked)
      return unsupported(checked.error().text);
    return std::move(m_live);
  }

  void addShaders() {
    for (const StageSource &stage : m_record.pipeline->stages) {
      SceneShader &shader = m_scene.shaders.emplace_back();
      shader.name = nameOf(stage);
      shader.stage = stage.stage;
      shader.words = stage.module->words;
      shader.entryPoint = stage.entryPoint;
      for (const dovetail_spec_constant &constant : stage.specConstants)
        shader.specConstants.push_back({constant.id, constant.value >> 32 ? 8u : 4u, constant.value});
    }
  }

  // ---- The call ----

  Result<void> readCall() {
    DrawCall call = m_record.call;
    if (call.drawCount) {
      uint32_t draws = 0;
      DOVETAIL_CHECK(readWords(*call.drawCount, call.drawCountOffset, {&draws, 1}));
      if (draws != 1)
        return unsupported("an indirect draw of another number than 1");
    }
    if (call.arguments && call.isDispatch) {
      DOVETAIL_CHECK(readWords(*call.arguments, call.argumentsOffset, call.workgroups));
    } else if (call.arguments) {
      std::array<uint32_t, 5> words = {}; // of VkDrawIndirectCommand or VkDrawIndexedIndirectCommand
      DOVETAIL_CHECK(readWords(*call.arguments, call.argumentsOffset, std::span(words).first(call.isIndexed ? 5 : 4)));
      call.count = words[0];
      call.instanceCount = words[1];
      call.first = words[2];
      call.vertexOffset = call.isIndexed ? int32_t(words[3]) : 0;
      call.firstInstance = call.isIndexed ? words[4] : words[3];
    }
    m_scene.workgroups = call.isDispatch ? call.workgroups : m_scene.workgroups;
    m_scene.vertexCount = call.count;
    m_scene.instanceCount = call.instanceCount;
    m_scene.firstVertex = call.first;
    m_scene.firstInstance = call.firstInstance;
    m_scene.vertexOffset = call.vertexOffset;
    return {};
  }

  static Result<void> readWords(const TrackedBuffer &buffer, VkDeviceSize offset, std::span<uint32_t> words) {
    if (!buffer.data() || offset + words.size_bytes() > buffer.size)
      return unsupported("an indirect buffer whose memory is not known");
    std::memcpy(words.data(), buffer.data() + offset, words.size_bytes());
    return {};
  }

  // ---- Resources ----

  Result<void> addDescriptors() {
    for (const auto &[set, binding] : m_record.variant->uses.bindings) {
      if (set >= m_record.sets.size() || !m_record.sets[set].layout)
        return unsupported("a descriptor set that is not bound");
      if (m_record.sets[set].layout->capture.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT)
        return unsupported("descriptors that may be written after the draw is recorded");
      DOVETAIL_CHECK(addBinding(set, binding));
    }
    return {};
  }

  Result<void> addBinding(uint32_t set, uint32_t binding) {
    const BoundSet &bound = m_record.sets[set];
    const auto &bindings = bound.layout->capture.bindings;
    const auto layout = std::ranges::find(bindings, binding, &fossilize::LayoutBinding::binding);
    if (layout == bindings.end())
      return unsupported("a descriptor that its set does not have");
    const auto contents = bound.contents->find(binding);
    if (layout->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      std::vector<uint8_t> bytes =
          contents == bound.contents->end() ? std::vector<uint8_t>() : contents->second.inlineBytes;
      bytes.resize(layout->descriptorCount);
      m_scene.descriptors.push_back({set, binding, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, addBytes(std::move(bytes))});
      return {};
    }
    for (uint32_t element = 0; element < layout->descriptorCount; ++element) {
      const bool isWritten = contents != bound.contents->end() && element < contents->second.descriptors.size();
      Descriptor descriptor = isWritten ? contents->second.descriptors[element] : Descriptor();
      if (layout->immutableSamplers && element < layout->immutableSamplers->size()) {
        const auto sampler = bound.layout->samplers.find((*layout->immutableSamplers)[element]);
        if (sampler != bound.layout->samplers.end())
          descriptor.sampler = std::make_shared<fossilize::Sampler>(sampler->second);
        descriptor.type = layout->descriptorType;
      }
      if (descriptor.type != VK_DESCRIPTOR_TYPE_MAX_ENUM) // an element that shaders must not read has none
        DOVETAIL_CHECK(
            addDescriptor({set, binding, element, descriptor.type}, descriptor, dynamicOffset(set, binding, element)));
    }
    return {};
  }

  // Dynamic offsets are in the order of bindings and elements.
  VkDeviceSize dynamicOffset(uint32_t set, uint32_t binding, uint32_t element) const {
    const BoundSet &bound = m_record.sets[set];
    std::vector<const fossilize::LayoutBinding *> dynamic;
    for (const fossilize::LayoutBinding &other : bound.layout->capture.bindings)
      if (other.descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
          other.descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC)
        dynamic.push_back(&other);
    std::ranges::sort(dynamic, {}, &fossilize::LayoutBinding::binding);
    size_t place = 0;
    for (const fossilize::LayoutBinding *other : dynamic) {
      if (other->binding == binding)
        return place + element < bound.dynamicOffsets.size() ? bound.dynamicOffsets[place + element] : 0;
      place += other->descriptorCount;
    }
    return 0;
  }

  Result<void> addDescriptor(SceneDescriptor made, const Descriptor &descriptor, VkDeviceSize dynamicOffset) {
    switch (descriptor.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
      made.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      made.buffer = DOVETAIL_TRY(
          addBuffer(descriptor.buffer.get(), descriptor.offset + dynamicOffset, descriptor.range, 1, false));
      break;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      made.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      made.buffer = DOVETAIL_TRY(
          addBuffer(descriptor.buffer.get(), descriptor.offset + dynamicOffset, descriptor.range, 1, true));
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      DOVETAIL_CHECK(addTexelBuffer(made, descriptor));
      break;
    default:
      DOVETAIL_CHECK(addImage(made, descriptor));
    }
    m_scene.descriptors.push_back(made);
    return {};
  }

  uint32_t addBytes(std::vector<uint8_t> bytes) {
    m_scene.buffers.push_back(std::move(bytes));
    m_live.buffers.emplace_back();
    return uint32_t(m_scene.buffers.size() - 1);
  }

  Result<void> addTexelBuffer(SceneDescriptor &made, const Descriptor &descriptor) {
    made.texelFormat = VK_FORMAT_R8G8B8A8_UNORM;
    if (!descriptor.texels) { // a null descriptor
      made.buffer = addBytes({});
      return {};
    }
    const Result<TexelLayout> layout = texelLayout(descriptor.texels->format);
    if (!layout)
      return unsupported(fmt::format("texel buffers of format {}", int(descriptor.texels->format)));
    made.texelFormat = descriptor.texels->format;
    made.buffer =
        DOVETAIL_TRY(addBuffer(descriptor.texels->buffer.get(), descriptor.texels->offset, descriptor.texels->range,
                               layout->bytes, descriptor.type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER));
    return {};
  }

  // nullptr: a null descriptor. `granule`: bytes of an element.
  Result<uint32_t> addBuffer(const TrackedBuffer *buffer, VkDeviceSize offset, VkDeviceSize range, uint32_t granule,
                             bool isWritable) {
    if (!buffer)
      return addBytes({});
    if (!buffer->data())
      return unsupported("a buffer whose memory is not known");
    offset = std::min(offset, buffer->size);
    range = std::min(range, buffer->size - offset) / granule * granule;
    if (range > MaxSceneBufferBytes)
      return unsupported("a buffer of more than 256 MiB");
    const uint8_t *begin = buffer->data() + offset;
    for (const Range &other : m_ranges) {
      if (other.begin == begin && other.size == range && other.isWritable == isWritable)
        return other.index;
      if ((other.isWritable || isWritable) && other.begin < begin + range && begin < other.begin + other.size)
        return unsupported("buffers that overlap, of which shaders may write one");
    }
    const uint32_t index = addBytes({begin, begin + range});
    if (isWritable)
      m_live.buffers[index] = {begin, range};
    m_ranges.push_back({begin, range, index, isWritable});
    return index;
  }

  Result<void> addImage(SceneDescriptor &made, const Descriptor &descriptor) {
    const bool hasSampler =
        descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLER || descriptor.type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    if (hasSampler)
      made.sampler = DOVETAIL_TRY(addSampler(descriptor.sampler.get()));
    if (descriptor.type == VK_DESCRIPTOR_TYPE_SAMPLER)
      return {};
    if (descriptor.type != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER &&
        descriptor.type != VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE && descriptor.type != VK_DESCRIPTOR_TYPE_STORAGE_IMAGE &&
        descriptor.type != VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT)
      return unsupported(fmt::format("descriptors of type {}", int(descriptor.type)));
    if (!descriptor.view) { // a null descriptor: zeros
      SceneImage &null = m_scene.images.emplace_back();
      null.bytes.resize(4);
      m_live.images.emplace_back();
      made.image = uint32_t(m_scene.images.size() - 1);
      return {};
    }
    for (const auto &[view, index] : m_views)
      if (view == descriptor.view) {
        made.image = index;
        return {};
      }
    const ImageCopy *copy = m_record.findCopy(*descriptor.view, false);
    if (!copy)
      return unsupported("an image that was bound after its draw was recorded");
    for (const auto &[view, index] : m_views)
      if (view->image == descriptor.view->image && (copy->isWritten || m_live.images[index]))
        return unsupported("an image that shaders write and see through two views");
    m_scene.images.push_back(DOVETAIL_TRY(readImage(m_record, *descriptor.view)));
    m_live.images.push_back(copy->isWritten ? descriptor.view : nullptr);
    made.image = uint32_t(m_scene.images.size() - 1);
    m_views.emplace_back(descriptor.view, made.image);
    return {};
  }

  Result<uint32_t> addSampler(const fossilize::Sampler *given) {
    SceneSampler sampler;
    if (given) {
      if (given->anisotropyEnable && given->maxAnisotropy > 1)
        return unsupported("anisotropic filters");
      if (given->reductionMode && given->reductionMode->reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
        return unsupported("samplers that take a minimum or maximum");
      if (given->ycbcrConversion)
        return unsupported("samplers with a YCbCr conversion");
      if (given->customBorderColor)
        return unsupported("samplers with a border colour of their own");
      sampler = {given->magFilter,
                 given->minFilter,
                 given->mipmapMode,
                 given->addressModeU,
                 given->addressModeV,
                 given->addressModeW,
                 given->mipLodBias,
                 given->compareEnable != VK_FALSE,
                 given->compareOp,
                 given->minLod,
                 given->maxLod,
                 given->borderColor,
                 given->unnormalizedCoordinates != VK_FALSE};
    }
    m_scene.samplers.push_back(sampler);
    return uint32_t(m_scene.samplers.size() - 1);
  }

  // ---- Targets and fixed functions ----

  Result<void> addTargets() {
    const RenderTargets &targets = m_record.targets;
    m_scene.width = targets.width;
    m_scene.height = targets.height;
    m_scene.layers = targets.layers;
    m_scene.viewMask = targets.viewMask;
    for (size_t index = 0; index < MaxTargets; ++index) {
      const std::shared_ptr<TrackedView> &view = targets.colors[index];
      m_scene.state.colorTargets[index].format = view ? view->format : VK_FORMAT_UNDEFINED;
      m_scene.initialColors[index] = readColor(m_record, index).bytes;
    }
    const TrackedView *depthStencil = targets.depth ? targets.depth.get() : targets.stencil.get();
    m_scene.state.depthStencilFormat = depthStencil ? depthStencil->format : VK_FORMAT_UNDEFINED;
    if (targets.depth && targets.stencil && targets.depth->format != targets.stencil->format)
      return unsupported("depth and stencil targets of two formats");
    m_scene.initialDepth = readDepth(m_record).bytes;
    m_scene.initialStencil = readStencil(m_record).bytes;
    return {};
  }

  static SceneStencil stencilOf(const VkStencilOpState &state) {
    return {state.failOp,           state.passOp,          state.depthFailOp, state.compareOp, state.compareMask & 0xff,
            state.writeMask & 0xff, state.reference & 0xff};
  }

  Result<void> addFixedFunction() {
    const FixedFunction &fixed = m_record.fixed;
    const RenderTargets &targets = m_record.targets;
    if (fixed.conservative)
      return unsupported("conservative rasterisation");
    if (fixed.lineStippleEnable)
      return unsupported("stippled lines");
    if (fixed.depthBoundsTestEnable)
      return unsupported("the depth bounds test");
    if (fixed.depthClip >= 0 && (fixed.depthClip != 0) == m_scene.state.depthClampEnable)
      return unsupported("depth clipping that is not the opposite of depth clamping");
    m_scene.viewports = fixed.viewports;
    for (size_t index = 0; index < fixed.viewports.size(); ++index)
      m_scene.scissors.push_back(index < fixed.scissors.size() ? clipped(fixed.scissors[index]) : VkRect2D{});
    m_scene.cullMode = fixed.cullMode;
    m_scene.frontFace = fixed.frontFace;
    m_scene.polygonMode = fixed.polygonMode;
    if (mayDrawLines()) { // others may leave the width unset
      m_scene.lineWidth = fixed.lineWidth;
      m_scene.lineMode = fixed.lineMode;
    }
    // zink turns it on for all draws.
    m_scene.depthBiasEnable = fixed.depthBiasEnable && (fixed.depthBias[0] != 0 || fixed.depthBias[2] != 0);
    m_scene.depthBiasConstant = fixed.depthBias[0];
    m_scene.depthBiasClamp = fixed.depthBias[1];
    m_scene.depthBiasSlope = fixed.depthBias[2];
    m_scene.negativeOneToOne = fixed.negativeOneToOne;
    const bool hasDepthTarget = targets.depth && hasDepth(targets.depth->format);
    m_scene.depthTestEnable = fixed.depthTestEnable && hasDepthTarget;
    m_scene.depthWriteEnable = fixed.depthWriteEnable && m_scene.depthTestEnable;
    m_scene.depthCompareOp = fixed.depthCompareOp;
    m_scene.stencilTestEnable = fixed.stencilTestEnable && targets.stencil && hasStencil(targets.stencil->format);
    m_scene.stencilFront = stencilOf(fixed.front);
    m_scene.stencilBack = stencilOf(fixed.back);
    m_scene.sampleMask = fixed.sampleMask;
    m_scene.blendConstants = fixed.blendConstants;
    m_scene.logicOpEnable = fixed.logicOpEnable;
    m_scene.logicOp = fixed.logicOp;
    return {};
  }

  bool mayDrawLines() const {
    const VkPrimitiveTopology topology = m_scene.state.topology;
    const bool isList = topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST || topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP ||
                        topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
                        topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY;
    return isList || m_record.fixed.polygonMode == VK_POLYGON_MODE_LINE ||
           std::ranges::any_of(m_scene.shaders, [](const SceneShader &shader) {
             return shader.stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT ||
                    shader.stage == VK_SHADER_STAGE_GEOMETRY_BIT;
           });
  }

  // Draws change nothing outside of the render area. Applications give scissors far beyond it.
  VkRect2D clipped(VkRect2D scissor) const {
    const VkRect2D &area = m_record.targets.renderArea;
    const auto clip = [](int32_t &offset, uint32_t &size, int32_t areaOffset, uint32_t areaSize) {
      const int64_t begin = std::max(offset, areaOffset);
      const int64_t end = std::min(int64_t(offset) + size, int64_t(areaOffset) + areaSize);
      offset = int32_t(begin);
      size = uint32_t(std::max<int64_t>(end - begin, 0));
    };
    clip(scissor.offset.x, scissor.extent.width, area.offset.x, area.extent.width);
    clip(scissor.offset.y, scissor.extent.height, area.offset.y, area.extent.height);
    return scissor;
  }

  // ---- Vertices ----

  Result<void> addGeometry() {
    m_scene.primitiveRestart = m_record.fixed.primitiveRestart && m_record.call.isIndexed;
    if (m_record.call.isIndexed)
      DOVETAIL_CHECK(addIndices());
    const uint64_t vertices = vertexEnd();
    for (VertexBinding &binding : m_scene.state.vertexBindings)
      DOVETAIL_CHECK(addVertexBuffer(binding, vertices));
    return {};
  }

  Result<void> addIndices() {
    const BoundIndexBuffer &bound = m_record.indexBuffer;
    if (!bound.buffer || !bound.buffer->data())
      return unsupported("an index buffer whose memory is not known");
    const unsigned bytes = bound.type == VK_INDEX_TYPE_UINT32 ? 4 : bound.type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
    const uint32_t restart = UINT32_MAX >> (32 - 8 * bytes);
    if (m_scene.vertexCount > (1u << 24))
      return unsupported("a draw of more than 16 million indices");
    m_scene.indices.resize(std::max(m_scene.vertexCount, 1u)); // an empty list would say that it is not indexed
    for (uint32_t index = 0; index < m_scene.vertexCount; ++index) {
      const VkDeviceSize at = bound.offset + (VkDeviceSize(m_scene.firstVertex) + index) * bytes;
      uint32_t value = 0;
      if (at + bytes <= bound.buffer->size)
        std::memcpy(&value, bound.buffer->data() + at, bytes);
      m_scene.indices[index] = value == restart && m_scene.primitiveRestart ? RestartIndex : value;
    }
    m_scene.firstVertex = 0;
    return {};
  }

  // One more than the largest number of a vertex that the draw reads.
  uint64_t vertexEnd() const {
    if (!m_record.call.isIndexed)
      return uint64_t(m_scene.firstVertex) + m_scene.vertexCount;
    int64_t end = 0;
    for (uint32_t index : m_scene.indices)
      if (index != RestartIndex || !m_scene.primitiveRestart)
        end = std::max(end, int64_t(index) + m_scene.vertexOffset + 1);
    return uint64_t(end);
  }

  Result<void> addVertexBuffer(VertexBinding &binding, uint64_t vertices) {
    SceneVertexBuffer &made = m_scene.vertexBuffers.emplace_back();
    made.binding = binding.binding;
    const auto found = m_record.vertexBuffers.find(binding.binding);
    if (found == m_record.vertexBuffers.end() || !found->second.buffer)
      return {}; // reads give zeros
    const BoundVertexBuffer &bound = found->second;
    if (!bound.buffer->data())
      return unsupported("a vertex buffer whose memory is not known");
    if (m_record.hasDynamicStrides)
      binding.stride = uint32_t(bound.stride);
    uint64_t elements = vertices;
    if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE)
      elements = m_scene.firstInstance +
                 (binding.divisor == 0 ? 1 : (uint64_t(m_scene.instanceCount) + binding.divisor - 1) / binding.divisor);
    uint64_t ofElement = 0;
    for (const VertexAttribute &attribute : m_scene.state.vertexAttributes)
      if (attribute.binding == binding.binding)
        ofElement = std::max<uint64_t>(ofElement, attribute.offset + MostBytesOfAttribute);
    const VkDeviceSize offset = std::min(bound.offset, bound.buffer->size);
    const VkDeviceSize there = std::min(bound.size, bound.buffer->size - offset);
    const VkDeviceSize size = std::min<uint64_t>(there, elements * binding.stride + ofElement);
    if (size > MaxSceneBufferBytes)
      return unsupported("a vertex buffer of more than 256 MiB");
    const uint8_t *begin = bound.buffer->data() + offset;
    made.bytes.assign(begin, begin + size);
    return {};
  }

  struct Range {
    const uint8_t *begin;
    VkDeviceSize size;
    uint32_t index;
    bool isWritable;
  };

  const DrawRecord &m_record;
  LiveScene m_live;
  Scene &m_scene;
  std::vector<Range> m_ranges;
  std::vector<std::pair<std::shared_ptr<TrackedView>, uint32_t>> m_views;
};

} // namespace

Result<LiveScene> makeScene(const DrawRecord &record) {
  return SceneBuilder(record).run();
}

SceneResult readResult(const DrawRecord &record, const LiveScene &live) {
  SceneResult result;
  if (!record.call.isDispatch) {
    for (size_t index = 0; index < MaxTargets; ++index)
      result.colors[index] = readColor(record, index);
    result.depth = readDepth(record);
    result.stencil = readStencil(record);
  }
  for (size_t index = 0; index < live.buffers.size(); ++index) {
    const LiveScene::Memory &memory = live.buffers[index];
    result.buffers.push_back(memory.data ? std::vector<uint8_t>(memory.data, memory.data + memory.size)
                                         : live.scene.buffers[index]);
  }
  for (size_t index = 0; index < live.images.size(); ++index)
    result.images.push_back(live.images[index] ? readImageBytes(record, *live.images[index])
                                               : live.scene.images[index].bytes);
  return result;
}

} // namespace dovetail::layer
