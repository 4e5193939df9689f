// SPDX-License-Identifier: MIT
//
// Makes resources first: each binding that a shader uses gets as many elements as its array has, each with contents of
// its own. Then it makes the geometry, and the state around the shaders.
#include "tools/proof/scene/maker/make_scene.h"
#include "src/state/format_table.h"
#include "src/state/ycbcr_conversion.h"
#include "tools/proof/scene/maker/geometry.h"
#include "tools/proof/scene/maker/index_limits.h"
#include "tools/proof/scene/maker/numbers.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/maker/textures.h"
#include "tools/proof/scene/maker/word_uses.h"
#include "tools/proof/scene/scene_file.h"
#include "tools/proof/scene/texel.h"
#include "tools/proof/spirv/spirv_words.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

using spirv::DescriptorBinding;
using spirv::DescriptorKind;

// The room for a runtime array behind the fixed members of a storage buffer.
constexpr uint32_t GraphicsArrayBytes = 16 * 1024, ComputeArrayBytes = 64 * 1024;
// In a larger array of descriptors, elements share resources.
constexpr uint32_t MaxDistinctElements = 16;
constexpr uint32_t MaxElements = 1 << 20; // in one array of descriptors
constexpr uint32_t TexelBufferTexels = 256;
constexpr uint32_t MaxStorageSide = 128;
static_assert(UnsizedArrayElements == RuntimeArrayElements);

bool hasBuiltIn(const ShaderSet &shaders, spv::BuiltIn builtIn) {
  return std::ranges::any_of(shaders.shaders, [&](const ShaderRef &shader) {
    return shader && std::ranges::any_of(shader->reflection.builtIns, [&](const spirv::BuiltInVariable &variable) {
             return variable.builtIn == static_cast<uint32_t>(builtIn);
           });
  });
}

bool isBuffer(DescriptorKind kind) {
  return kind == DescriptorKind::UniformBuffer || kind == DescriptorKind::StorageBuffer;
}

// Merges the needs of two shaders or two variables for one binding.
void combine(DescriptorBinding &one, const DescriptorBinding &other) {
  if (isBuffer(one.kind)) {
    // Here a storage buffer may serve as a uniform buffer, but not the other way round.
    if (other.kind == DescriptorKind::StorageBuffer)
      one.kind = other.kind;
    if (other.blockBytes > one.blockBytes || one.members.empty()) {
      one.members = other.members;
      one.blockBytes = other.blockBytes;
    }
  } else if (one.kind != other.kind) {
    if (one.kind == DescriptorKind::Sampler)
      one.image = other.image;
    one.kind = DescriptorKind::CombinedImageSampler;
  }
  one.arraySize = one.arraySize && other.arraySize ? std::max(one.arraySize, other.arraySize) : 0;
  one.comparesDepth |= other.comparesDepth;
  one.samplesIntegers |= other.samplesIntegers;
}

std::vector<DescriptorBinding> collectBindings(const ShaderSet &shaders) {
  std::map<std::pair<uint32_t, uint32_t>, DescriptorBinding> bindings;
  for (const ShaderRef &shader : shaders.shaders)
    if (shader)
      for (const DescriptorBinding &binding : shader->reflection.descriptors) {
        auto [found, isNew] = bindings.try_emplace({binding.set, binding.binding}, binding);
        if (!isNew)
          combine(found->second, binding);
      }
  std::vector<DescriptorBinding> list;
  for (auto &[place, binding] : bindings)
    list.push_back(std::move(binding));
  return list;
}

VkDescriptorType descriptorType(DescriptorKind kind) {
  switch (kind) {
  case DescriptorKind::UniformBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  case DescriptorKind::StorageBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  case DescriptorKind::SampledImage:
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  case DescriptorKind::StorageImage:
    return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  case DescriptorKind::Sampler:
    return VK_DESCRIPTOR_TYPE_SAMPLER;
  case DescriptorKind::CombinedImageSampler:
    return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  case DescriptorKind::UniformTexelBuffer:
    return VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  case DescriptorKind::StorageTexelBuffer:
    return VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
  case DescriptorKind::InputAttachment:
    return VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  }
  return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
}

bool hasBarrier(const ShaderSet &shaders) {
  bool isFound = false;
  eachInstruction(shaders.shader(lgc::ShaderStage::Compute)->description.words,
                  [&](SpirvInstruction inst) { isFound |= opcodeOf(inst) == spv::Op::OpControlBarrier; });
  return isFound;
}

bool usesMinLod(const ShaderSet &shaders) {
  return std::ranges::any_of(shaders.shaders, [](const ShaderRef &shader) {
    return shader && !shader->passesThrough && declaresCapability(shader->description.words, spv::Capability::MinLod);
  });
}

// Barriers are often guarded by a count of elements, and all invocations must reach a barrier. So such counts are the
// number of invocations along x.
uint32_t invocationsAlongX(const ShaderSet &shaders, const Scene &scene) {
  return shaders.reflection(lgc::ShaderStage::Compute)->localSize[0] * scene.workgroups[0];
}

class Resources {
public:
  Resources(const ShaderSet &shaders, const IndexLimits &limits, const WordUses &words, Scene &scene)
      : m_shaders(shaders), m_limits(limits), m_words(words), m_scene(scene) {
    m_context.isCompute = scene.isCompute();
    if (m_context.isCompute && hasBarrier(shaders))
      m_context.exactCount = invocationsAlongX(shaders, scene);
    m_context.width = static_cast<float>(scene.width);
    m_context.height = static_cast<float>(scene.height);
    m_usesMinLod = usesMinLod(shaders);
  }

  Result<void> make() {
    for (const DescriptorBinding &binding : collectBindings(m_shaders)) {
      Result<void> made = makeBinding(binding);
      if (!made)
        return makeError(made.error().code, "set {} binding {} \"{}\": {}", binding.set, binding.binding, binding.name,
                         made.error().text);
    }
    return makePushConstants();
  }

private:
  Result<void> makeBinding(const DescriptorBinding &binding) {
    // The layout's number of elements, which may be more than the shaders declare.
    uint32_t elements = elementsInLayout(m_shaders, binding.set, binding.binding);
    if (elements == 0)
      elements = binding.arraySize ? binding.arraySize : RuntimeArrayElements;
    if (elements > MaxElements)
      return makeError(ErrorCode::Unsupported, "an array of {} descriptors is too large to make up", elements);
    std::vector<SceneDescriptor> distinct;
    for (uint32_t element = 0; element < elements; ++element) {
      SceneDescriptor descriptor;
      if (element < MaxDistinctElements) {
        descriptor = DOVETAIL_TRY(makeElement(binding, element));
        distinct.push_back(descriptor);
      } else {
        descriptor = distinct[element % MaxDistinctElements];
      }
      descriptor.element = element;
      m_scene.descriptors.push_back(descriptor);
    }
    return {};
  }

  Result<SceneDescriptor> makeElement(const DescriptorBinding &binding, uint32_t element) {
    Random random(m_scene.seed, "resource", {binding.set, binding.binding, element});
    SceneDescriptor descriptor;
    descriptor.set = binding.set;
    descriptor.binding = binding.binding;
    descriptor.type = descriptorType(binding.kind);
    switch (binding.kind) {
    case DescriptorKind::UniformBuffer:
    case DescriptorKind::StorageBuffer:
      descriptor.buffer = DOVETAIL_TRY(addBlock(binding, random.next()));
      break;
    case DescriptorKind::UniformTexelBuffer:
    case DescriptorKind::StorageTexelBuffer: {
      bool isStorage = binding.kind == DescriptorKind::StorageTexelBuffer;
      descriptor.texelFormat = texelBufferFormat(binding.image, isStorage, random);
      descriptor.buffer = addBuffer(DOVETAIL_TRY(makeTexels(descriptor.texelFormat, TexelBufferTexels, random)));
      break;
    }
    case DescriptorKind::SampledImage:
    case DescriptorKind::StorageImage:
    case DescriptorKind::InputAttachment:
      descriptor.image = DOVETAIL_TRY(addImage(binding, random));
      break;
    case DescriptorKind::Sampler:
      descriptor.sampler = addSampler(binding.comparesDepth, binding.samplesIntegers, random);
      break;
    case DescriptorKind::CombinedImageSampler:
      if (const uint32_t conversion = conversionInLayout(binding, element)) {
        DOVETAIL_CHECK(addPlanes(binding, conversion, descriptor, random));
        break;
      }
      descriptor.image = DOVETAIL_TRY(addImage(binding, random));
      descriptor.sampler = addSampler(binding.comparesDepth, binding.image.numericClass != NumericClass::Float, random);
      if (binding.image.dimension == spirv::ImageDimension::Rect)
        clampToImage(m_scene.samplers.back());
      break;
    }
    return descriptor;
  }

  static bool hasRuntimeArray(const std::vector<spirv::BlockMember> &members) {
    return std::ranges::any_of(members, [](const spirv::BlockMember &member) {
      return std::ranges::any_of(member.arrays, [](const spirv::ArrayDimension &array) { return array.count == 0; });
    });
  }

  // The bytes for a runtime array at the end of a block.
  uint32_t arrayBytes() const { return m_context.isCompute ? ComputeArrayBytes : GraphicsArrayBytes; }

  Result<uint32_t> addBlock(const DescriptorBinding &binding, uint64_t seed) {
    uint64_t size = std::max(binding.blockBytes, 16u);
    if (hasRuntimeArray(binding.members))
      size += arrayBytes();
    auto limitOf = [&](uint32_t offset) { return m_limits.ofMember(binding.set, binding.binding, offset); };
    const uint32_t index = DOVETAIL_TRY(addFilled(binding.members, size, limitOf, seed));
    writeWords(m_words, binding.set, binding.binding, seed, m_scene.buffers[index]);
    return index;
  }

  // Adds a buffer, and the buffers to which its addresses point.
  Result<uint32_t> addFilled(const std::vector<spirv::BlockMember> &members, uint64_t size,
                             const LimitOfMember &limitOf, uint64_t seed) {
    if (size > MaxSceneBufferBytes)
      return makeError(ErrorCode::Unsupported, "a block of {} bytes is too large to make up", size);
    const uint32_t index = addBuffer(std::vector<uint8_t>((size + 15) / 16 * 16));
    std::vector<uint8_t> bytes(m_scene.buffers[index].size());
    auto addAddress = [&](const spirv::BlockMember &member, uint32_t offset) {
      return addAddressIn(index, member, offset);
    };
    DOVETAIL_CHECK(fillBlock(members, m_context, limitOf, addAddress, seed, bytes));
    m_scene.buffers[index] = std::move(bytes);
    return index;
  }

  // Gives each address a buffer of its own; if there are many, they share buffers.
  Result<void> addAddressIn(uint32_t holder, const spirv::BlockMember &member, uint32_t offset) {
    if (!member.addressed || !m_addressPlaces.emplace(holder, offset).second)
      return {};
    std::vector<uint32_t> &buffers = m_addressed[member.addressed.get()];
    if (buffers.size() < MaxDistinctElements) {
      const uint64_t seed = Random(m_scene.seed, "address", {holder, offset}).next();
      buffers.push_back(DOVETAIL_TRY(addAddressedBlock(*member.addressed, seed)));
      m_scene.addresses.push_back({holder, offset, buffers.back()});
    } else {
      m_scene.addresses.push_back({holder, offset, buffers[offset / sizeof(uint64_t) % buffers.size()]});
    }
    return {};
  }

  Result<uint32_t> addAddressedBlock(const spirv::AddressedBlock &block, uint64_t seed) {
    std::vector<spirv::BlockMember> members = block.members;
    const bool isOne = hasRuntimeArray(members);
    // Make few elements if each has addresses of its own.
    const bool hasAddresses = std::ranges::any_of(members, &spirv::BlockMember::isAddress);
    const uint64_t most = hasAddresses ? uint64_t(block.stride) * MaxDistinctElements : arrayBytes();
    for (spirv::BlockMember &member : members)
      if (!isOne)
        member.arrays.insert(member.arrays.begin(), {0, block.stride});
    auto limitOf = [](uint32_t) { return NoIndexLimit; };
    return addFilled(members, uint64_t(block.bytes) + std::min<uint64_t>(most, arrayBytes()), limitOf, seed);
  }

  uint32_t addBuffer(std::vector<uint8_t> bytes) {
    m_scene.buffers.push_back(std::move(bytes));
    return static_cast<uint32_t>(m_scene.buffers.size() - 1);
  }

  Result<uint32_t> addImage(const DescriptorBinding &binding, Random &random) {
    ImageNeeds needs;
    needs.shape = binding.image;
    needs.isStorage = binding.kind == DescriptorKind::StorageImage;
    needs.comparesDepth = binding.comparesDepth;
    needs.targetWidth = m_scene.width;
    needs.targetHeight = m_scene.height;
    if (m_context.isCompute) {
      // As many texels along each side as there are invocations along any dimension.
      const spirv::Reflection &compute = *m_shaders.reflection(lgc::ShaderStage::Compute);
      for (unsigned i = 0; i < 3; ++i)
        needs.storageSide = std::max(needs.storageSide, m_scene.workgroups[i] * compute.localSize[i]);
      needs.storageSide = std::min(needs.storageSide, MaxStorageSide);
    } else {
      needs.storageSide = std::min(std::max(m_scene.width, m_scene.height), MaxStorageSide);
    }
    m_scene.images.push_back(DOVETAIL_TRY(makeImage(needs, random)));
    return static_cast<uint32_t>(m_scene.images.size() - 1);
  }

  // 0: the layout has no conversion.
  uint32_t conversionInLayout(const DescriptorBinding &binding, uint32_t element) const {
    const std::vector<uint32_t> &dwords = m_shaders.immutableSamplers();
    for (const UserDataNode &node : m_shaders.userDataNodes())
      if (node.type == UserDataNodeType::YcbcrConversion && node.set == binding.set && node.binding == binding.binding)
        if (const uint64_t inNode = uint64_t(element) * strideOf(node), place = node.offsetInDwords + inNode;
            inNode < node.sizeInDwords && place < dwords.size())
          return dwords[place];
    return 0;
  }

  // The images and the sampler for a conversion. Vulkan's rules for such samplers: the same filter for both, and no
  // repetition.
  Result<void> addPlanes(const DescriptorBinding &binding, uint32_t dword, SceneDescriptor &descriptor,
                         Random &random) {
    constexpr uint32_t HalfSides[] = {4, 8, 10, 12, 16};
    const YcbcrConversion conversion = DOVETAIL_TRY(ycbcrConversionOf(dword));
    const uint32_t width = 2 * random.pick(HalfSides), height = 2 * random.pick(HalfSides);
    const bool isArrayed = binding.image.isArrayed, isWide = conversion.bits > 8;
    const uint32_t layers = isArrayed ? random.between(2, 4) : 1;
    const VkFormat one = isWide ? VK_FORMAT_R16_UNORM : VK_FORMAT_R8_UNORM;
    const VkFormat two = isWide ? VK_FORMAT_R16G16_UNORM : VK_FORMAT_R8G8_UNORM;
    const VkFormat four = isWide ? VK_FORMAT_R16G16B16A16_UNORM : VK_FORMAT_R8G8B8A8_UNORM;
    auto addPlane = [&](VkFormat format, uint32_t planeWidth, uint32_t planeHeight) -> Result<uint32_t> {
      m_scene.images.push_back(DOVETAIL_TRY(makePlane(format, planeWidth, planeHeight, layers, isArrayed, random)));
      return uint32_t(m_scene.images.size() - 1);
    };
    descriptor.ycbcrConversion = dword;
    descriptor.image = DOVETAIL_TRY(addPlane(conversion.planes == 1 ? four : one, width, height));
    for (unsigned plane = 1; plane < conversion.planes; ++plane)
      descriptor.planes[plane - 1] =
          DOVETAIL_TRY(addPlane(conversion.planes == 2 ? two : one, conversion.halfWidth ? width / 2 : width,
                                conversion.halfHeight ? height / 2 : height));
    descriptor.sampler = addSampler(false, false, random);
    SceneSampler &sampler = m_scene.samplers.back();
    sampler.minFilter = sampler.magFilter;
    sampler.addressModeU = sampler.addressModeV = sampler.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    return {};
  }

  // Images with coordinates in texels cannot repeat.
  static void clampToImage(SceneSampler &sampler) {
    for (VkSamplerAddressMode *mode : {&sampler.addressModeU, &sampler.addressModeV})
      if (*mode != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER)
        *mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  }

  uint32_t addSampler(bool comparesDepth, bool integers, Random &random) {
    m_scene.samplers.push_back(makeSampler(comparesDepth, integers, random));
    // A least LOD above the sampler's greatest LOD is undefined. And the reference gets another form of a least LOD,
    // which has no place for a bias (tools/proof/reference/adapt/min_lod.h).
    if (m_usesMinLod) {
      m_scene.samplers.back().mipLodBias = 0;
      m_scene.samplers.back().maxLod = SceneSampler().maxLod;
    }
    return static_cast<uint32_t>(m_scene.samplers.size() - 1);
  }

  Result<void> makePushConstants() {
    for (const ShaderRef &shader : m_shaders.shaders) {
      if (!shader || shader->reflection.pushConstantBytes == 0)
        continue;
      const uint64_t bytes = (uint64_t(shader->reflection.pushConstantBytes) + 3) / 4 * 4;
      if (bytes > MaxScenePushConstantBytes)
        return makeError(ErrorCode::Unsupported, "{} bytes of push constants are too many to make up", bytes);
      m_scene.pushConstants.resize(std::max<size_t>(m_scene.pushConstants.size(), bytes));
      auto limitOf = [&](uint32_t offset) { return m_limits.ofMember(IndexLimits::PushConstants, 0, offset); };
      auto addAddress = [&](const spirv::BlockMember &member, uint32_t offset) {
        return addAddressIn(NoSceneBuffer, member, offset);
      };
      DOVETAIL_CHECK(fillBlock(shader->reflection.pushConstants, m_context, limitOf, addAddress,
                               Random(m_scene.seed, "push constants").next(), m_scene.pushConstants));
    }
    return {};
  }

  const ShaderSet &m_shaders;
  const IndexLimits &m_limits;
  const WordUses &m_words;
  Scene &m_scene;
  BlockContext m_context;
  bool m_usesMinLod = false;
  std::map<const spirv::AddressedBlock *, std::vector<uint32_t>> m_addressed; // the buffers made for each such block
  std::set<std::pair<uint32_t, uint32_t>> m_addressPlaces;                    // holder and offset
};

void addShaders(const ShaderSet &shaders, Scene &scene) {
  constexpr VkShaderStageFlagBits Stages[] = {VK_SHADER_STAGE_VERTEX_BIT,
                                              VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                              VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                              VK_SHADER_STAGE_GEOMETRY_BIT,
                                              VK_SHADER_STAGE_FRAGMENT_BIT,
                                              VK_SHADER_STAGE_COMPUTE_BIT};
  for (size_t stage = 0; stage < shaders.shaders.size(); ++stage) {
    if (!shaders.shaders[stage] || shaders.shaders[stage]->passesThrough) // the application has no such shader
      continue;
    const Shader &shader = *shaders.shaders[stage];
    SceneShader &added = scene.shaders.emplace_back();
    added.name = shader.description.name;
    added.stage = Stages[stage];
    added.words = shader.description.words;
    added.entryPoint = shader.description.entryPoint;
    added.isOpenGl = shader.description.environment == spirv::Environment::OpenGl;
    for (const spirv::SpecConstant &constant : shader.description.specConstants) {
      auto info = std::ranges::find(shader.reflection.specConstants, constant.id, &spirv::SpecConstantInfo::id);
      uint32_t bytes = info != shader.reflection.specConstants.end() && info->bits == 64 ? 8 : 4;
      added.specConstants.push_back({constant.id, bytes, constant.value});
    }
    scene.name += (scene.name.empty() ? "" : " + ") + added.name;
  }
}

// Chooses workgroups that do not interfere. There is only one workgroup if the result depends on their order, or if all
// write to the same places.
void chooseWorkgroups(const ShaderSet &shaders, Scene &scene) {
  const spirv::Reflection &compute = *shaders.reflection(lgc::ShaderStage::Compute);
  bool knowsWorkgroup =
      hasBuiltIn(shaders, spv::BuiltIn::GlobalInvocationId) || hasBuiltIn(shaders, spv::BuiltIn::WorkgroupId);
  if (compute.usesAtomics || !knowsWorkgroup)
    return;
  uint64_t size = uint64_t(compute.localSize[0]) * compute.localSize[1] * compute.localSize[2];
  scene.workgroups = {2, size <= 256 ? 2u : 1u, size <= 64 ? 2u : 1u};
}

// Larger than most results that shaders compute of small integers.
constexpr uint32_t FirstClearInteger = 50;

// A clear value other than 0 and 1, because shaders write 0 and 1 most often. It is large for a minimum and small for a
// maximum, so that the shader's value shows. `fraction` is in [0, 1).
float clearFloat(const ColorTarget &target, unsigned component, float fraction) {
  VkBlendOp op = component < 3 ? target.colorBlendOp : target.alphaBlendOp;
  if (target.blendEnable && op == VK_BLEND_OP_MIN)
    return 0.8f + 0.1f * fraction;
  if (target.blendEnable && op == VK_BLEND_OP_MAX)
    return 0.1f + 0.1f * fraction;
  return 0.15f + 0.7f * fraction;
}

// Whether each vertex has a depth of its own, so that no depth equals the clear depth.
bool hasDepthOfItsOwn(const ShaderSet &shaders, const PipelineState &state) {
  const spirv::Reflection *vertex = shaders.reflection(lgc::ShaderStage::Vertex);
  int position = vertex ? findPositionInput(*vertex) : -1;
  if (position < 0 || hasBuiltIn(shaders, spv::BuiltIn::FragDepth))
    return false;
  const spirv::InterfaceLocation &input = vertex->vertexInputs[position];
  auto attribute = std::ranges::find(state.vertexAttributes, input.location, &VertexAttribute::location);
  const FormatInfo *format = attribute == state.vertexAttributes.end() ? nullptr : findFormat(attribute->format);
  return (input.componentMask & 4) && format && format->componentCount > 2;
}

// Whether the draw has triangles of both facings.
bool facesBothWays(const ShaderSet &shaders, const PipelineState &state) {
  // Stages in between may make triangles of any facing.
  if (shaders.shader(lgc::ShaderStage::TessEval) || shaders.shader(lgc::ShaderStage::Geometry))
    return false;
  const spirv::Reflection *vertex = shaders.reflection(lgc::ShaderStage::Vertex);
  return state.topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN && vertex && findPositionInput(*vertex) >= 0;
}

// Chooses two views if the draw can be repeated into the same targets.
void chooseViews(const ShaderSet &shaders, Scene &scene) {
  if (!hasBuiltIn(shaders, spv::BuiltIn::ViewIndex) || hasBuiltIn(shaders, spv::BuiltIn::Layer) ||
      !scene.transformFeedbackBuffers.empty())
    return;
  scene.layers = 2;
  scene.viewMask = scene.state.rasterizationSamples > 1 ? 2 : 3;
}

Result<void> chooseTargets(const ShaderSet &shaders, Scene &scene) {
  Random random(scene.seed, "targets");
  for (unsigned i = 0; i < MaxColorTargets; ++i) {
    VkClearColorValue &color = scene.clearColors[i];
    VkFormat format = scene.state.colorTargets[i].format;
    bool isInteger = false;
    if (format != VK_FORMAT_UNDEFINED)
      isInteger = DOVETAIL_TRY(texelLayout(format)).isInteger();
    for (unsigned c = 0; c < 4; ++c) {
      if (isInteger)
        color.uint32[c] = FirstClearInteger + random.below(4);
      else
        color.float32[c] = clearFloat(scene.state.colorTargets[i], c, random.real());
    }
  }
  for (float &constant : scene.blendConstants)
    constant = random.real();
  if (random.chance(40)) {
    scene.depthTestEnable = true;
    scene.depthWriteEnable = random.chance(80);
    constexpr VkCompareOp Ops[] = {VK_COMPARE_OP_LESS, VK_COMPARE_OP_LESS_OR_EQUAL, VK_COMPARE_OP_LESS_OR_EQUAL,
                                   VK_COMPARE_OP_GREATER};
    scene.depthCompareOp = random.pick(Ops);
    scene.clearDepth = scene.depthCompareOp == VK_COMPARE_OP_GREATER ? 0 : 1;
    if (!hasDepthOfItsOwn(shaders, scene.state)) {
      if (scene.depthCompareOp == VK_COMPARE_OP_LESS)
        scene.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
      if (scene.depthCompareOp == VK_COMPARE_OP_GREATER)
        scene.depthCompareOp = VK_COMPARE_OP_GREATER_OR_EQUAL;
    }
  }
  // If the shader writes a depth, or the draw writes nothing else, depth must be visible.
  const bool writesColors = std::ranges::any_of(scene.state.colorTargets, [](const ColorTarget &target) {
    return target.format != VK_FORMAT_UNDEFINED && target.writeMask != 0;
  });
  if (hasBuiltIn(shaders, spv::BuiltIn::FragDepth) || !writesColors)
    scene.depthTestEnable = scene.depthWriteEnable = true;
  if (hasBuiltIn(shaders, spv::BuiltIn::FragStencilRefEXT)) {
    scene.stencilTestEnable = true;
    scene.setStencilReference(random.between(1, 200));
  }
  if (random.chance(20)) {
    scene.cullMode = random.chance(50) ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT;
    if (!facesBothWays(shaders, scene.state))
      scene.cullMode = VK_CULL_MODE_NONE;
  }
  if (random.chance(50))
    scene.frontFace = VK_FRONT_FACE_CLOCKWISE;
  if (hasBuiltIn(shaders, spv::BuiltIn::Layer))
    scene.layers = 4;
  chooseViews(shaders, scene);
  return {};
}

void chooseViewports(const ShaderSet &shaders, Scene &scene) {
  Random random(scene.seed, "viewports");
  const float width = static_cast<float>(scene.width), height = static_cast<float>(scene.height);
  bool isIndexed = hasBuiltIn(shaders, spv::BuiltIn::ViewportIndex);
  if (!isIndexed && random.chance(75))
    return;
  // The whole framebuffer, or a viewport of less than its size at a sub-pixel offset.
  for (unsigned i = 0; i < (isIndexed ? MaxViewports : 1u); ++i) {
    VkViewport viewport = {0, 0, width, height, 0, 1};
    if (!isIndexed || i > 0) {
      viewport.x = std::floor(width * random.real(0, 0.25f)) + 0.25f;
      viewport.y = std::floor(height * random.real(0, 0.25f)) + 0.5f;
      viewport.width = std::floor(width * random.real(0.6f, 0.9f));
      viewport.height = std::floor(height * random.real(0.6f, 0.9f));
      viewport.minDepth = random.chance(30) ? 0.25f : 0;
      viewport.maxDepth = random.chance(30) ? 0.75f : 1;
    }
    scene.viewports.push_back(viewport);
    VkRect2D scissor = {{0, 0}, {scene.width, scene.height}};
    // With several samples, lavapipe draws into the pixels beside a scissor.
    if (random.chance(50) && scene.state.rasterizationSamples == 1)
      scissor = {{1, 2}, {scene.width - 4, scene.height - 3}};
    scene.scissors.push_back(scissor);
  }
}

// Transform feedback captures the last stage in front of the rasteriser. The buffers are mostly large enough for these
// scenes.
void addTransformFeedback(const ShaderSet &shaders, Scene &scene) {
  constexpr size_t Bytes = 256 * 1024;
  for (lgc::ShaderStage stage : {lgc::ShaderStage::Geometry, lgc::ShaderStage::TessEval, lgc::ShaderStage::Vertex}) {
    const spirv::Reflection *last = shaders.reflection(stage);
    if (!last)
      continue;
    for (size_t number = 0; number < last->xfbStrides.size(); ++number) {
      if (last->xfbStrides[number] == 0)
        continue;
      scene.transformFeedbackBuffers.resize(number + 1, NoSceneBuffer);
      scene.transformFeedbackBuffers[number] = static_cast<uint32_t>(scene.buffers.size());
      scene.buffers.emplace_back(Bytes);
    }
    return;
  }
}

} // namespace

Result<Scene> makeScene(const ShaderSet &shaders, const PipelineState &state, const SceneOptions &options) {
  Scene scene;
  scene.seed = options.seed;
  scene.state = state;
  scene.width = options.width;
  scene.height = options.height;
  addShaders(shaders, scene);
  if (scene.isCompute())
    chooseWorkgroups(shaders, scene);
  IndexLimits limits = DOVETAIL_TRY(findIndexLimits(shaders));
  const WordUses words = DOVETAIL_TRY(findWordUses(shaders));
  DOVETAIL_CHECK(Resources(shaders, limits, words, scene).make());
  addTransformFeedback(shaders, scene);
  if (scene.isCompute())
    return scene;
  DOVETAIL_CHECK(chooseTargets(shaders, scene));
  chooseViewports(shaders, scene);
  if (options.randomFixedFunction)
    chooseFixedFunction(shaders, scene);
  DOVETAIL_CHECK(makeGeometry(shaders, limits, scene));
  return scene;
}

} // namespace dovetail
