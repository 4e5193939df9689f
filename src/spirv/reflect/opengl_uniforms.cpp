// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/opengl_uniforms.h"
#include "src/spirv/module/names.h"
#include "src/spirv/reflect/declarations.h"
#include <algorithm>

namespace dovetail::spirv {

namespace {

uint64_t roundUp(uint64_t value, uint64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Adds the decorations that give types and variables their places.
class Layout {
public:
  explicit Layout(Module &module) : m_module(module), m_declarations(module) {}

  Result<void> run() {
    std::vector<const Instruction *> uniforms;
    for (const Instruction &inst : m_module.globals) {
      if (inst.opcode != spv::Op::OpVariable)
        continue;
      DOVETAIL_CHECK(checkVariable(inst));
      if (m_declarations.isInDefaultBlock(inst))
        uniforms.push_back(&inst);
      else if (static_cast<spv::StorageClass>(inst.operand(0)) == spv::StorageClass::AtomicCounter)
        DOVETAIL_TRY(extentOf(m_declarations.pointeeOf(inst), 0));
    }
    std::ranges::stable_sort(uniforms, {}, [&](const Instruction *inst) { return locationOf(*inst); });
    uint64_t end = 0;
    const Instruction *before = nullptr;
    uint64_t offset = 0;
    for (const Instruction *inst : uniforms) {
      const Extent extent = DOVETAIL_TRY(extentOf(m_declarations.pointeeOf(*inst), 0));
      // Entry points that share a location share the uniform.
      if (!before || locationOf(*before) != locationOf(*inst))
        offset = roundUp(end, extent.alignment);
      end = std::max(end, offset + extent.bytes);
      if (end > UINT32_MAX)
        return makeError(ErrorCode::Unsupported, "OpVariable at word {}: uniforms of 4 GiB are not supported",
                         inst->wordOffset);
      m_module.decorate(inst->result, spv::Decoration::Offset, static_cast<uint32_t>(offset));
      if (uint32_t stride = matrixStride(m_declarations.pointeeOf(*inst)))
        m_module.decorate(inst->result, spv::Decoration::MatrixStride, stride);
      before = inst;
    }
    return {};
  }

private:
  struct Extent {
    uint64_t bytes = 0, alignment = 1;
  };

  uint32_t locationOf(const Instruction &variable) const {
    return m_declarations.decoration(variable.result, spv::Decoration::Location).value_or(0);
  }

  tl::unexpected<Error> refuse(const Instruction &inst, std::string_view reason) const {
    return makeError(ErrorCode::InvalidInput, "{} at word {}: {}", nameOf(inst.opcode), inst.wordOffset, reason);
  }

  // Checks the rules of GL_ARB_gl_spirv that SPIRV-Tools does not check.
  Result<void> checkVariable(const Instruction &inst) const {
    auto has = [&](spv::Decoration decoration) {
      return m_declarations.decoration(inst.result, decoration).has_value();
    };
    switch (static_cast<spv::StorageClass>(inst.operand(0))) {
    case spv::StorageClass::PushConstant:
      return refuse(inst, "OpenGL has no push constants");
    case spv::StorageClass::AtomicCounter:
      if (!has(spv::Decoration::Binding) || !has(spv::Decoration::Offset))
        return refuse(inst, "an atomic counter needs a Binding and an Offset");
      return {};
    case spv::StorageClass::UniformConstant:
      if (m_declarations.isInDefaultBlock(inst) && !has(spv::Decoration::Location))
        return refuse(inst, "a uniform outside of a block needs a Location");
      return checkOpaque(inst, m_declarations.elementType(m_declarations.pointeeOf(inst)));
    case spv::StorageClass::Input: {
      const auto builtIn = m_declarations.decoration(inst.result, spv::Decoration::BuiltIn);
      for (spv::BuiltIn vulkan : {spv::BuiltIn::VertexIndex, spv::BuiltIn::InstanceIndex})
        if (builtIn == static_cast<uint32_t>(vulkan))
          return refuse(inst, fmt::format("OpenGL has no {}", nameOf(vulkan)));
      return {};
    }
    default:
      return {};
    }
  }

  // Checks a variable's texture or image; for a structure's member, `inst` is its type.
  Result<void> checkOpaque(const Instruction &inst, const Instruction &type) const {
    if (type.opcode == spv::Op::OpTypeSampler)
      return refuse(inst, "OpenGL has no samplers without textures");
    if (type.opcode == spv::Op::OpTypeImage && static_cast<spv::Dim>(type.operand(1)) == spv::Dim::SubpassData)
      return refuse(inst, "OpenGL has no input attachments");
    return {};
  }

  // The stride of a matrix, or of arrays of matrices; otherwise 0.
  uint32_t matrixStride(uint32_t typeId) const {
    const Instruction &type = m_declarations.elementType(typeId);
    if (type.opcode != spv::Op::OpTypeMatrix)
      return 0;
    auto column = m_extents.find(type.operand(0));
    return static_cast<uint32_t>(roundUp(column->second.bytes, column->second.alignment));
  }

  Result<Extent> extentOf(uint32_t typeId, unsigned depth) {
    if (auto known = m_extents.find(typeId); known != m_extents.end())
      return known->second;
    const Extent extent = DOVETAIL_TRY(layOut(typeId, depth));
    if (extent.bytes > UINT32_MAX)
      return makeError(ErrorCode::Unsupported, "%{}: uniforms of 4 GiB are not supported", typeId);
    return m_extents[typeId] = extent;
  }

  Result<Extent> layOut(uint32_t typeId, unsigned depth) {
    if (depth > MaxTypeDepth)
      return makeError(ErrorCode::Unsupported, "composites nested more than {} deep are not supported", MaxTypeDepth);
    const Instruction &type = m_declarations.global(typeId);
    switch (type.opcode) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return Extent{type.operand(0) / 8, type.operand(0) / 8};
    case spv::Op::OpTypeVector: {
      const Extent element = DOVETAIL_TRY(extentOf(type.operand(0), depth + 1));
      const uint32_t count = type.operand(1);
      return Extent{element.bytes * count, element.bytes * (count == 3 ? 4 : count)};
    }
    case spv::Op::OpTypeMatrix: {
      const Extent column = DOVETAIL_TRY(extentOf(type.operand(0), depth + 1));
      return Extent{roundUp(column.bytes, column.alignment) * type.operand(1), column.alignment};
    }
    case spv::Op::OpTypeArray: {
      const Extent element = DOVETAIL_TRY(extentOf(type.operand(0), depth + 1));
      const uint64_t count = DOVETAIL_TRY(m_declarations.arrayLength(type));
      std::optional<uint32_t> stride = m_declarations.decoration(typeId, spv::Decoration::ArrayStride);
      if (!stride) {
        stride = static_cast<uint32_t>(roundUp(element.bytes, element.alignment));
        m_module.decorate(typeId, spv::Decoration::ArrayStride, *stride);
      }
      return Extent{count * *stride, element.alignment};
    }
    case spv::Op::OpTypeStruct:
      return layOutStruct(type, depth);
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
      // Textures of a structure take no place in the block.
      DOVETAIL_CHECK(checkOpaque(type, type));
      return Extent();
    default:
      return refuse(type, "a uniform of this type has no place in the default block");
    }
  }

  Result<Extent> layOutStruct(const Instruction &type, unsigned depth) {
    Extent whole;
    for (uint32_t i = 0; i < type.operandCount(); ++i) {
      const Extent member = DOVETAIL_TRY(extentOf(type.operand(i), depth + 1));
      auto literal = [&](spv::Decoration decoration) {
        const DecorationInstance *found = findDecoration(m_module.memberDecorations(type.result, i), decoration);
        return found ? std::optional(found->operands[0]) : std::nullopt;
      };
      uint64_t offset = roundUp(whole.bytes, member.alignment);
      if (std::optional<uint32_t> own = literal(spv::Decoration::Offset))
        offset = *own;
      else if (offset <= UINT32_MAX)
        m_module.decorateMember(type.result, i, spv::Decoration::Offset, static_cast<uint32_t>(offset));
      if (uint32_t stride = matrixStride(type.operand(i)); stride && !literal(spv::Decoration::MatrixStride))
        m_module.decorateMember(type.result, i, spv::Decoration::MatrixStride, stride);
      whole.bytes = std::max(whole.bytes, offset + member.bytes);
      whole.alignment = std::max(whole.alignment, member.alignment);
    }
    whole.bytes = roundUp(whole.bytes, whole.alignment);
    return whole;
  }

  Module &m_module;
  const Declarations m_declarations;
  std::unordered_map<uint32_t, Extent> m_extents; // by type id
};

} // namespace

bool Declarations::isInDefaultBlock(const Instruction &variable) const {
  return m_module.environment == Environment::OpenGl &&
         static_cast<spv::StorageClass>(variable.operand(0)) == spv::StorageClass::UniformConstant &&
         !isOpaque(elementType(pointeeOf(variable)));
}

ResourcePlace Declarations::resourcePlace(const Instruction &variable, lgc::ShaderStage stage) const {
  const uint32_t binding = decoration(variable.result, spv::Decoration::Binding).value_or(0);
  if (m_module.environment != Environment::OpenGl)
    return {decoration(variable.result, spv::Decoration::DescriptorSet).value_or(0), binding};
  auto in = [](OpenGlSet set, uint32_t number) { return ResourcePlace{static_cast<uint32_t>(set), number}; };
  const Instruction &type = elementType(pointeeOf(variable));
  switch (static_cast<spv::StorageClass>(variable.operand(0))) {
  case spv::StorageClass::StorageBuffer:
    return in(OpenGlSet::StorageBuffers, binding);
  case spv::StorageClass::AtomicCounter:
    return in(OpenGlSet::AtomicCounters, binding);
  case spv::StorageClass::Uniform: {
    const bool isStorage = findDecoration(m_module.decorations(type.result), spv::Decoration::BufferBlock);
    return in(isStorage ? OpenGlSet::StorageBuffers : OpenGlSet::UniformBuffers, binding);
  }
  default:
    break;
  }
  if (isInDefaultBlock(variable))
    return in(OpenGlSet::DefaultBlock, static_cast<uint32_t>(stage));
  if (isUniformTexture(variable))
    return in(OpenGlSet::Uniforms, *decoration(variable.result, spv::Decoration::Location));
  constexpr uint32_t usedWithSampler = 1;
  const bool isTexture = type.opcode == spv::Op::OpTypeSampledImage || type.operand(5) == usedWithSampler;
  return in(isTexture ? OpenGlSet::Textures : OpenGlSet::Images, binding);
}

Result<uint32_t> Declarations::uniformLocations(uint32_t typeId, unsigned depth) const {
  if (depth > MaxTypeDepth)
    return makeError(ErrorCode::Unsupported, "composites nested more than {} deep are not supported", MaxTypeDepth);
  const Instruction &type = global(typeId);
  if (type.opcode == spv::Op::OpTypeStruct)
    return locationsInFrontOf(typeId, static_cast<uint32_t>(type.operandCount()), depth);
  uint64_t locations = 1;
  if (type.opcode == spv::Op::OpTypeArray) {
    locations = DOVETAIL_TRY(arrayLength(type));
    locations *= DOVETAIL_TRY(uniformLocations(type.operand(0), depth + 1));
  }
  return static_cast<uint32_t>(std::min<uint64_t>(locations, UINT32_MAX));
}

Result<uint32_t> Declarations::locationsInFrontOf(uint32_t structId, uint32_t member, unsigned depth) const {
  uint64_t locations = 0;
  for (uint32_t i = 0; i < member; ++i)
    locations += DOVETAIL_TRY(uniformLocations(global(structId).operand(i), depth + 1));
  return static_cast<uint32_t>(std::min<uint64_t>(locations, UINT32_MAX));
}

Result<Module> readModule(std::span<const uint32_t> words, Environment environment) {
  Module module = DOVETAIL_TRY(parseModule(words));
  module.environment = environment;
  if (environment == Environment::OpenGl)
    DOVETAIL_CHECK(Layout(module).run());
  return module;
}

} // namespace dovetail::spirv
