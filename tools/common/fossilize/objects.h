// SPDX-License-Identifier: MIT
//
// The Vulkan objects of pipelines as plain data: Vulkan's create-info structs with vectors instead of pointers and
// hashes instead of handles. Members have Vulkan's names and meaning. An optional stands for a pointer that may be
// null, or for a struct of the pNext chain.
//
// read_object.h and write_object.h read them from and write them to a database. from_vulkan.h makes them of
// create-infos. pipeline_state.h turns them into a PipelineState.
#pragma once

#include "tools/common/fossilize/file/database.h"
#include <optional>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail::fossilize {

// A struct of the pNext chain.
template <typename T, uint32_t Type> struct Next : std::optional<T> {
  using std::optional<T>::optional;
  static constexpr uint32_t StructureType = Type; // VkStructureType
};

// An array whose pointer is null if it is empty.
template <typename T> struct ListOrNull : std::vector<T> { using std::vector<T>::vector; };

struct Data : std::vector<uint8_t> {
  using std::vector<uint8_t>::vector;
};

// VkStructureType of structs that an old vulkan_core.h may lack.
constexpr uint32_t AttachmentLocationsType = 1000232001; // VkRenderingAttachmentLocationInfo
constexpr uint32_t CreateFlags2Type = 1000470005;        // VkPipelineCreateFlags2CreateInfo

// ---- Resources ----

struct CustomBorderColor {
  std::vector<uint32_t> customBorderColor; // 4 components
  VkFormat format = VK_FORMAT_UNDEFINED;
};

struct ReductionMode {
  VkSamplerReductionMode reductionMode = VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE;
};

// Captures have this struct in place of VkSamplerYcbcrConversionInfo, which has a handle.
struct SamplerYcbcrConversion {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkSamplerYcbcrModelConversion ycbcrModel = VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY;
  VkSamplerYcbcrRange ycbcrRange = VK_SAMPLER_YCBCR_RANGE_ITU_FULL;
  std::vector<uint32_t> components; // VkComponentSwizzle of 4 components
  VkChromaLocation xChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN, yChromaOffset = VK_CHROMA_LOCATION_COSITED_EVEN;
  VkFilter chromaFilter = VK_FILTER_NEAREST;
  VkBool32 forceExplicitReconstruction = false;
};

struct Sampler {
  uint32_t flags = 0;
  VkFilter minFilter = VK_FILTER_NEAREST, magFilter = VK_FILTER_NEAREST;
  float maxAnisotropy = 1;
  VkCompareOp compareOp = VK_COMPARE_OP_NEVER;
  VkBool32 anisotropyEnable = false;
  VkSamplerMipmapMode mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  VkSamplerAddressMode addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT, addressModeV = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                       addressModeW = VK_SAMPLER_ADDRESS_MODE_REPEAT;
  VkBorderColor borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  VkBool32 unnormalizedCoordinates = false, compareEnable = false;
  float mipLodBias = 0, minLod = 0, maxLod = 0;
  Next<CustomBorderColor, VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT> customBorderColor;
  Next<ReductionMode, VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO> reductionMode;
  Next<SamplerYcbcrConversion, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO> ycbcrConversion;
};

struct LayoutBinding {
  VkDescriptorType descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER;
  uint32_t descriptorCount = 0; // for an inline uniform block: bytes
  uint32_t stageFlags = 0, binding = 0;
  std::optional<std::vector<ObjectHash>> immutableSamplers;
};

struct BindingFlags {
  std::vector<uint32_t> bindingFlags;
};

struct MutableDescriptorTypes {
  std::vector<std::vector<uint32_t>> mutableDescriptorTypeLists; // VkDescriptorType
};

struct DescriptorSetLayout {
  uint32_t flags = 0;
  std::vector<LayoutBinding> bindings;
  Next<BindingFlags, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO> bindingFlags;
  Next<MutableDescriptorTypes, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT> mutableTypes;
};

struct PushConstantRange {
  uint32_t stageFlags = 0, size = 0, offset = 0;
};

struct PipelineLayout {
  uint32_t flags = 0;
  std::vector<PushConstantRange> pushConstantRanges;
  std::vector<ObjectHash> setLayouts; // a null hash: none
};

struct ShaderModule {
  uint32_t flags = 0;
  std::vector<uint32_t> words; // SPIR-V
};

// ---- Render passes ----

// Members that only VkRenderPassCreateInfo2 has are optional.
struct AttachmentReference {
  uint32_t attachment = VK_ATTACHMENT_UNUSED;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  std::optional<uint32_t> aspectMask;
};

struct AttachmentDescription {
  uint32_t flags = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkImageLayout finalLayout = VK_IMAGE_LAYOUT_UNDEFINED, initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
  VkAttachmentLoadOp loadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkAttachmentStoreOp storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkAttachmentLoadOp stencilLoadOp = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkAttachmentStoreOp stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
};

struct Subpass {
  uint32_t flags = 0;
  VkPipelineBindPoint pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
  std::optional<uint32_t> viewMask;
  ListOrNull<uint32_t> preserveAttachments;
  ListOrNull<AttachmentReference> inputAttachments, colorAttachments, resolveAttachments;
  std::optional<AttachmentReference> depthStencilAttachment;
};

struct SubpassDependency {
  uint32_t dependencyFlags = 0, dstAccessMask = 0, srcAccessMask = 0, dstStageMask = 0, srcStageMask = 0,
           dstSubpass = 0, srcSubpass = 0;
  std::optional<int32_t> viewOffset;
};

struct Multiview {
  ListOrNull<uint32_t> viewMasks, correlationMasks;
  ListOrNull<int32_t> viewOffsets;
};

struct RenderPass {
  bool isVersion2 = false; // made by vkCreateRenderPass2
  uint32_t flags = 0;
  ListOrNull<uint32_t> correlatedViewMasks; // version 2
  ListOrNull<SubpassDependency> dependencies;
  ListOrNull<AttachmentDescription> attachments;
  std::vector<Subpass> subpasses;
  Next<Multiview, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO> multiview; // version 1
};

// ---- Pipelines ----

struct MapEntry {
  uint32_t offset = 0;
  uint64_t size = 0;
  uint32_t constantID = 0;
};

struct SpecializationInfo {
  Data data;
  std::vector<MapEntry> mapEntries;
};

struct RequiredSubgroupSize {
  uint32_t requiredSubgroupSize = 0;
};

struct ShaderStage {
  uint32_t flags = 0;
  std::string name = "main"; // of the entry point
  ObjectHash module;
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_VERTEX_BIT;
  std::optional<SpecializationInfo> specializationInfo;
  Next<RequiredSubgroupSize, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO>
      requiredSubgroupSize;
};

struct CreateFlags2 {
  uint64_t flags = 0;
};

struct DomainOrigin {
  VkTessellationDomainOrigin domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
};

struct TessellationState {
  uint32_t flags = 0, patchControlPoints = 0;
  Next<DomainOrigin, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO> domainOrigin;
};

struct DynamicStates {
  uint32_t flags = 0;
  std::vector<uint32_t> dynamicState; // VkDynamicState
};

struct SampleLocation {
  float x = 0, y = 0;
};

struct Extent {
  uint32_t width = 0, height = 0;
};

struct SampleLocationsInfo {
  uint32_t sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT;
  uint32_t sampleLocationsPerPixel = 0; // VkSampleCountFlagBits
  Extent sampleLocationGridSize;
  ListOrNull<SampleLocation> sampleLocations;
};

struct SampleLocations {
  VkBool32 sampleLocationsEnable = false;
  std::optional<SampleLocationsInfo> sampleLocationsInfo;
};

struct MultisampleState {
  uint32_t flags = 0;
  VkSampleCountFlagBits rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkBool32 sampleShadingEnable = false;
  float minSampleShading = 0;
  VkBool32 alphaToOneEnable = false, alphaToCoverageEnable = false;
  std::optional<std::vector<uint32_t>> sampleMask;
  Next<SampleLocations, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT> sampleLocations;
};

struct VertexInputAttribute {
  uint32_t location = 0, binding = 0, offset = 0;
  VkFormat format = VK_FORMAT_UNDEFINED;
};

struct VertexInputBinding {
  uint32_t binding = 0, stride = 0;
  VkVertexInputRate inputRate = VK_VERTEX_INPUT_RATE_VERTEX;
};

struct BindingDivisor {
  uint32_t binding = 0, divisor = 1;
};

struct VertexDivisors {
  uint32_t vertexBindingDivisorCount = 0; // the array's size
  ListOrNull<BindingDivisor> vertexBindingDivisors;
};

struct VertexInputState {
  uint32_t flags = 0;
  std::vector<VertexInputAttribute> attributes;
  std::vector<VertexInputBinding> bindings;
  Next<VertexDivisors, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT> divisors;
};

struct DepthClip {
  uint32_t flags = 0;
  VkBool32 depthClipEnable = true;
};

struct RasterizationStream {
  uint32_t flags = 0, rasterizationStream = 0;
};

struct ConservativeRasterization {
  uint32_t flags = 0, conservativeRasterizationMode = 0;
  float extraPrimitiveOverestimationSize = 0;
};

struct LineRasterization {
  uint32_t lineRasterizationMode = 0;
  VkBool32 stippledLineEnable = false;
  uint32_t lineStippleFactor = 1, lineStipplePattern = 0;
};

struct ProvokingVertex {
  VkProvokingVertexModeEXT provokingVertexMode = VK_PROVOKING_VERTEX_MODE_FIRST_VERTEX_EXT;
};

struct RasterizationState {
  uint32_t flags = 0;
  float depthBiasConstantFactor = 0, depthBiasSlopeFactor = 0, depthBiasClamp = 0;
  VkBool32 depthBiasEnable = false, depthClampEnable = false;
  VkPolygonMode polygonMode = VK_POLYGON_MODE_FILL;
  VkBool32 rasterizerDiscardEnable = false;
  VkFrontFace frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  float lineWidth = 1;
  uint32_t cullMode = VK_CULL_MODE_NONE;
  Next<DepthClip, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT> depthClip;
  Next<RasterizationStream, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT> stream;
  Next<ConservativeRasterization, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT>
      conservative;
  Next<LineRasterization, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT> line;
  Next<ProvokingVertex, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT>
      provokingVertex;
};

struct InputAssemblyState {
  uint32_t flags = 0;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  VkBool32 primitiveRestartEnable = false;
};

struct BlendAttachment {
  VkBlendFactor dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO, srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO,
                dstColorBlendFactor = VK_BLEND_FACTOR_ZERO, srcColorBlendFactor = VK_BLEND_FACTOR_ZERO;
  uint32_t colorWriteMask = 0;
  VkBlendOp alphaBlendOp = VK_BLEND_OP_ADD, colorBlendOp = VK_BLEND_OP_ADD;
  VkBool32 blendEnable = false;
};

struct ColorWrite {
  uint32_t attachmentCount = 0; // the array's size
  ListOrNull<uint32_t> colorWriteEnables;
};

struct ColorBlendState {
  uint32_t flags = 0;
  VkLogicOp logicOp = VK_LOGIC_OP_CLEAR;
  VkBool32 logicOpEnable = false;
  std::vector<float> blendConstants; // 4
  std::vector<BlendAttachment> attachments;
  Next<ColorWrite, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT> colorWrite;
};

struct Viewport {
  float x = 0, y = 0, width = 0, height = 0, minDepth = 0, maxDepth = 1;
};

struct Scissor {
  int32_t x = 0, y = 0;
  uint32_t width = 0, height = 0;
};

struct DepthClipControl {
  VkBool32 negativeOneToOne = false;
};

struct ViewportState {
  uint32_t flags = 0, viewportCount = 0, scissorCount = 0;
  std::optional<std::vector<Viewport>> viewports;
  std::optional<std::vector<Scissor>> scissors;
  Next<DepthClipControl, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT> depthClipControl;
};

struct StencilOp {
  VkCompareOp compareOp = VK_COMPARE_OP_ALWAYS;
  uint32_t writeMask = 0, reference = 0, compareMask = 0;
  VkStencilOp passOp = VK_STENCIL_OP_KEEP, failOp = VK_STENCIL_OP_KEEP, depthFailOp = VK_STENCIL_OP_KEEP;
};

struct DepthStencilState {
  uint32_t flags = 0;
  VkBool32 stencilTestEnable = false;
  float maxDepthBounds = 1, minDepthBounds = 0;
  VkBool32 depthBoundsTestEnable = false, depthWriteEnable = false, depthTestEnable = false;
  VkCompareOp depthCompareOp = VK_COMPARE_OP_NEVER;
  StencilOp front, back;
};

// VkPipelineRenderingCreateInfo
struct Rendering {
  VkFormat depthAttachmentFormat = VK_FORMAT_UNDEFINED, stencilAttachmentFormat = VK_FORMAT_UNDEFINED;
  uint32_t viewMask = 0;
  ListOrNull<VkFormat> colorAttachmentFormats;
};

struct AttachmentLocations {
  uint32_t colorAttachmentCount = 0; // the array's size
  ListOrNull<uint32_t> colorAttachmentLocations;
};

// VkGraphicsPipelineLibraryCreateInfoEXT: the pieces of a pipeline that this library has.
struct LibraryPieces {
  uint32_t flags = 0;
};

struct LinkedLibraries {
  std::vector<ObjectHash> libraries; // graphics pipelines
};

struct GraphicsPipeline {
  uint32_t flags = 0;
  ObjectHash basePipelineHandle;
  int32_t basePipelineIndex = -1;
  ObjectHash layout, renderPass;
  uint32_t subpass = 0;
  std::optional<TessellationState> tessellationState;
  std::optional<DynamicStates> dynamicState;
  std::optional<MultisampleState> multisampleState;
  std::optional<VertexInputState> vertexInputState;
  std::optional<RasterizationState> rasterizationState;
  std::optional<InputAssemblyState> inputAssemblyState;
  std::optional<ColorBlendState> colorBlendState;
  std::optional<ViewportState> viewportState;
  std::optional<DepthStencilState> depthStencilState;
  std::optional<std::vector<ShaderStage>> stages;
  Next<Rendering, VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO> rendering;
  Next<AttachmentLocations, AttachmentLocationsType> attachmentLocations;
  Next<LibraryPieces, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT> libraryPieces;
  Next<LinkedLibraries, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR> libraries;
  Next<CreateFlags2, CreateFlags2Type> flags2;
};

struct ComputePipeline {
  uint32_t flags = 0;
  ObjectHash layout, basePipelineHandle;
  int32_t basePipelineIndex = -1;
  ShaderStage stage;
  Next<CreateFlags2, CreateFlags2Type> flags2;
};

// The kind under which an object is stored.
constexpr Kind kindOf(const Sampler *) {
  return Kind::Sampler;
}
constexpr Kind kindOf(const DescriptorSetLayout *) {
  return Kind::DescriptorSetLayout;
}
constexpr Kind kindOf(const PipelineLayout *) {
  return Kind::PipelineLayout;
}
constexpr Kind kindOf(const ShaderModule *) {
  return Kind::ShaderModule;
}
constexpr Kind kindOf(const RenderPass *) {
  return Kind::RenderPass;
}
constexpr Kind kindOf(const GraphicsPipeline *) {
  return Kind::GraphicsPipeline;
}
constexpr Kind kindOf(const ComputePipeline *) {
  return Kind::ComputePipeline;
}

} // namespace dovetail::fossilize
