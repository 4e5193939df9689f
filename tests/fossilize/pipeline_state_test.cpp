// SPDX-License-Identifier: MIT
//
// A pipeline's objects become the PipelineState that they mean, and the other way round.
#include "src/state/ycbcr_conversion.h"
#include "tools/common/fossilize/pipeline_state.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/fossilize/sampler_words.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fossilize;

namespace {

PipelineState stateOf(const GraphicsPipeline &pipeline, const PipelineState &base = {}, Ignored *named = nullptr) {
  Ignored ignored;
  Result<PipelineState> state = toPipelineState(pipeline, nullptr, base, named ? *named : ignored);
  if (!state)
    FAIL(state.error().text);
  return *state;
}

std::string errorOf(const GraphicsPipeline &pipeline) {
  Ignored ignored;
  Result<PipelineState> state = toPipelineState(pipeline, nullptr, {}, ignored);
  return state ? "no error" : state.error().text;
}

// Sets every field that Vulkan has to another value than its default.
PipelineState unusualState() {
  PipelineState state;
  state.vertexBindings = {{3, 20, VK_VERTEX_INPUT_RATE_VERTEX, 1}, {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE, 0}};
  state.vertexAttributes = {{2, 3, VK_FORMAT_R32G32_SFLOAT, 12}, {0, 1, VK_FORMAT_R8G8B8A8_UNORM, 0}};
  state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
  state.patchControlPoints = 7;
  state.tessellationDomainLowerLeft = true;
  state.flatProvokingVertexLast = true;
  state.depthClampEnable = true;
  state.rasterizerDiscardEnable = true;
  state.rasterizationSamples = 8;
  state.sampleShadingEnable = true;
  state.colorTargets[1] = {VK_FORMAT_B8G8R8A8_SRGB,
                           5,
                           true,
                           VK_BLEND_FACTOR_SRC_ALPHA,
                           VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA,
                           VK_BLEND_OP_SUBTRACT,
                           VK_BLEND_FACTOR_DST_ALPHA,
                           VK_BLEND_FACTOR_CONSTANT_COLOR,
                           VK_BLEND_OP_MAX};
  state.alphaToCoverageEnable = true;
  state.alphaToOneEnable = true;
  state.depthStencilFormat = VK_FORMAT_S8_UINT;
  return state;
}

} // namespace

TEST_CASE("a state is the same after it was a pipeline") {
  Ignored lost;
  CHECK(stateOf(fromPipelineState(unusualState(), lost)) == unusualState());
  CHECK(stateOf(fromPipelineState({}, lost)) == PipelineState());
  for (VkFormat format : {VK_FORMAT_UNDEFINED, VK_FORMAT_D16_UNORM, VK_FORMAT_D24_UNORM_S8_UINT}) {
    PipelineState state;
    state.depthStencilFormat = format;
    CHECK(stateOf(fromPipelineState(state, lost)) == state);
  }
  CHECK(lost.empty());
}

TEST_CASE("fields that Vulkan does not have are named") {
  PipelineState state;
  state.alphaTestFunc = VK_COMPARE_OP_LESS;
  state.smoothing = true;
  Ignored lost;
  (void)fromPipelineState(state, lost);
  CHECK(lost == Ignored{"alphaTestFunc", "smoothing"});
}

TEST_CASE("what is dynamic comes from the base") {
  Ignored lost;
  GraphicsPipeline pipeline = fromPipelineState(unusualState(), lost);
  PipelineState base;
  base.vertexBindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  base.patchControlPoints = 4;
  pipeline.dynamicState.emplace().dynamicState = {
      VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,         VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
      VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,   VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
      VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT,   VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT,
      VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT};
  const PipelineState state = stateOf(pipeline, base);
  CHECK(state.vertexBindings == base.vertexBindings);
  CHECK(state.vertexAttributes.empty());
  CHECK(state.patchControlPoints == 4);
  CHECK_FALSE(state.depthClampEnable);
  CHECK_FALSE(state.rasterizerDiscardEnable);
  CHECK(state.rasterizationSamples == 1);
  CHECK(state.colorTargets[1].writeMask == 0xf);
  CHECK_FALSE(state.colorTargets[1].blendEnable);
  CHECK(state.colorTargets[1].format == VK_FORMAT_B8G8R8A8_SRGB);
  CHECK(state.flatProvokingVertexLast);
}

TEST_CASE("a stride that is dynamic is long enough for the attributes") {
  GraphicsPipeline pipeline;
  pipeline.vertexInputState.emplace().bindings = {{0, 0, VK_VERTEX_INPUT_RATE_VERTEX}};
  pipeline.vertexInputState->attributes = {{0, 0, 16, VK_FORMAT_R32G32B32A32_SFLOAT}};
  CHECK(stateOf(pipeline).vertexBindings[0].stride == 0);
  pipeline.dynamicState.emplace().dynamicState = {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE};
  CHECK(stateOf(pipeline).vertexBindings[0].stride >= 32);
}

TEST_CASE("formats come from the subpass of the render pass") {
  RenderPass pass;
  for (VkFormat format : {VK_FORMAT_R8_UNORM, VK_FORMAT_R16_SFLOAT, VK_FORMAT_D32_SFLOAT})
    pass.attachments.emplace_back().format = format;
  pass.subpasses.resize(2);
  pass.subpasses[1].colorAttachments = {{VK_ATTACHMENT_UNUSED}, {1}};
  pass.subpasses[1].depthStencilAttachment = {2};
  GraphicsPipeline pipeline;
  pipeline.subpass = 1;
  Ignored ignored;
  const PipelineState state = toPipelineState(pipeline, &pass, {}, ignored).value();
  CHECK(state.colorTargets[0].format == VK_FORMAT_UNDEFINED);
  CHECK(state.colorTargets[1].format == VK_FORMAT_R16_SFLOAT);
  CHECK(state.depthStencilFormat == VK_FORMAT_D32_SFLOAT);
  pass.subpasses[1].colorAttachments[1].attachment = 3;
  CHECK(toPipelineState(pipeline, &pass, {}, ignored).error().text == "the render pass has no attachment 3");
  pipeline.subpass = 2;
  CHECK(toPipelineState(pipeline, &pass, {}, ignored).error().text == "the render pass has no subpass 2");
}

TEST_CASE("locations of attachments may be others than their numbers") {
  GraphicsPipeline pipeline;
  pipeline.rendering.emplace().colorAttachmentFormats = {VK_FORMAT_R8_UNORM, VK_FORMAT_R16_SFLOAT};
  pipeline.attachmentLocations.emplace().colorAttachmentLocations = {3, VK_ATTACHMENT_UNUSED};
  const PipelineState state = stateOf(pipeline);
  CHECK(state.colorTargets[3].format == VK_FORMAT_R8_UNORM);
  CHECK(state.colorTargets[0].format == VK_FORMAT_UNDEFINED);
  CHECK(state.colorTargets[1].format == VK_FORMAT_UNDEFINED);
}

TEST_CASE("a shader runs for each sample only if the fraction asks for more than one") {
  GraphicsPipeline pipeline;
  pipeline.multisampleState.emplace().rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
  pipeline.multisampleState->sampleShadingEnable = true;
  pipeline.multisampleState->minSampleShading = 0.25f;
  CHECK_FALSE(stateOf(pipeline).sampleShadingEnable);
  pipeline.multisampleState->minSampleShading = 0.5f;
  CHECK(stateOf(pipeline).sampleShadingEnable);
}

TEST_CASE("what nothing here draws is named") {
  GraphicsPipeline pipeline;
  pipeline.rasterizationState.emplace().polygonMode = VK_POLYGON_MODE_LINE;
  pipeline.colorBlendState.emplace().logicOpEnable = true;
  pipeline.rendering.emplace().viewMask = 3;
  Ignored ignored;
  (void)stateOf(pipeline, {}, &ignored);
  CHECK(ignored == Ignored{"logicOp", "polygonMode", "viewMask"});
}

TEST_CASE("what no pipeline may say is refused") {
  GraphicsPipeline pipeline;
  pipeline.inputAssemblyState.emplace().topology = VkPrimitiveTopology(11);
  CHECK(errorOf(pipeline) == "there is no primitive topology 11");
  pipeline = {};
  pipeline.multisampleState.emplace().rasterizationSamples = VkSampleCountFlagBits(3);
  CHECK(errorOf(pipeline) == "3 samples; a pixel has 1, 2, 4, 8 or 16");
  pipeline = {};
  pipeline.vertexInputState.emplace().attributes = {{0, 1, 0, VK_FORMAT_R8_UNORM}};
  CHECK(errorOf(pipeline) == "vertex attribute at location 0: there is no vertex binding 1");
  pipeline = {};
  pipeline.rendering.emplace().colorAttachmentFormats = {VK_FORMAT_R8_UNORM};
  BlendAttachment &blend = pipeline.colorBlendState.emplace().attachments.emplace_back();
  blend.blendEnable = true;
  blend.colorBlendOp = VK_BLEND_OP_MULTIPLY_EXT;
  CHECK(errorOf(pipeline).starts_with("blend operation"));
  blend.colorBlendOp = VK_BLEND_OP_ADD;
  blend.srcAlphaBlendFactor = VkBlendFactor(19);
  CHECK(errorOf(pipeline) == "there is no blend factor 19");
}

TEST_CASE("a root table has sets at their numbers, and push constants from dword 8 on") {
  DescriptorSetLayout first, empty, second;
  first.bindings = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, 0, 5, std::nullopt},
                    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, 0, 1, std::nullopt}};
  second.bindings = {{VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 256, 0, 0, std::nullopt}};
  PipelineLayout layout;
  layout.pushConstantRanges = {{0, 16, 0}, {0, 4, 32}};
  using enum UserDataNodeType;
  const UserDataNodes expected = {{DescriptorTable, 0, 0, 0, 1, 0}, {DescriptorTable, 3, 0, 3, 1, 0},
                                  {PushConstants, 0, 0, 8, 9, 0},   {CombinedImageSampler, 0, 1, 0, 24, 12},
                                  {Buffer, 0, 5, 24, 4, 4},         {Buffer, 3, 0, 0, 4, 4}};
  CHECK(layOutRootTable(layout, {&first, nullptr, &empty, &second}).value().nodes == expected);
}

TEST_CASE("immutable samplers are in the layout, and take no place in a set") {
  Sampler nearest, linear;
  linear.magFilter = VK_FILTER_LINEAR;
  const ObjectHash nearestHash = {1}, linearHash = {2}, unknown = {3};
  const Samplers samplers = {{nearestHash, nearest}, {linearHash, linear}};
  using Hashes = std::vector<ObjectHash>;
  DescriptorSetLayout first, second;
  first.bindings = {{VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 0, Hashes{linearHash}},
                    {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, 0, 1, Hashes{nearestHash, linearHash}},
                    {VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 2, std::nullopt}};
  second.bindings = {{VK_DESCRIPTOR_TYPE_SAMPLER, 2, 0, 0, Hashes{linearHash, unknown}},
                     {VK_DESCRIPTOR_TYPE_SAMPLER, 65, 0, 1, Hashes(65, linearHash)},
                     {VK_DESCRIPTOR_TYPE_SAMPLER, 1, 0, 2, Hashes{nearestHash}}};
  using enum UserDataNodeType;
  RootTable expected;
  expected.nodes = {{DescriptorTable, 0, 0, 0, 1, 0},
                    {DescriptorTable, 1, 0, 1, 1, 0},
                    {ImmutableSampler, 0, 0, 0, 4, 4},
                    {ImmutableSampler, 0, 1, 4, 8, 4},
                    {Image, 0, 1, 0, 16, 8},
                    {UserDataNodeType::Sampler, 0, 2, 16, 4, 4},
                    {UserDataNodeType::Sampler, 1, 0, 0, 8, 4},
                    {UserDataNodeType::Sampler, 1, 1, 8, 260, 4},
                    {ImmutableSampler, 1, 2, 12, 4, 4}};
  for (const fossilize::Sampler &sampler : {linear, nearest, linear, nearest})
    std::ranges::copy(samplerWords(sampler), std::back_inserter(expected.immutableSamplers));
  CHECK(layOutRootTable({}, {&first, &second}, samplers).value() == expected);
}

TEST_CASE("conversions of immutable samplers are in the layout, and the planes of their images in the set") {
  fossilize::Sampler plain, converting, three;
  converting.ycbcrConversion.emplace().format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  converting.ycbcrConversion->ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601;
  three.ycbcrConversion.emplace().format = VK_FORMAT_G8_B8_R8_3PLANE_444_UNORM;
  const ObjectHash plainHash = {1}, convertingHash = {2}, threeHash = {3};
  const Samplers samplers = {{plainHash, plain}, {convertingHash, converting}, {threeHash, three}};
  using Hashes = std::vector<ObjectHash>;
  DescriptorSetLayout set;
  set.bindings = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, 0, 0, Hashes{plainHash, convertingHash}},
                  {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, 1, Hashes{threeHash}},
                  {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, 2, Hashes{plainHash}}};
  using enum UserDataNodeType;
  dovetail::YcbcrConversion nv12 = {.model = VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601};
  nv12.planes = 2;
  nv12.halfWidth = nv12.halfHeight = true;
  dovetail::YcbcrConversion planar;
  planar.planes = 3;
  RootTable expected;
  expected.nodes = {{DescriptorTable, 0, 0, 0, 1, 0},   {UserDataNodeType::YcbcrConversion, 0, 0, 0, 2, 1},
                    {ImmutableSampler, 0, 0, 2, 8, 4},  {Image, 0, 0, 0, 16, 8},
                    {ImagePlane1, 0, 0, 16, 16, 8},     {UserDataNodeType::YcbcrConversion, 0, 1, 10, 1, 1},
                    {ImmutableSampler, 0, 1, 11, 4, 4}, {Image, 0, 1, 32, 8, 8},
                    {ImagePlane1, 0, 1, 40, 8, 8},      {ImagePlane2, 0, 1, 48, 8, 8},
                    {ImmutableSampler, 0, 2, 15, 4, 4}, {Image, 0, 2, 56, 8, 8}};
  const std::array<uint32_t, 4> words = samplerWords(plain);
  auto append = [&](const auto &more) { std::ranges::copy(more, std::back_inserter(expected.immutableSamplers)); };
  append(std::array{toDword({}), toDword(nv12)});
  append(words);
  append(words);
  append(std::array{toDword(planar)});
  append(words);
  append(words);
  CHECK(layOutRootTable({}, {&set}, samplers).value() == expected);
}

TEST_CASE("a layout with a conversion that nothing here can do is refused by name") {
  fossilize::Sampler sampler;
  sampler.ycbcrConversion.emplace().format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;
  auto complaint = [&] {
    DescriptorSetLayout set;
    set.bindings = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, 0, 4, std::vector<ObjectHash>{{1}}}};
    const Result<RootTable> table = layOutRootTable({}, {&set}, {{{1}, sampler}});
    return table ? std::string() : table.error().text;
  };
  CHECK(complaint().empty());
  sampler.ycbcrConversion->forceExplicitReconstruction = true;
  CHECK(complaint() == "set 0 binding 4: forceExplicitReconstruction of a YCbCr conversion");
  sampler.ycbcrConversion = SamplerYcbcrConversion(); // of an external format, or made before the layer listened
  CHECK(complaint() == "set 0 binding 4: no YCbCr conversion takes the format VK_FORMAT_UNDEFINED");
}

TEST_CASE("an anisotropic sampler has the filters and the ratio of one") {
  fossilize::Sampler sampler;
  sampler.minFilter = VK_FILTER_LINEAR;
  const std::array<uint32_t, 4> plain = samplerWords(sampler);
  sampler.maxAnisotropy = 9;
  CHECK(samplerWords(sampler) == plain);
  sampler.anisotropyEnable = true;
  std::array<uint32_t, 4> words = samplerWords(sampler);
  CHECK(words[0] == (plain[0] | 3u << 9)); // 8:1
  CHECK(words[2] == (plain[2] | 2u << 20 | 2u << 22));
  sampler.maxAnisotropy = std::numeric_limits<float>::infinity();
  CHECK(samplerWords(sampler)[0] == (plain[0] | 4u << 9));
  sampler.maxAnisotropy = std::numeric_limits<float>::quiet_NaN();
  CHECK(samplerWords(sampler) == plain);
}

TEST_CASE("sets that are too large and mutable descriptors are refused") {
  DescriptorSetLayout set;
  set.bindings = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 0xffffffff, 0, 1, std::nullopt}};
  CHECK(layOutRootTable({}, {&set}).error().text == "set 0 binding 1: the descriptors of the set exceed 256 MiB");
  set.bindings = {{VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 1, 0, 1, std::nullopt}};
  CHECK(layOutRootTable({}, {&set}).error().text == "set 0 binding 1: a mutable descriptor");
}
