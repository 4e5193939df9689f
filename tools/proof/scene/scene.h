// SPDX-License-Identifier: MIT
//
// Scene: the shaders, the state and all data that one draw or dispatch reads, as plain data. The emulator and the
// reference driver get the same scene, and each answers with a SceneResult. They share nothing else.
#pragma once

#include "src/state/pipeline_state.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail {

struct SceneSpecConstant {
  uint32_t id = 0;
  uint32_t bytes = 4; // 4 or 8; a bool is 4
  uint64_t value = 0;
};
DOVETAIL_FIELDS(SceneSpecConstant, id, bytes, value)

struct SceneShader {
  std::string name;
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::vector<uint32_t> words; // SPIR-V
  std::string entryPoint = "main";
  std::vector<SceneSpecConstant> specConstants;
  bool isOpenGl = false; // its module follows OpenGL's rules
};
DOVETAIL_FIELDS(SceneShader, name, stage, words, entryPoint, specConstants, isOpenGl)

struct SceneVertexBuffer {
  uint32_t binding = 0;
  std::vector<uint8_t> bytes;
};
DOVETAIL_FIELDS(SceneVertexBuffer, binding, bytes)

struct SceneImage {
  VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkImageViewType viewType = VK_IMAGE_VIEW_TYPE_2D;
  uint32_t width = 1, height = 1, depth = 1;
  uint32_t layers = 1; // cubes: a multiple of 6
  uint32_t mipLevels = 1;
  uint32_t samples = 1;
  // Mip level 0 of all layers, then level 1, …: each tightly packed as layers, depth slices, rows, texels. In a
  // multisampled image, each layer has one texel, which is the value of all its samples.
  std::vector<uint8_t> bytes;
  // For sparse images: the pages that are not resident, as a range of `bytes`. The reference ignores them.
  uint32_t absentBegin = 0, absentEnd = 0;
};
DOVETAIL_FIELDS(SceneImage, format, viewType, width, height, depth, layers, mipLevels, samples, bytes, absentBegin,
                absentEnd)

struct SceneSampler {
  VkFilter magFilter = VK_FILTER_LINEAR;
  VkFilter minFilter = VK_FILTER_LINEAR;
  VkSamplerMipmapMode mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  VkSamplerAddressMode addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  VkSamplerAddressMode addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  VkSamplerAddressMode addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  float mipLodBias = 0;
  bool compareEnable = false;
  VkCompareOp compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  float minLod = 0, maxLod = VK_LOD_CLAMP_NONE;
  VkBorderColor borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  bool unnormalizedCoordinates = false;
};
DOVETAIL_FIELDS(SceneSampler, magFilter, minFilter, mipmapMode, addressModeU, addressModeV, addressModeW, mipLodBias,
                compareEnable, compareOp, minLod, maxLod, borderColor, unnormalizedCoordinates)

// One element of a binding. Bindings that shaders do not use need no elements.
struct SceneDescriptor {
  uint32_t set = 0, binding = 0, element = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  uint32_t buffer = 0; // index into Scene::buffers (buffers, texel buffers); binds the whole buffer
  VkFormat texelFormat = VK_FORMAT_UNDEFINED; // texel buffers
  uint32_t image = 0;                         // index into Scene::images
  uint32_t sampler = 0;                       // index into Scene::samplers
  uint32_t ycbcrConversion = 0;               // the sampler's (src/state/ycbcr_conversion.h); 0: none
  std::array<uint32_t, 2> planes = {};        // with a conversion: the other planes, as indices into Scene::images
};
DOVETAIL_FIELDS(SceneDescriptor, set, binding, element, type, buffer, texelFormat, image, sampler, ycbcrConversion,
                planes)

constexpr uint32_t NoSceneBuffer = 0xffffffff;
constexpr uint64_t MaxSceneBufferBytes = 1 << 28; // of one buffer or image
constexpr uint32_t MaxScenePushConstantBytes = 4096;
// In Scene::indices, with primitiveRestart. Indices of 8 and 16 bits are widened, and their restart becomes this one.
constexpr uint32_t RestartIndex = 0xffffffff;

// Eight bytes that hold the address of a buffer. There, Scene::buffers and Scene::pushConstants have zeros. So have the
// buffers of a result, unless shaders wrote something else.
struct SceneAddress {
  uint32_t holder = NoSceneBuffer; // the buffer that holds it; NoSceneBuffer: the push constants
  uint32_t offset = 0;             // of its first byte
  uint32_t buffer = 0;             // the buffer that it points to: index into Scene::buffers
};
DOVETAIL_FIELDS(SceneAddress, holder, offset, buffer)

// How one facing of primitives is tested with and changes the stencil. Points and lines face the front.
struct SceneStencil {
  VkStencilOp failOp = VK_STENCIL_OP_KEEP;
  VkStencilOp passOp = VK_STENCIL_OP_REPLACE;
  VkStencilOp depthFailOp = VK_STENCIL_OP_KEEP;
  VkCompareOp compareOp = VK_COMPARE_OP_ALWAYS;
  uint32_t compareMask = 0xff, writeMask = 0xff;
  uint32_t reference = 0; // or the shader's value
};
DOVETAIL_FIELDS(SceneStencil, failOp, passOp, depthFailOp, compareOp, compareMask, writeMask, reference)

struct Scene {
  std::string name;
  uint64_t seed = 0; // the scene was made from it; for reports
  std::vector<SceneShader> shaders;
  PipelineState state;

  // Resources.
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<SceneImage> images;
  std::vector<SceneSampler> samplers;
  std::vector<SceneDescriptor> descriptors;
  std::vector<uint8_t> pushConstants; // as many bytes as the shaders' blocks need
  std::vector<SceneAddress> addresses;

  // Transform feedback: for each buffer number, an index into `buffers`, or NoSceneBuffer. Empty: off.
  std::vector<uint32_t> transformFeedbackBuffers;

  // Dispatch.
  std::array<uint32_t, 3> workgroups = {1, 1, 1};

  // Geometry.
  std::vector<SceneVertexBuffer> vertexBuffers;
  std::vector<uint32_t> indices;                                                   // empty: not indexed
  bool primitiveRestart = false;                                                   // at RestartIndex
  uint32_t vertexCount = 3, instanceCount = 1, firstVertex = 0, firstInstance = 0; // vertexCount: indices if indexed
  int32_t vertexOffset = 0;                                                        // for indexed draws

  // Framebuffer, viewports, and state on which no code depends. PipelineState has sample count, formats and blending.
  uint32_t width = 64, height = 64, layers = 1;
  uint32_t viewMask = 0;             // multiview: each view draws into its layer; 0: one draw can reach all layers
  std::vector<VkViewport> viewports; // empty: one viewport, the whole framebuffer, depth 0 to 1
  std::vector<VkRect2D> scissors;    // as many as viewports; empty: the whole framebuffer
  VkCullModeFlags cullMode = VK_CULL_MODE_NONE;
  VkFrontFace frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  bool depthTestEnable = false;
  bool depthWriteEnable = false;
  VkCompareOp depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  bool stencilTestEnable = false;
  SceneStencil stencilFront, stencilBack;
  uint32_t sampleMask = 0xffffffff;
  std::array<float, 4> blendConstants = {0, 0, 0, 0};
  float alphaReference = 0.5f;                                 // GL's alpha test; the reference has none
  std::array<float, 6> defaultTessLevels = {1, 1, 1, 1, 1, 1}; // GL's: four outer, two inner; the reference has none
  uint32_t deviceIndex = 0;                                    // of the GPU in its group; the reference has only one
  std::array<VkClearColorValue, MaxColorTargets> clearColors = {};
  float clearDepth = 1;
  uint32_t clearStencil = 0;
  // What the targets hold before the draw, laid out as in a ScenePicture with all samples: depth as 32-bit floats and
  // stencil as bytes, whatever the format. Empty: the clear value.
  std::array<std::vector<uint8_t>, MaxColorTargets> initialColors;
  std::vector<uint8_t> initialDepth, initialStencil;
  bool keepSamples = false; // see ScenePicture
  bool depthBiasEnable = false;
  float depthBiasConstant = 0, depthBiasClamp = 0, depthBiasSlope = 0;
  VkPolygonMode polygonMode = VK_POLYGON_MODE_FILL;
  float lineWidth = 1;
  VkLineRasterizationModeEXT lineMode = VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT;
  bool logicOpEnable = false; // for all targets but those of floats and sRGB, in place of blending
  VkLogicOp logicOp = VK_LOGIC_OP_COPY;
  bool negativeOneToOne = false; // depth in clip space is from -w to w, as in GL
  bool countQueries = false;     // the result has counts

  void setStencilReference(uint32_t reference) { stencilFront.reference = stencilBack.reference = reference; }
  bool isCompute() const { return !shaders.empty() && shaders.front().stage == VK_SHADER_STAGE_COMPUTE_BIT; }
};
DOVETAIL_FIELDS(Scene, name, seed, shaders, state, buffers, images, samplers, descriptors, pushConstants, addresses,
                transformFeedbackBuffers, workgroups, vertexBuffers, indices, primitiveRestart, vertexCount,
                instanceCount, firstVertex, firstInstance, vertexOffset, width, height, layers, viewMask, viewports,
                scissors, cullMode, frontFace, depthTestEnable, depthWriteEnable, depthCompareOp, stencilTestEnable,
                stencilFront, stencilBack, sampleMask, blendConstants, alphaReference, defaultTessLevels, deviceIndex,
                clearColors, clearDepth, clearStencil, initialColors, initialDepth, initialStencil, keepSamples,
                depthBiasEnable, depthBiasConstant, depthBiasClamp, depthBiasSlope, polygonMode, lineWidth, lineMode,
                logicOpEnable, logicOp, negativeOneToOne, countQueries)

// A target's content after the draw: layers, rows, texels, tightly packed in the target's format. Multisampled targets
// are resolved: to the mean of the samples; for integers, to sample 0. With Scene::keepSamples they are not resolved:
// all samples of a texel lie side by side, and the width counts samples.
struct ScenePicture {
  VkFormat format = VK_FORMAT_UNDEFINED; // VK_FORMAT_UNDEFINED: no such target
  uint32_t width = 0, height = 0, layers = 1;
  std::vector<uint8_t> bytes;
};
DOVETAIL_FIELDS(ScenePicture, format, width, height, layers, bytes)

// Results of queries around the draw.
struct SceneCounts {
  uint64_t samplesPassed = 0; // an occlusion query's
};
DOVETAIL_FIELDS(SceneCounts, samplesPassed)

struct SceneResult {
  std::array<ScenePicture, MaxColorTargets> colors;
  ScenePicture depth;                        // VK_FORMAT_D32_SFLOAT; only single-sampled, or with all samples
  ScenePicture stencil;                      // VK_FORMAT_S8_UINT; only single-sampled, or with all samples
  std::vector<std::vector<uint8_t>> buffers; // Scene::buffers after the draw
  std::vector<std::vector<uint8_t>> images;  // Scene::images after the draw, laid out as SceneImage::bytes
  SceneCounts counts;                        // with Scene::countQueries
};
DOVETAIL_FIELDS(SceneResult, colors, depth, stencil, buffers, images, counts)

} // namespace dovetail
