// SPDX-License-Identifier: MIT
//
// Reflection reads declarations only: types are walked as instructions, and constants have their default values.
#include "src/spirv/reflect/reflection.h"
#include "src/base/enumerators.h"
#include "src/spirv/module/names.h"
#include "src/spirv/reflect/declarations.h"
#include "src/spirv/reflect/image_uses.h"
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/reflect/shader_uses.h"
#include "src/spirv/reflect/stage_modes.h"
#include "src/spirv/validate/validate.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

bool isAtomic(const Instruction &inst) {
  switch (inst.opcode) {
  case spv::Op::OpAtomicFMinEXT:
  case spv::Op::OpAtomicFMaxEXT:
  case spv::Op::OpAtomicFAddEXT:
    return true;
  default:
    return inst.opcode >= spv::Op::OpAtomicExchange && inst.opcode <= spv::Op::OpAtomicXor;
  }
}

class Reflector {
public:
  Reflector(const Module &module, const EntryPoint &entry, lgc::ShaderStage stage)
      : m_module(module), m_entry(entry), m_declarations(module), m_flow(module, entry.function),
        m_imageUses(findImageUses(m_flow)) {
    m_result.entryPoint = entry.name;
    m_result.stage = stage;
    if (stage == lgc::ShaderStage::Vertex)
      m_positionInputs = findPositionInputs(m_flow);
    m_result.interpolatesAt = module.hasCapability(spv::Capability::InterpolationFunction);
    if (stage == lgc::ShaderStage::TessControl || stage == lgc::ShaderStage::TessEval)
      m_result.patchVertices = findPatchVertices(m_flow);
    m_used = module.usedIds(entry);
    for (const Function *function : m_flow.functions())
      for (const Block &block : function->blocks)
        m_result.usesAtomics |= std::ranges::any_of(block.instructions, isAtomic);
  }

  Result<Reflection> run() {
    for (const Instruction &inst : m_module.globals) {
      if (inst.opcode == spv::Op::OpVariable && m_used[inst.result])
        DOVETAIL_CHECK(addVariable(inst));
      else if (inst.opcode == spv::Op::OpSpecConstant || inst.opcode == spv::Op::OpSpecConstantTrue ||
               inst.opcode == spv::Op::OpSpecConstantFalse)
        addSpecConstant(inst);
    }
    DOVETAIL_CHECK(addLocalSize());
    std::stable_sort(m_result.descriptors.begin(), m_result.descriptors.end(), [](const auto &a, const auto &b) {
      return std::pair(a.set, a.binding) < std::pair(b.set, b.binding);
    });
    DOVETAIL_CHECK(addStageModes());
    for (std::vector<InterfaceLocation> *list :
         {&m_result.vertexOutputs, &m_result.fragmentInputs, &m_result.inputs, &m_result.outputs})
      std::ranges::stable_sort(*list, {}, &InterfaceLocation::location);
    m_result.vertexInputs = merged(std::move(m_result.vertexInputs));
    m_result.fragmentOutputs = merged(std::move(m_result.fragmentOutputs));
    return std::move(m_result);
  }

private:
  Result<void> addVariable(const Instruction &inst) {
    auto storage = static_cast<spv::StorageClass>(inst.operand(0));
    uint32_t pointee = m_declarations.pointeeOf(inst);
    switch (storage) {
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::AtomicCounter:
      return addDescriptor(inst, storage, pointee);
    case spv::StorageClass::PushConstant: {
      uint64_t bytes = DOVETAIL_TRY(m_declarations.layoutSize(pointee, {}));
      if (bytes > m_result.pushConstantBytes) {
        m_result.pushConstantBytes = std::min<uint64_t>(bytes, UINT32_MAX);
        m_result.pushConstants = DOVETAIL_TRY(m_declarations.blockMembers(pointee));
      }
      return {};
    }
    case spv::StorageClass::Input:
    case spv::StorageClass::Output:
      return addInterface(inst, storage == spv::StorageClass::Output);
    default:
      return {};
    }
  }

  Result<void> addInterface(const Instruction &inst, bool isOutput) {
    bool isPerVertex = m_declarations.isPerVertex(inst, m_result.stage);
    std::optional<std::set<uint32_t>> members;
    if (isOutput && !isPerVertex)
      members = findAccessedMembers(m_flow, inst.result);
    std::vector<BuiltInVariable> builtIns = DOVETAIL_TRY(m_declarations.builtIns(inst, isPerVertex, members));
    m_result.builtIns.insert(m_result.builtIns.end(), builtIns.begin(), builtIns.end());
    std::vector<InterfaceLocation> *list = nullptr;
    if (m_result.stage == lgc::ShaderStage::Vertex)
      list = isOutput ? &m_result.vertexOutputs : &m_result.vertexInputs;
    else if (m_result.stage == lgc::ShaderStage::Fragment)
      list = isOutput ? &m_result.fragmentOutputs : &m_result.fragmentInputs;
    std::vector<InterfaceLocation> rows = DOVETAIL_TRY(m_declarations.locations(inst, isPerVertex));
    for (InterfaceLocation &row : rows)
      row.feedsPosition = m_positionInputs.contains(inst.result);
    std::ranges::copy(rows, std::back_inserter(isOutput ? m_result.outputs : m_result.inputs));
    if (list)
      std::ranges::move(rows, std::back_inserter(*list));
    if (isOutput)
      addCaptures(inst);
    return {};
  }

  Result<void> addDescriptor(const Instruction &inst, spv::StorageClass storage, uint32_t typeId) {
    // By Vulkan's rules, SPIRV-Tools demands both decorations. Not all modules are validated by these rules
    // (validate.cpp).
    const auto lacks = [&](spv::Decoration decoration) { return !m_declarations.decoration(inst.result, decoration); };
    if (m_module.environment == Environment::Vulkan &&
        (lacks(spv::Decoration::DescriptorSet) || lacks(spv::Decoration::Binding)))
      return makeError(ErrorCode::InvalidInput, "variable %{} at word {} has no DescriptorSet and Binding", inst.result,
                       inst.wordOffset);
    DescriptorBinding binding;
    const ResourcePlace place = m_declarations.resourcePlace(inst, m_result.stage);
    binding.set = place.set;
    binding.binding = place.binding;
    binding.declaredBinding = m_declarations.decoration(inst.result, spv::Decoration::Binding).value_or(0);
    const bool isInDefaultBlock = m_declarations.isInDefaultBlock(inst);
    if (storage == spv::StorageClass::AtomicCounter || isInDefaultBlock)
      DOVETAIL_CHECK(addToBuffer(inst, binding));
    if (storage == spv::StorageClass::AtomicCounter)
      return {};
    if (isInDefaultBlock || m_declarations.isUniformTexture(inst))
      return addTextures(inst, std::move(binding));
    uint64_t elements = 1;
    for (unsigned depth = 0; depth < MaxTypeDepth; ++depth) {
      const Instruction &array = m_declarations.global(typeId);
      if (array.opcode == spv::Op::OpTypeRuntimeArray)
        elements = 0;
      else if (array.opcode == spv::Op::OpTypeArray)
        elements = std::min<uint64_t>(elements * DOVETAIL_TRY(m_declarations.arrayLength(array)), UINT32_MAX);
      else
        break;
      typeId = array.operand(0);
    }
    binding.arraySize = elements;
    binding.name = m_declarations.nameOfId(inst.result);
    if (binding.name.empty() && m_declarations.global(typeId).opcode == spv::Op::OpTypeStruct)
      binding.name = m_declarations.nameOfId(typeId);
    return addResource(inst, {inst.result, {}}, typeId, std::move(binding));
  }

  // Textures and images with a location.
  Result<void> addTextures(const Instruction &inst, DescriptorBinding binding) {
    binding.set = uint32_t(OpenGlSet::Uniforms);
    std::vector<UniformTexture> textures = DOVETAIL_TRY(m_declarations.uniformTextures(inst));
    for (UniformTexture &texture : textures) {
      binding.binding = texture.location;
      binding.name = std::move(texture.name);
      uint64_t elements = 1;
      for (const ArrayDimension &array : texture.arrays)
        elements = std::min<uint64_t>(elements * array.count, UINT32_MAX);
      binding.arraySize = static_cast<uint32_t>(elements);
      binding.arrays = std::move(texture.arrays);
      DOVETAIL_CHECK(addResource(inst, {inst.result, std::move(texture.members)}, texture.type, binding));
    }
    return {};
  }

  // Adds a descriptor, or an array of them. `place`: in the variable; typeId: the type of an element.
  Result<void> addResource(const Instruction &inst, const ImagePlace &place, uint32_t typeId,
                           DescriptorBinding binding) {
    const Instruction &resource = m_declarations.global(typeId);
    binding.comparesDepth = m_imageUses.comparing.contains(place);
    binding.samplesIntegers = m_imageUses.integerSamplers.contains(place);
    switch (resource.opcode) {
    case spv::Op::OpTypeStruct: {
      binding.members = DOVETAIL_TRY(m_declarations.blockMembers(typeId));
      binding.blockBytes = std::min<uint64_t>(DOVETAIL_TRY(m_declarations.layoutSize(typeId, {})), UINT32_MAX);
      bool isStorage = static_cast<spv::StorageClass>(inst.operand(0)) == spv::StorageClass::StorageBuffer ||
                       findDecoration(m_module.decorations(typeId), spv::Decoration::BufferBlock);
      binding.kind = isStorage ? DescriptorKind::StorageBuffer : DescriptorKind::UniformBuffer;
      break;
    }
    case spv::Op::OpTypeSampler:
      binding.kind = DescriptorKind::Sampler;
      break;
    case spv::Op::OpTypeSampledImage: {
      binding.image = m_declarations.imageShape(resource.operand(0));
      binding.kind = binding.image.dimension == ImageDimension::Buffer ? DescriptorKind::UniformTexelBuffer
                                                                       : DescriptorKind::CombinedImageSampler;
      break;
    }
    case spv::Op::OpTypeImage: {
      binding.image = m_declarations.imageShape(typeId);
      bool isStorage = resource.operand(5) == 2;
      if (binding.image.dimension == ImageDimension::SubpassData)
        binding.kind = DescriptorKind::InputAttachment;
      else if (binding.image.dimension == ImageDimension::Buffer)
        binding.kind = isStorage ? DescriptorKind::StorageTexelBuffer : DescriptorKind::UniformTexelBuffer;
      else
        binding.kind = isStorage ? DescriptorKind::StorageImage : DescriptorKind::SampledImage;
      break;
    }
    default:
      return makeError(ErrorCode::Unsupported, "OpVariable at word {}: a resource of type {} is not supported",
                       inst.wordOffset, nameOf(resource.opcode));
    }
    // Two variables may share a binding (aliases); they get one row.
    for (DescriptorBinding &other : m_result.descriptors) {
      if (other.set != binding.set || other.binding != binding.binding)
        continue;
      const std::optional<DescriptorKind> common = commonKind(other.kind, binding.kind);
      if (!common)
        return makeError(ErrorCode::Unsupported,
                         "OpVariable at word {}: set {} binding {} is used as {} and as {}; descriptors of mutable "
                         "type are not supported",
                         inst.wordOffset, binding.set, binding.binding, toString(binding.kind), toString(other.kind));
      other.kind = *common;
      if (other.kind == DescriptorKind::CombinedImageSampler && binding.kind != DescriptorKind::Sampler)
        other.image = binding.image;
      other.comparesDepth |= binding.comparesDepth;
      other.samplesIntegers |= binding.samplesIntegers;
      if (binding.blockBytes > other.blockBytes) {
        other.blockBytes = binding.blockBytes;
        other.members = std::move(binding.members);
      }
      other.arraySize = other.arraySize && binding.arraySize ? std::max(other.arraySize, binding.arraySize) : 0;
      return {};
    }
    m_result.descriptors.push_back(std::move(binding));
    return {};
  }

  // Adds a variable that shares a buffer with others of its kind: a uniform of the default block, or an atomic counter.
  // A uniform may have only textures.
  Result<void> addToBuffer(const Instruction &inst, DescriptorBinding binding) {
    uint64_t end = 0;
    std::vector<BlockMember> members = DOVETAIL_TRY(m_declarations.variableMembers(inst, end));
    if (members.empty())
      return {};
    auto known = std::ranges::find_if(m_result.descriptors, [&](const DescriptorBinding &other) {
      return other.set == binding.set && other.binding == binding.binding;
    });
    if (known == m_result.descriptors.end()) {
      const bool isUniform = m_declarations.isInDefaultBlock(inst);
      binding.kind = isUniform ? DescriptorKind::UniformBuffer : DescriptorKind::StorageBuffer;
      known = m_result.descriptors.insert(known, std::move(binding));
    }
    known->blockBytes = std::max(known->blockBytes, static_cast<uint32_t>(std::min<uint64_t>(end, UINT32_MAX)));
    std::ranges::move(members, std::back_inserter(known->members));
    std::ranges::stable_sort(known->members, {}, &BlockMember::offset);
    return {};
  }

  // Makes one row for each location and index, with the components of all its variables.
  static std::vector<InterfaceLocation> merged(std::vector<InterfaceLocation> list) {
    std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
      return std::pair(a.location, a.index) < std::pair(b.location, b.index);
    });
    std::vector<InterfaceLocation> result;
    for (InterfaceLocation &place : list) {
      if (!result.empty() && result.back().location == place.location && result.back().index == place.index)
        result.back().componentMask |= place.componentMask, result.back().feedsPosition |= place.feedsPosition;
      else
        result.push_back(std::move(place));
    }
    return result;
  }

  void addSpecConstant(const Instruction &inst) {
    std::optional<uint32_t> specId = m_declarations.decoration(inst.result, spv::Decoration::SpecId);
    if (!specId)
      return;
    SpecConstantInfo info;
    info.id = *specId;
    info.name = m_declarations.nameOfId(inst.result);
    if (inst.opcode == spv::Op::OpSpecConstant) {
      const Instruction &type = m_declarations.global(inst.resultType);
      info.bits = type.operand(0);
      info.numericClass = numericClassOf(type);
      info.defaultValue = numberOf(inst, info.bits);
    } else {
      info.bits = 1;
      info.defaultValue = inst.opcode == spv::Op::OpSpecConstantTrue;
    }
    m_result.specConstants.push_back(std::move(info));
  }

  // Adds the buffers that a variable or a member of its block is captured to.
  void addCaptures(const Instruction &variable) {
    uint32_t typeId = m_declarations.pointeeOf(variable);
    uint32_t buffer = m_declarations.decoration(variable.result, spv::Decoration::XfbBuffer).value_or(0);
    uint32_t stride = m_declarations.decoration(variable.result, spv::Decoration::XfbStride).value_or(0);
    uint32_t stream = m_declarations.decoration(variable.result, spv::Decoration::Stream).value_or(0);
    auto add = [&](std::span<const DecorationInstance> decorations) {
      auto operandOf = [&](spv::Decoration kind, uint32_t inherited) {
        const DecorationInstance *found = findDecoration(decorations, kind);
        return found ? found->operands[0] : inherited;
      };
      uint32_t place = operandOf(spv::Decoration::XfbBuffer, buffer);
      if (!findDecoration(decorations, spv::Decoration::Offset) || place >= MaxXfbBuffers)
        return;
      m_result.xfbStrides[place] = operandOf(spv::Decoration::XfbStride, stride);
      m_result.xfbStreams[place] = operandOf(spv::Decoration::Stream, stream);
    };
    add(m_module.decorations(variable.result));
    while (m_declarations.global(typeId).opcode == spv::Op::OpTypeArray)
      typeId = m_declarations.global(typeId).operand(0);
    const Instruction &block = m_declarations.global(typeId);
    for (uint32_t i = 0; block.opcode == spv::Op::OpTypeStruct && i < block.operandCount(); ++i)
      add(m_module.memberDecorations(typeId, i));
  }

  Result<void> addStageModes() {
    lgc::ShaderModes modes;
    modes.stage = m_result.stage;
    for (const ExecutionMode &mode : m_module.executionModes)
      if (mode.function == m_entry.function)
        DOVETAIL_TRY(takeMode(mode, modes));
    m_result.tessellation = modes.tessellation;
    m_result.geometry = modes.geometry;
    if (!modes.transformFeedback)
      m_result.xfbStrides = m_result.xfbStreams = {};
    return {};
  }

  Result<void> addLocalSize() {
    if (m_result.stage != lgc::ShaderStage::Compute)
      return {};
    for (const ExecutionMode &mode : m_module.executionModes) {
      if (mode.function != m_entry.function ||
          (mode.mode != spv::ExecutionMode::LocalSize && mode.mode != spv::ExecutionMode::LocalSizeId))
        continue;
      for (unsigned i = 0; i < 3; ++i)
        m_result.localSize[i] = mode.isId ? DOVETAIL_TRY(m_declarations.constant(mode.operands[i])) : mode.operands[i];
    }
    for (const Instruction &inst : m_module.globals) {
      std::optional<uint32_t> builtIn = m_declarations.decoration(inst.result, spv::Decoration::BuiltIn);
      bool isComposite = inst.opcode == spv::Op::OpConstantComposite || inst.opcode == spv::Op::OpSpecConstantComposite;
      if (!builtIn || static_cast<spv::BuiltIn>(*builtIn) != spv::BuiltIn::WorkgroupSize || !isComposite)
        continue;
      for (unsigned i = 0; i < 3 && i < inst.operandCount(); ++i)
        m_result.localSize[i] = DOVETAIL_TRY(m_declarations.constant(inst.operand(i)));
    }
    return {};
  }

  const Module &m_module;
  const EntryPoint &m_entry;
  Declarations m_declarations;
  const ValueFlow m_flow;
  const ImageUses m_imageUses;
  std::unordered_set<uint32_t> m_positionInputs;
  std::vector<bool> m_used; // by id
  Reflection m_result;
};

} // namespace

std::string_view toString(DescriptorKind kind) {
  static constexpr std::string_view Names[] = {
      "uniform buffer",         "storage buffer",       "sampled image",        "storage image",    "sampler",
      "combined image sampler", "uniform texel buffer", "storage texel buffer", "input attachment",
  };
  static_assert(std::size(Names) == enumeratorCount<DescriptorKind>());
  return Names[size_t(kind)];
}

std::optional<DescriptorKind> commonKind(DescriptorKind one, DescriptorKind other) {
  if (one == other)
    return one;
  auto isHalf = [](DescriptorKind kind) {
    return kind == DescriptorKind::SampledImage || kind == DescriptorKind::Sampler ||
           kind == DescriptorKind::CombinedImageSampler;
  };
  return isHalf(one) && isHalf(other) ? std::optional(DescriptorKind::CombinedImageSampler) : std::nullopt;
}

static std::vector<EntryPointInfo> entryPointsOf(const Module &module) {
  std::vector<EntryPointInfo> result;
  for (const EntryPoint &entry : module.entryPoints) {
    if (std::optional<lgc::ShaderStage> stage = stageOf(entry.model))
      result.push_back({entry.name, *stage});
  }
  return result;
}

Result<std::vector<EntryPointInfo>> entryPoints(std::span<const uint32_t> words, Environment environment) {
  DOVETAIL_CHECK(validate(words, environment));
  return entryPointsOf(DOVETAIL_TRY(parseModule(words)));
}

Result<Reflection> reflect(std::span<const uint32_t> words, std::string_view entryPoint, lgc::ShaderStage stage,
                           Environment environment, ValidModuleStore *store) {
  DOVETAIL_CHECK(validate(words, environment, store));
  Module module = DOVETAIL_TRY(readModule(words, environment));
  const EntryPoint *entry = DOVETAIL_TRY(findEntryPoint(module, entryPoint, stage));
  Reflection reflection = DOVETAIL_TRY(Reflector(module, *entry, stage).run());
  reflection.entryPoints = entryPointsOf(module);
  return reflection;
}

} // namespace dovetail::spirv
