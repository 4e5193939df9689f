// SPDX-License-Identifier: MIT
//
// Checks a scene from the outside in: first limits, so that no later step can overflow; then references between its
// parts. The limits are far above the needs of comparing pictures.
#include "src/state/format_table.h"
#include "src/state/ycbcr_conversion.h"
#include "tools/proof/scene/scene_addresses.h"
#include "tools/proof/scene/scene_file.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

namespace dovetail {

namespace {

constexpr uint32_t MaxExtent = 16384;
constexpr uint32_t MaxLayers = 2048;
constexpr uint32_t MaxScissor = 65535; // lavapipe keeps edges of scissors in 16 bits
constexpr float MaxLineWidth = 255;
constexpr uint32_t MaxVertices = 1 << 22; // of all instances together
constexpr uint64_t MaxSamples = 1 << 28;  // of all layers together
constexpr uint64_t MaxWorkgroups = 1 << 20;

template <typename... Args>
tl::unexpected<Error> wrong(const std::string &place, fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::InvalidInput, "scene: {}: {}", place, fmt::format(format, std::forward<Args>(args)...));
}

// `least` and `most` are allowed values.
template <typename T> Result<void> checkRange(const std::string &place, T value, T least, T most) {
  if (value < least || value > most)
    return wrong(place, "{} is not in {} to {}", static_cast<int64_t>(value), static_cast<int64_t>(least),
                 static_cast<int64_t>(most));
  return {};
}

Result<void> checkSamples(const std::string &place, uint32_t samples) {
  if (samples > 16 || !std::has_single_bit(samples))
    return wrong(place, "{} is not 1, 2, 4, 8 or 16", samples);
  return {};
}

Result<void> checkShader(const std::string &place, const SceneShader &shader) {
  if (shader.words.empty())
    return wrong(place + ".words", "there is no SPIR-V");
  if (!std::has_single_bit(static_cast<uint32_t>(shader.stage)))
    return wrong(place + ".stage", "{:#x} is not one stage", static_cast<uint32_t>(shader.stage));
  for (size_t index = 0; index < shader.specConstants.size(); ++index)
    if (uint32_t bytes = shader.specConstants[index].bytes; bytes != 4 && bytes != 8)
      return wrong(fmt::format("{}.specConstants[{}].bytes", place, index), "{} is not 4 or 8", bytes);
  return {};
}

Result<void> checkShaders(const Scene &scene) {
  if (scene.shaders.empty())
    return wrong("shaders", "there are none");
  uint32_t stages = 0;
  for (size_t index = 0; index < scene.shaders.size(); ++index) {
    std::string place = fmt::format("shaders[{}]", index);
    DOVETAIL_CHECK(checkShader(place, scene.shaders[index]));
    uint32_t stage = scene.shaders[index].stage;
    if (stages & stage)
      return wrong(place + ".stage", "there is another shader of this stage");
    stages |= stage;
  }
  if ((stages & VK_SHADER_STAGE_COMPUTE_BIT) && stages != VK_SHADER_STAGE_COMPUTE_BIT)
    return wrong("shaders", "a compute shader stands alone");
  return {};
}

Result<void> checkColorTarget(const std::string &place, const ColorTarget &target) {
  if (target.format == VK_FORMAT_UNDEFINED)
    return {};
  if (Result<TexelLayout> layout = texelLayout(target.format); !layout)
    return wrong(place + ".format", "{}", layout.error().text);
  DOVETAIL_CHECK(checkRange(place + ".writeMask", target.writeMask, 0u, 15u));
  for (VkBlendFactor factor :
       {target.srcColorBlendFactor, target.dstColorBlendFactor, target.srcAlphaBlendFactor, target.dstAlphaBlendFactor})
    DOVETAIL_CHECK(
        checkRange(place + ": a blend factor", factor, VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA));
  for (VkBlendOp operation : {target.colorBlendOp, target.alphaBlendOp})
    DOVETAIL_CHECK(checkRange(place + ": a blend operation", operation, VK_BLEND_OP_ADD, VK_BLEND_OP_MAX));
  return {};
}

Result<void> checkState(const PipelineState &state) {
  DOVETAIL_CHECK(
      checkRange("state.topology", state.topology, VK_PRIMITIVE_TOPOLOGY_POINT_LIST, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST));
  DOVETAIL_CHECK(checkRange("state.patchControlPoints", state.patchControlPoints, 1u, 32u));
  DOVETAIL_CHECK(checkSamples("state.rasterizationSamples", state.rasterizationSamples));
  DOVETAIL_CHECK(checkRange("state.alphaTestFunc", state.alphaTestFunc, VK_COMPARE_OP_NEVER, VK_COMPARE_OP_ALWAYS));
  for (size_t index = 0; index < state.colorTargets.size(); ++index)
    DOVETAIL_CHECK(checkColorTarget(fmt::format("state.colorTargets[{}]", index), state.colorTargets[index]));
  return {};
}

Result<void> checkVertexInput(const Scene &scene) {
  std::set<uint32_t> bindings, buffers, locations;
  for (size_t index = 0; index < scene.state.vertexBindings.size(); ++index) {
    const VertexBinding &binding = scene.state.vertexBindings[index];
    std::string place = fmt::format("state.vertexBindings[{}]", index);
    DOVETAIL_CHECK(checkRange(place + ".inputRate", binding.inputRate, VK_VERTEX_INPUT_RATE_VERTEX,
                              VK_VERTEX_INPUT_RATE_INSTANCE));
    if (!bindings.insert(binding.binding).second)
      return wrong(place + ".binding", "{} is described twice", binding.binding);
  }
  for (size_t index = 0; index < scene.vertexBuffers.size(); ++index)
    if (uint32_t binding = scene.vertexBuffers[index].binding; !buffers.insert(binding).second)
      return wrong(fmt::format("vertexBuffers[{}].binding", index), "{} has two buffers", binding);
  for (size_t index = 0; index < scene.state.vertexAttributes.size(); ++index) {
    const VertexAttribute &attribute = scene.state.vertexAttributes[index];
    std::string place = fmt::format("state.vertexAttributes[{}]", index);
    if (!locations.insert(attribute.location).second)
      return wrong(place + ".location", "{} is described twice", attribute.location);
    if (!bindings.contains(attribute.binding) || !buffers.contains(attribute.binding))
      return wrong(place + ".binding", "{} is not described or has no buffer", attribute.binding);
  }
  return {};
}

// Bytes of all mip levels of an image.
uint64_t imageBytes(const SceneImage &image, const TexelLayout &layout) {
  uint64_t texels = 0;
  for (uint32_t level = 0; level < image.mipLevels; ++level)
    texels += image.samples > 1 ? 1
                                : uint64_t(std::max(image.width >> level, 1u)) * std::max(image.height >> level, 1u) *
                                      std::max(image.depth >> level, 1u);
  return texels * image.layers * layout.bytes;
}

Result<void> checkImage(const std::string &place, const SceneImage &image) {
  DOVETAIL_CHECK(checkRange(place + ".viewType", image.viewType, VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY));
  bool is1D = image.viewType == VK_IMAGE_VIEW_TYPE_1D || image.viewType == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
  bool is3D = image.viewType == VK_IMAGE_VIEW_TYPE_3D;
  bool isCube = image.viewType == VK_IMAGE_VIEW_TYPE_CUBE || image.viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
  DOVETAIL_CHECK(checkRange(place + ".width", image.width, 1u, MaxExtent));
  DOVETAIL_CHECK(checkRange(place + ".height", image.height, 1u, is1D ? 1u : MaxExtent));
  DOVETAIL_CHECK(checkRange(place + ".depth", image.depth, 1u, is3D ? MaxExtent : 1u));
  DOVETAIL_CHECK(checkRange(place + ".layers", image.layers, 1u, is3D ? 1u : MaxLayers));
  if (isCube && (image.layers % 6 != 0 || image.width != image.height))
    return wrong(place, "the faces of a cube are six squares");
  DOVETAIL_CHECK(checkSamples(place + ".samples", image.samples));
  uint32_t largest = std::max({image.width, image.height, image.depth});
  DOVETAIL_CHECK(checkRange(place + ".mipLevels", image.mipLevels, 1u,
                            image.samples > 1 ? 1u : static_cast<uint32_t>(std::bit_width(largest))));
  Result<TexelLayout> layout = texelLayout(image.format);
  if (!layout)
    return wrong(place + ".format", "{}", layout.error().text);
  uint64_t expected = imageBytes(image, *layout);
  if (expected > MaxSceneBufferBytes)
    return wrong(place, "{} bytes are too many", expected);
  if (image.bytes.size() != expected)
    return wrong(place + ".bytes", "its size and format need {} bytes, found {}", expected, image.bytes.size());
  if (image.absentEnd > expected)
    return wrong(place + ".absentEnd", "{} is behind its {} bytes", image.absentEnd, expected);
  return {};
}

Result<void> checkSampler(const std::string &place, const SceneSampler &sampler) {
  for (VkFilter filter : {sampler.magFilter, sampler.minFilter})
    DOVETAIL_CHECK(checkRange(place + ": a filter", filter, VK_FILTER_NEAREST, VK_FILTER_LINEAR));
  DOVETAIL_CHECK(checkRange(place + ".mipmapMode", sampler.mipmapMode, VK_SAMPLER_MIPMAP_MODE_NEAREST,
                            VK_SAMPLER_MIPMAP_MODE_LINEAR));
  for (VkSamplerAddressMode mode : {sampler.addressModeU, sampler.addressModeV, sampler.addressModeW})
    DOVETAIL_CHECK(checkRange(place + ": an address mode", mode, VK_SAMPLER_ADDRESS_MODE_REPEAT,
                              VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE));
  DOVETAIL_CHECK(checkRange(place + ".compareOp", sampler.compareOp, VK_COMPARE_OP_NEVER, VK_COMPARE_OP_ALWAYS));
  DOVETAIL_CHECK(checkRange(place + ".borderColor", sampler.borderColor, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                            VK_BORDER_COLOR_INT_OPAQUE_WHITE));
  for (float number : {sampler.mipLodBias, sampler.minLod, sampler.maxLod})
    if (!std::isfinite(number))
      return wrong(place, "a level of detail is not finite");
  return {};
}

struct ResourceUse {
  bool buffer = false, texels = false, image = false, sampler = false;
};

std::optional<ResourceUse> resourcesOf(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_SAMPLER:
    return ResourceUse{.sampler = true};
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return ResourceUse{.image = true, .sampler = true};
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
  case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
    return ResourceUse{.image = true};
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return ResourceUse{.buffer = true, .texels = true};
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    return ResourceUse{.buffer = true};
  default:
    return std::nullopt;
  }
}

Result<void> checkTransformFeedback(const Scene &scene) {
  constexpr size_t MaxBuffers = 4;
  if (scene.transformFeedbackBuffers.size() > MaxBuffers)
    return wrong("transformFeedbackBuffers", "there are {}; {} is the most", scene.transformFeedbackBuffers.size(),
                 MaxBuffers);
  for (size_t number = 0; number < scene.transformFeedbackBuffers.size(); ++number)
    if (uint32_t index = scene.transformFeedbackBuffers[number];
        index != NoSceneBuffer && index >= scene.buffers.size())
      return wrong(fmt::format("transformFeedbackBuffers[{}]", number), "there is no buffer {}", index);
  return {};
}

Result<void> checkDescriptor(const std::string &place, const SceneDescriptor &descriptor, const Scene &scene) {
  std::optional<ResourceUse> use = resourcesOf(descriptor.type);
  if (!use)
    return wrong(place + ".type", "descriptors of type {} are not known", static_cast<uint32_t>(descriptor.type));
  if (use->buffer && descriptor.buffer >= scene.buffers.size())
    return wrong(place + ".buffer", "there is no buffer {}", descriptor.buffer);
  if (use->image && descriptor.image >= scene.images.size())
    return wrong(place + ".image", "there is no image {}", descriptor.image);
  if (use->sampler && descriptor.sampler >= scene.samplers.size())
    return wrong(place + ".sampler", "there is no sampler {}", descriptor.sampler);
  if (descriptor.ycbcrConversion != 0) {
    Result<YcbcrConversion> conversion = ycbcrConversionOf(descriptor.ycbcrConversion);
    if (!conversion)
      return wrong(place + ".ycbcrConversion", "{}", conversion.error().text);
    for (unsigned plane = 1; plane < conversion->planes; ++plane)
      if (const uint32_t image = descriptor.planes[plane - 1]; image >= scene.images.size())
        return wrong(place + ".planes", "there is no image {}", image);
  }
  if (use->texels)
    if (Result<TexelLayout> layout = texelLayout(descriptor.texelFormat); !layout)
      return wrong(place + ".texelFormat", "{}", layout.error().text);
  return {};
}

Result<void> checkAddress(const std::string &place, const SceneAddress &address, const Scene &scene) {
  if (address.buffer >= scene.buffers.size())
    return wrong(place + ".buffer", "there is no buffer {}", address.buffer);
  if (address.holder != NoSceneBuffer && address.holder >= scene.buffers.size())
    return wrong(place + ".holder", "there is no buffer {}", address.holder);
  const size_t bytes =
      address.holder == NoSceneBuffer ? scene.pushConstants.size() : scene.buffers[address.holder].size();
  if (uint64_t(address.offset) + SceneAddressBytes > bytes)
    return wrong(place + ".offset", "{} is too large in {} bytes", address.offset, bytes);
  return {};
}

Result<void> checkResources(const Scene &scene) {
  for (size_t index = 0; index < scene.buffers.size(); ++index)
    if (scene.buffers[index].size() > MaxSceneBufferBytes)
      return wrong(fmt::format("buffers[{}]", index), "{} bytes are too many", scene.buffers[index].size());
  for (size_t index = 0; index < scene.images.size(); ++index)
    DOVETAIL_CHECK(checkImage(fmt::format("images[{}]", index), scene.images[index]));
  for (size_t index = 0; index < scene.samplers.size(); ++index)
    DOVETAIL_CHECK(checkSampler(fmt::format("samplers[{}]", index), scene.samplers[index]));
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> places;
  for (size_t index = 0; index < scene.descriptors.size(); ++index) {
    const SceneDescriptor &descriptor = scene.descriptors[index];
    std::string place = fmt::format("descriptors[{}]", index);
    DOVETAIL_CHECK(checkDescriptor(place, descriptor, scene));
    if (!places.emplace(descriptor.set, descriptor.binding, descriptor.element).second)
      return wrong(place, "set {} binding {} element {} is described twice", descriptor.set, descriptor.binding,
                   descriptor.element);
  }
  if (scene.pushConstants.size() > MaxScenePushConstantBytes)
    return wrong("pushConstants", "{} bytes are too many", scene.pushConstants.size());
  for (size_t index = 0; index < scene.addresses.size(); ++index)
    DOVETAIL_CHECK(checkAddress(fmt::format("addresses[{}]", index), scene.addresses[index], scene));
  return {};
}

Result<void> checkDraw(const Scene &scene) {
  if (uint64_t(scene.vertexCount) * std::max(scene.instanceCount, 1u) > MaxVertices)
    return wrong("vertexCount", "{} vertices of {} instances are too many", scene.vertexCount, scene.instanceCount);
  if (!scene.indices.empty() && uint64_t(scene.firstVertex) + scene.vertexCount > scene.indices.size())
    return wrong("vertexCount", "needs {} indices, there are {}", uint64_t(scene.firstVertex) + scene.vertexCount,
                 scene.indices.size());
  return {};
}

Result<void> checkRect(const std::string &place, const VkRect2D &rect, uint32_t most) {
  const auto largest = int32_t(most);
  DOVETAIL_CHECK(checkRange(place + ".x", rect.offset.x, 0, largest));
  DOVETAIL_CHECK(checkRange(place + ".y", rect.offset.y, 0, largest));
  DOVETAIL_CHECK(checkRange(place + ".width", rect.extent.width, 0u, most - uint32_t(rect.offset.x)));
  return checkRange(place + ".height", rect.extent.height, 0u, most - uint32_t(rect.offset.y));
}

Result<void> checkInitialContents(const Scene &scene) {
  const uint64_t samples =
      uint64_t(scene.width) * scene.height * scene.layers * std::max(scene.state.rasterizationSamples, 1u);
  auto check = [&](const std::string &place, bool isTarget, uint64_t texelBytes, size_t found) -> Result<void> {
    if (found == 0)
      return {};
    if (!isTarget)
      return wrong(place, "there is no such target");
    if (found != samples * texelBytes)
      return wrong(place, "the target's size and samples need {} bytes, found {}", samples * texelBytes, found);
    return {};
  };
  for (size_t index = 0; index < scene.initialColors.size(); ++index) {
    const VkFormat format = scene.state.colorTargets[index].format;
    const bool isTarget = format != VK_FORMAT_UNDEFINED;
    const uint64_t texelBytes = isTarget ? DOVETAIL_TRY(texelLayout(format)).bytes : 0;
    DOVETAIL_CHECK(
        check(fmt::format("initialColors[{}]", index), isTarget, texelBytes, scene.initialColors[index].size()));
  }
  const VkFormat format = scene.state.depthStencilFormat;
  DOVETAIL_CHECK(check("initialDepth", hasDepth(format), sizeof(float), scene.initialDepth.size()));
  return check("initialStencil", hasStencil(format), 1, scene.initialStencil.size());
}

Result<void> checkStencil(const std::string &place, const SceneStencil &stencil) {
  for (VkStencilOp operation : {stencil.failOp, stencil.passOp, stencil.depthFailOp})
    DOVETAIL_CHECK(
        checkRange(place + ": an operation", operation, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_DECREMENT_AND_WRAP));
  return checkRange(place + ".compareOp", stencil.compareOp, VK_COMPARE_OP_NEVER, VK_COMPARE_OP_ALWAYS);
}

Result<void> checkRasterisation(const Scene &scene) {
  for (float number : {scene.depthBiasConstant, scene.depthBiasClamp, scene.depthBiasSlope})
    if (!std::isfinite(number))
      return wrong("a depth bias", "{} is not finite", number);
  DOVETAIL_CHECK(checkRange("polygonMode", scene.polygonMode, VK_POLYGON_MODE_FILL, VK_POLYGON_MODE_POINT));
  if (!(scene.lineWidth >= 0 && scene.lineWidth <= MaxLineWidth))
    return wrong("lineWidth", "{} is not in 0 to {}", scene.lineWidth, MaxLineWidth);
  DOVETAIL_CHECK(checkRange("lineMode", scene.lineMode, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT,
                            VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT));
  return checkRange("logicOp", scene.logicOp, VK_LOGIC_OP_CLEAR, VK_LOGIC_OP_SET);
}

Result<void> checkFramebuffer(const Scene &scene) {
  DOVETAIL_CHECK(checkRange("width", scene.width, 1u, MaxExtent));
  DOVETAIL_CHECK(checkRange("height", scene.height, 1u, MaxExtent));
  DOVETAIL_CHECK(checkRange("layers", scene.layers, 1u, MaxLayers));
  if (const uint64_t samples = uint64_t(scene.width) * scene.height * scene.layers * scene.state.rasterizationSamples;
      samples > MaxSamples)
    return wrong("layers", "{} samples of all layers are too many", samples);
  if (const uint32_t views = std::bit_width(scene.viewMask); views > scene.layers)
    return wrong("viewMask", "there is no layer for view {}", views - 1);
  if (scene.viewports.size() > MaxViewports)
    return wrong("viewports", "{} are too many", scene.viewports.size());
  for (size_t index = 0; index < scene.viewports.size(); ++index) {
    const VkViewport &viewport = scene.viewports[index];
    for (float number : {viewport.x, viewport.y, viewport.width, viewport.height, viewport.minDepth, viewport.maxDepth})
      if (!(std::abs(number) <= 2.0f * MaxExtent))
        return wrong(fmt::format("viewports[{}]", index), "{} is out of range", number);
    if (viewport.width <= 0)
      return wrong(fmt::format("viewports[{}].width", index), "{} is not positive", viewport.width);
  }
  if (!scene.scissors.empty() && scene.scissors.size() != std::max<size_t>(scene.viewports.size(), 1))
    return wrong("scissors", "there are {}, but {} viewports", scene.scissors.size(), scene.viewports.size());
  for (size_t index = 0; index < scene.scissors.size(); ++index)
    DOVETAIL_CHECK(checkRect(fmt::format("scissors[{}]", index), scene.scissors[index], MaxScissor));
  DOVETAIL_CHECK(checkRange("cullMode", scene.cullMode, 0u, uint32_t(VK_CULL_MODE_FRONT_AND_BACK)));
  DOVETAIL_CHECK(checkRange("frontFace", scene.frontFace, VK_FRONT_FACE_COUNTER_CLOCKWISE, VK_FRONT_FACE_CLOCKWISE));
  DOVETAIL_CHECK(checkRange("depthCompareOp", scene.depthCompareOp, VK_COMPARE_OP_NEVER, VK_COMPARE_OP_ALWAYS));
  if (!(scene.clearDepth >= 0 && scene.clearDepth <= 1))
    return wrong("clearDepth", "{} is not in 0 to 1", scene.clearDepth);
  DOVETAIL_CHECK(checkStencil("stencilFront", scene.stencilFront));
  DOVETAIL_CHECK(checkStencil("stencilBack", scene.stencilBack));
  DOVETAIL_CHECK(checkInitialContents(scene));
  return checkRasterisation(scene);
}

} // namespace

Result<void> checkScene(const Scene &scene) {
  DOVETAIL_CHECK(checkShaders(scene));
  return scene.isCompute() ? checkDispatchData(scene) : checkDrawData(scene);
}

Result<void> checkDispatchData(const Scene &scene) {
  DOVETAIL_CHECK(checkResources(scene));
  for (uint32_t count : scene.workgroups)
    DOVETAIL_CHECK(checkRange("workgroups", count, 0u, 65535u));
  if (const uint64_t all = uint64_t(scene.workgroups[0]) * scene.workgroups[1] * scene.workgroups[2];
      all > MaxWorkgroups)
    return wrong("workgroups", "{} are too many", all);
  return {};
}

Result<void> checkDrawData(const Scene &scene) {
  DOVETAIL_CHECK(checkResources(scene));
  DOVETAIL_CHECK(checkState(scene.state));
  DOVETAIL_CHECK(checkTransformFeedback(scene));
  DOVETAIL_CHECK(checkVertexInput(scene));
  DOVETAIL_CHECK(checkDraw(scene));
  return checkFramebuffer(scene);
}

} // namespace dovetail
