// SPDX-License-Identifier: MIT
//
// Each uniform outside of a block and each atomic counter becomes a block of one member at its offset. Blocks of one
// buffer share a binding. Access chains into such a variable get a first index 0.
#include "tools/proof/reference/adapt/adapt_opengl.h"
#include "tools/proof/reference/adapt/lift_textures.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <spirv/unified1/GLSL.std.450.h>

namespace dovetail {

namespace {

using spv::Op;

// The stage's number in the order of the pipeline.
uint32_t stageNumber(VkShaderStageFlagBits stage) {
  return stage == VK_SHADER_STAGE_COMPUTE_BIT ? 5 : static_cast<uint32_t>(std::countr_zero(uint32_t(stage)));
}

enum Set : uint32_t { UniformBuffers, StorageBuffers, Textures, Images, AtomicCounters, DefaultBlock, Uniforms };

class OpenGlModule : SpirvEditor {
public:
  OpenGlModule(std::span<const uint32_t> words, VkShaderStageFlagBits stage, uint32_t height)
      : SpirvEditor(words), m_stage(stage) {
    for (const Instruction &inst : instructions())
      m_isLowerLeft |= inst.opcode == Op::OpExecutionMode && inst.is(1, spv::ExecutionMode::OriginLowerLeft);
    layOut();
    declareExtension("SPV_KHR_storage_buffer_storage_class");
    writeDecorations();
    writeGlobals(static_cast<float>(height));
  }

  Words run() {
    return rewrite([&](Instruction inst) { translate(std::move(inst)); });
  }

private:
  // A variable that becomes the member of a block.
  struct Buried {
    uint32_t type = 0, offset = 0;
    bool isCounter = false;
    uint32_t block = 0; // the id of the block's type
  };

  static uint32_t storageOf(const Buried &buried) {
    return uint32_t(buried.isCounter ? spv::StorageClass::StorageBuffer : spv::StorageClass::Uniform);
  }

  struct Extent {
    uint64_t bytes = 0, alignment = 1;
  };

  const Instruction &elementType(uint32_t id) const {
    const Instruction &type = definition(id);
    return type.opcode == Op::OpTypeArray || type.opcode == Op::OpTypeRuntimeArray ? elementType(type.operands[0])
                                                                                   : type;
  }

  static bool isOpaque(const Instruction &type) {
    return type.opcode == Op::OpTypeImage || type.opcode == Op::OpTypeSampledImage || type.opcode == Op::OpTypeSampler;
  }

  bool isRect(uint32_t typeId) const {
    const Instruction *image = imageOf(typeId);
    return image && image->is(1, spv::Dim::Rect);
  }

  // ---- Layout ----

  void layOut() {
    std::vector<const Instruction *> uniforms;
    for (const Instruction &inst : instructions())
      if (inst.opcode == Op::OpVariable)
        place(inst, uniforms);
    std::ranges::stable_sort(
        uniforms, {}, [&](const Instruction *inst) { return decoration(inst->result, spv::Decoration::Location); });
    uint64_t end = 0;
    for (const Instruction *inst : uniforms) {
      const Extent extent = measure(pointee(inst->type));
      const uint64_t offset = rounded(end, extent.alignment);
      m_buried[inst->result] = {pointee(inst->type), static_cast<uint32_t>(offset), false};
      end = offset + extent.bytes;
    }
  }

  void place(const Instruction &variable, std::vector<const Instruction *> &uniforms) {
    const uint32_t id = variable.result, pointeeId = pointee(variable.type);
    const Instruction &type = elementType(pointeeId);
    const uint32_t binding = decoration(id, spv::Decoration::Binding).value_or(0);
    if (variable.is(0, spv::StorageClass::AtomicCounter)) {
      m_buried[id] = {pointeeId, decoration(id, spv::Decoration::Offset).value_or(0), true};
      m_places[id] = {AtomicCounters, binding};
      measure(pointeeId);
    } else if (variable.is(0, spv::StorageClass::StorageBuffer) ||
               decoration(type.result, spv::Decoration::BufferBlock)) {
      m_places[id] = {StorageBuffers, binding};
    } else if (variable.is(0, spv::StorageClass::Uniform)) {
      m_places[id] = {UniformBuffers, binding};
    } else if (variable.is(0, spv::StorageClass::UniformConstant) && isOpaque(type)) {
      constexpr size_t Sampled = 5;
      const Instruction *image = imageOf(type.result);
      m_places[id] = {image && image->is(Sampled, 2) ? Images : Textures, binding};
      if (auto location = decoration(id, spv::Decoration::Location))
        m_places[id] = {Uniforms, *location};
    } else if (variable.is(0, spv::StorageClass::UniformConstant)) {
      m_places[id] = {DefaultBlock, stageNumber(m_stage)};
      uniforms.push_back(&variable);
    }
  }

  static uint64_t rounded(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

  // Follows std430; notes strides and offsets.
  Extent measure(uint32_t id) {
    if (auto known = m_extents.find(id); known != m_extents.end())
      return known->second;
    const Instruction &type = definition(id);
    Extent extent;
    switch (type.opcode) {
    case Op::OpTypeVector: {
      const uint64_t scalar = measure(type.operands[0]).bytes, count = type.operands[1];
      extent = {scalar * count, scalar * (count == 3 ? 4 : count)};
      break;
    }
    case Op::OpTypeMatrix: {
      const Extent column = measure(type.operands[0]);
      extent = {rounded(column.bytes, column.alignment) * type.operands[1], column.alignment};
      m_strides[id] = static_cast<uint32_t>(rounded(column.bytes, column.alignment));
      break;
    }
    case Op::OpTypeArray: {
      const Extent element = measure(type.operands[0]);
      const uint64_t stride = rounded(element.bytes, element.alignment);
      extent = {stride * valueOf(type.operands[1]).value_or(0), element.alignment};
      if (!decoration(id, spv::Decoration::ArrayStride))
        m_strides[id] = static_cast<uint32_t>(stride);
      break;
    }
    case Op::OpTypeStruct:
      for (uint32_t member : type.operands) {
        const Extent part = measure(member);
        extent.bytes = rounded(extent.bytes, part.alignment);
        m_offsets[id].push_back(static_cast<uint32_t>(extent.bytes));
        extent.bytes += part.bytes;
        extent.alignment = std::max(extent.alignment, part.alignment);
      }
      extent.bytes = rounded(extent.bytes, extent.alignment);
      break;
    default: {
      const uint64_t bytes = type.operands.empty() ? 4 : type.operands[0] / 8;
      extent = {bytes, bytes};
      break;
    }
    }
    return m_extents[id] = extent;
  }

  // ---- Declarations ----

  void writeDecorations() {
    for (const auto &[id, place] : m_places) {
      decorate(id, spv::Decoration::DescriptorSet, {place.first});
      decorate(id, spv::Decoration::Binding, {place.second});
    }
    for (const auto &[id, offsets] : m_offsets)
      for (uint32_t i = 0; i < offsets.size() && !hasMemberDecorations(id); ++i)
        writeMember(id, i, definition(id).operands[i], offsets[i]);
    for (const auto &[id, stride] : m_strides)
      if (definition(id).opcode == Op::OpTypeArray)
        decorate(id, spv::Decoration::ArrayStride, {stride});
    for (auto &[id, buried] : m_buried) {
      buried.block = freshId();
      decorate(buried.block, spv::Decoration::Block);
      writeMember(buried.block, 0, buried.type, buried.offset);
    }
  }

  bool hasMemberDecorations(uint32_t structure) const {
    return std::ranges::any_of(instructions(), [&](const Instruction &inst) {
      return inst.opcode == Op::OpMemberDecorate && inst.is(0, structure);
    });
  }

  void writeMember(uint32_t block, uint32_t member, uint32_t type, uint32_t offset) {
    auto decorateMember = [&](spv::Decoration kind, std::initializer_list<uint32_t> literals) {
      Instruction inst = {Op::OpMemberDecorate, 0, 0, {block, member, uint32_t(kind)}};
      inst.operands.insert(inst.operands.end(), literals);
      add(Section::Annotation, inst);
    };
    decorateMember(spv::Decoration::Offset, {offset});
    const Instruction &element = elementType(type);
    if (element.opcode != Op::OpTypeMatrix)
      return;
    decorateMember(spv::Decoration::ColMajor, {});
    decorateMember(spv::Decoration::MatrixStride, {m_strides.at(element.result)});
  }

  void writeGlobals(float height) {
    m_int = declareType(Op::OpTypeInt, {32, 1});
    m_float = declareType(Op::OpTypeFloat, {32});
    m_pair = declareType(Op::OpTypeVector, {m_float, 2});
    m_intPair = declareType(Op::OpTypeVector, {m_int, 2});
    m_zero = declareConstant(m_int, {0});
    m_height = declareFloat(height);
    m_zeroFloat = declareFloat(0);
    m_one = declareFloat(1);
    for (const auto &[id, buried] : m_buried) {
      const uint32_t pointer = freshId();
      add(Section::Global, {Op::OpTypeStruct, 0, buried.block, {buried.type}});
      add(Section::Global, {Op::OpTypePointer, 0, pointer, {storageOf(buried), buried.block}});
      add(Section::Global, {Op::OpVariable, pointer, id, {storageOf(buried)}});
    }
    // Types of pointers to whole variables, for instructions that need one.
    for (const auto &[id, buried] : m_buried)
      if (uint32_t &pointer = m_pointers[{buried.type, storageOf(buried)}]; pointer == 0)
        add(Section::Global, {Op::OpTypePointer, 0, pointer = freshId(), {storageOf(buried), buried.type}});
  }

  // ---- Instructions ----

  // Writes what stands in the instruction's place.
  void translate(Instruction inst) {
    switch (inst.opcode) {
    case Op::OpCapability:
      if (inst.is(0, spv::Capability::AtomicStorage) || inst.is(0, spv::Capability::AtomicStorageOps))
        return;
      if (inst.is(0, spv::Capability::SampledRect) || inst.is(0, spv::Capability::ImageRect))
        inst.operands[0] = uint32_t(spv::Capability::ImageQuery);
      break;
    case Op::OpExtension:
      // The only extension that Vulkan lacks.
      if (inst.operands == packString("SPV_KHR_shader_atomic_counter_ops"))
        return;
      break;
    case Op::OpExecutionMode:
      if (inst.is(1, spv::ExecutionMode::OriginLowerLeft))
        inst.operands[1] = uint32_t(spv::ExecutionMode::OriginUpperLeft);
      break;
    case Op::OpDecorate:
      if (m_places.contains(inst.operands[0]) &&
          (inst.is(1, spv::Decoration::DescriptorSet) || inst.is(1, spv::Decoration::Binding) ||
           inst.is(1, spv::Decoration::Location) || inst.is(1, spv::Decoration::Offset)))
        return;
      if (inst.is(1, spv::Decoration::BuiltIn) && inst.is(2, spv::BuiltIn::VertexId))
        inst.operands[2] = uint32_t(spv::BuiltIn::VertexIndex);
      break;
    case Op::OpTypeImage:
      if (inst.is(1, spv::Dim::Rect))
        inst.operands[1] = uint32_t(spv::Dim::Dim2D);
      break;
    case Op::OpTypePointer:
      if (inst.is(0, spv::StorageClass::AtomicCounter))
        inst.operands[0] = uint32_t(spv::StorageClass::StorageBuffer);
      else if (inst.is(0, spv::StorageClass::UniformConstant) && !isOpaque(elementType(inst.operands[1])))
        inst.operands[0] = uint32_t(spv::StorageClass::Uniform);
      break;
    case Op::OpVariable:
      if (m_buried.contains(inst.result))
        return;
      break;
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
      if (m_buried.contains(inst.operands[0]))
        inst.operands.insert(inst.operands.begin() + 1, m_zero);
      break;
    case Op::OpFunctionCall:
      for (uint32_t &argument : std::span(inst.operands).subspan(1))
        argument = pointerTo(argument);
      break;
    case Op::OpLoad:
      return translateLoad(inst);
    case Op::OpDPdy:
    case Op::OpDPdyFine:
    case Op::OpDPdyCoarse:
      if (m_isLowerLeft)
        return emit({Op::OpFNegate, inst.type, inst.result, {emit(inst.opcode, inst.type, inst.operands)}});
      break;
    case Op::OpExtInst:
      if (m_isLowerLeft && inst.is(1, GLSLstd450InterpolateAtOffset)) {
        const uint32_t offset = freshId();
        mirror(typeOf(inst.operands[3]), offset, inst.operands[3], m_zeroFloat);
        inst.operands[3] = offset;
      }
      break;
    case Op::OpImageQuerySize:
      // A 2D image's size is that of a level.
      if (isRect(typeOf(inst.operands[0]))) {
        inst.opcode = Op::OpImageQuerySizeLod;
        inst.operands.push_back(m_zero);
      }
      break;
    case Op::OpAtomicStore:
      inst.operands[0] = pointerTo(inst.operands[0]);
      break;
    default:
      if (inst.opcode >= Op::OpAtomicLoad && inst.opcode <= Op::OpAtomicXor)
        inst.operands[0] = pointerTo(inst.operands[0]);
      if (inst.opcode >= Op::OpImageSampleImplicitLod && inst.opcode <= Op::OpImageDrefGather &&
          inst.opcode != Op::OpImageFetch && isRect(typeOf(inst.operands[0])))
        scaleCoordinates(inst);
    }
    emit(inst);
  }

  // A pointer to the variable itself, which may be in a block now.
  uint32_t pointerTo(uint32_t id) {
    auto buried = m_buried.find(id);
    if (buried == m_buried.end())
      return id;
    return emit(Op::OpAccessChain, m_pointers.at({buried->second.type, storageOf(buried->second)}), {id, m_zero});
  }

  void translateLoad(Instruction inst) {
    const uint32_t result = inst.result;
    const Instruction &pointer = definition(inst.operands[0]);
    if (const uint32_t height = mirrorOf(pointer.result)) {
      mirror(inst.type, result, emit(inst.opcode, inst.type, inst.operands), height);
    } else if (const uint32_t heightOfY = mirrorOfY(pointer)) {
      emit({Op::OpFSub, m_float, result, {heightOfY, emit(inst.opcode, inst.type, inst.operands)}});
    } else {
      inst.operands[0] = pointerTo(inst.operands[0]);
      emit(inst);
    }
  }

  // The value from which a variable's y is subtracted; 0: y stays.
  uint32_t mirrorOf(uint32_t variable) const {
    const std::optional<uint32_t> builtIn = decoration(variable, spv::Decoration::BuiltIn);
    if (!m_isLowerLeft)
      return 0;
    return builtIn == uint32_t(spv::BuiltIn::FragCoord)        ? m_height
           : builtIn == uint32_t(spv::BuiltIn::SamplePosition) ? m_one
                                                               : 0;
  }

  // The same for a pointer to y alone.
  uint32_t mirrorOfY(const Instruction &pointer) const {
    const bool isY = pointer.isAccessChain() && pointer.operands.size() == 2 && valueOf(pointer.operands[1]) == 1u;
    return isY ? mirrorOf(pointer.operands[0]) : 0;
  }

  // Replaces the vector's y by height - y.
  void mirror(uint32_t type, uint32_t result, uint32_t vector, uint32_t height) {
    const uint32_t y = emit(Op::OpCompositeExtract, m_float, {vector, 1});
    const uint32_t mirrored = emit(Op::OpFSub, m_float, {height, y});
    emit({Op::OpCompositeInsert, type, result, {mirrored, vector, 1}});
  }

  // Divides coordinates in texels by the size, and gradients, too.
  void scaleCoordinates(Instruction &inst) {
    const uint32_t image = emit(Op::OpImage, definition(typeOf(inst.operands[0])).operands[0], {inst.operands[0]});
    const uint32_t whole = emit(Op::OpImageQuerySizeLod, m_intPair, {image, m_zero});
    const uint32_t size = emit(Op::OpConvertSToF, m_pair, {whole});
    // Extract, divide and insert the first two components; the others stay.
    uint32_t &coordinate = inst.operands[1];
    const uint32_t type = typeOf(coordinate);
    for (uint32_t component = 0; component < 2; ++component) {
      const uint32_t texels = emit(Op::OpCompositeExtract, m_float, {coordinate, component});
      const uint32_t length = emit(Op::OpCompositeExtract, m_float, {size, component});
      const uint32_t quotient = emit(Op::OpFDiv, m_float, {texels, length});
      coordinate = emit(Op::OpCompositeInsert, type, {quotient, coordinate, component});
    }
    if (auto gradients = gradientsOf(inst))
      for (size_t operand : {*gradients, *gradients + 1})
        inst.operands[operand] = emit(Op::OpFDiv, m_pair, {inst.operands[operand], size});
  }

  // The operand that is the first of two gradients.
  static std::optional<size_t> gradientsOf(const Instruction &inst) {
    const bool isDref =
        inst.opcode == Op::OpImageSampleDrefExplicitLod || inst.opcode == Op::OpImageSampleProjDrefExplicitLod;
    const bool isExplicit =
        isDref || inst.opcode == Op::OpImageSampleExplicitLod || inst.opcode == Op::OpImageSampleProjExplicitLod;
    const size_t mask = isDref ? 3 : 2;
    if (!isExplicit || inst.operands.size() <= mask || !(inst.operands[mask] & uint32_t(spv::ImageOperandsMask::Grad)))
      return std::nullopt;
    return mask + 1;
  }

  const VkShaderStageFlagBits m_stage;
  std::map<uint32_t, Extent> m_extents;
  std::map<uint32_t, uint32_t> m_strides;
  std::map<uint32_t, std::vector<uint32_t>> m_offsets;
  std::map<uint32_t, Buried> m_buried;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_places;   // set, binding
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_pointers; // by type and storage class
  uint32_t m_int = 0, m_float = 0, m_pair = 0, m_intPair = 0, m_zero = 0, m_height = 0, m_zeroFloat = 0, m_one = 0;
  bool m_isLowerLeft = false;
};

} // namespace

std::vector<uint32_t> fromOpenGl(const std::vector<uint32_t> &words, VkShaderStageFlagBits stage, uint32_t height) {
  if (words.size() < SpirvHeaderWords)
    return words;
  return OpenGlModule(withTexturesLifted(words), stage, height).run();
}

} // namespace dovetail
