// SPDX-License-Identifier: MIT
//
// Each uniform outside of a block and each atomic counter becomes a block of one member at its offset. Blocks of one
// buffer share a binding. Access chains into such a variable get a first index 0.
#define SPV_ENABLE_UTILITY_CODE // declares spv::HasResultAndType()
#include "tools/proof/reference/adapt/adapt_opengl.h"
#include "tools/proof/reference/adapt/lift_textures.h"
#include "tools/proof/spirv/spirv_words.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>
#include <spirv/unified1/GLSL.std.450.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace dovetail {

namespace {

using Words = std::vector<uint32_t>;
using Instruction = SpirvInstruction;

// The stage's number in the order of the pipeline.
uint32_t stageNumber(VkShaderStageFlagBits stage) {
  return stage == VK_SHADER_STAGE_COMPUTE_BIT ? 5 : static_cast<uint32_t>(std::countr_zero(uint32_t(stage)));
}

enum Set : uint32_t { UniformBuffers, StorageBuffers, Textures, Images, AtomicCounters, DefaultBlock, Uniforms };

class OpenGlModule {
public:
  OpenGlModule(const Words &words, VkShaderStageFlagBits stage, uint32_t height)
      : m_words(words), m_stage(stage), m_height(static_cast<float>(height)), m_bound(words[SpirvBoundWord]) {
    eachInstruction(words, [&](Instruction inst) { index(inst); });
    layOut();
  }

  Words run() {
    m_out.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    eachInstruction(m_words, [&](Instruction inst) { translate(inst); });
    m_out[SpirvBoundWord] = m_bound;
    return std::move(m_out);
  }

private:
  // A variable that becomes the member of a block.
  struct Buried {
    uint32_t type = 0, offset = 0;
    bool isCounter = false;
  };

  static uint32_t storageOf(const Buried &buried) {
    return uint32_t(buried.isCounter ? spv::StorageClass::StorageBuffer : spv::StorageClass::Uniform);
  }

  struct Extent {
    uint64_t bytes = 0, alignment = 1;
  };

  std::optional<uint32_t> literal(uint32_t id, spv::Decoration decoration) const {
    auto found = m_decorations.find({id, uint32_t(decoration)});
    return found == m_decorations.end() ? std::nullopt : std::optional(found->second);
  }

  void index(Instruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpDecorate:
      m_decorations[{inst[1], inst[2]}] = inst.size() > 3 ? inst[3] : 0;
      return;
    case spv::Op::OpMemberDecorate:
      m_memberDecorated.insert(inst[1]);
      return;
    case spv::Op::OpExecutionMode:
      m_isLowerLeft |= static_cast<spv::ExecutionMode>(inst[2]) == spv::ExecutionMode::OriginLowerLeft;
      return;
    case spv::Op::OpConstant:
      m_constants[inst[2]] = inst[3];
      return;
    case spv::Op::OpVariable:
      m_variables.push_back(inst);
      return;
    default:
      break;
    }
    const uint32_t opcode = inst[0] & 0xffff;
    if (opcode >= uint32_t(spv::Op::OpTypeVoid) && opcode <= uint32_t(spv::Op::OpTypePointer))
      m_types[inst[1]] = inst;
  }

  Instruction elementType(uint32_t id) const {
    Instruction type = m_types.at(id);
    while (opcodeOf(type) == spv::Op::OpTypeArray || opcodeOf(type) == spv::Op::OpTypeRuntimeArray)
      type = m_types.at(type[2]);
    return type;
  }

  static bool isOpaque(Instruction type) {
    return opcodeOf(type) == spv::Op::OpTypeImage || opcodeOf(type) == spv::Op::OpTypeSampledImage ||
           opcodeOf(type) == spv::Op::OpTypeSampler;
  }

  uint32_t imageDim(Instruction type) const {
    return (opcodeOf(type) == spv::Op::OpTypeSampledImage ? m_types.at(type[2]) : type)[3];
  }

  bool isRect(uint32_t typeId) const {
    auto type = m_types.find(typeId);
    return type != m_types.end() &&
           (opcodeOf(type->second) == spv::Op::OpTypeImage || opcodeOf(type->second) == spv::Op::OpTypeSampledImage) &&
           static_cast<spv::Dim>(imageDim(type->second)) == spv::Dim::Rect;
  }

  // ---- Layout ----

  void layOut() {
    std::vector<Instruction> uniforms;
    for (Instruction inst : m_variables) {
      const uint32_t id = inst[2], pointee = m_types.at(inst[1])[3];
      const auto storage = static_cast<spv::StorageClass>(inst[3]);
      const Instruction type = elementType(pointee);
      const uint32_t binding = literal(id, spv::Decoration::Binding).value_or(0);
      if (storage == spv::StorageClass::AtomicCounter) {
        m_buried[id] = {pointee, literal(id, spv::Decoration::Offset).value_or(0), true};
        m_places[id] = {AtomicCounters, binding};
        measure(pointee);
      } else if (storage == spv::StorageClass::StorageBuffer || literal(type[1], spv::Decoration::BufferBlock)) {
        m_places[id] = {StorageBuffers, binding};
      } else if (storage == spv::StorageClass::Uniform) {
        m_places[id] = {UniformBuffers, binding};
      } else if (storage == spv::StorageClass::UniformConstant && isOpaque(type)) {
        const Instruction image = opcodeOf(type) == spv::Op::OpTypeImage ? type : m_types.at(type[2]);
        m_places[id] = {image[7] == 2 ? Images : Textures, binding};
        if (auto location = literal(id, spv::Decoration::Location))
          m_places[id] = {Uniforms, *location};
      } else if (storage == spv::StorageClass::UniformConstant) {
        m_places[id] = {DefaultBlock, stageNumber(m_stage)};
        uniforms.push_back(inst);
      }
    }
    std::ranges::stable_sort(uniforms, {},
                             [&](Instruction inst) { return literal(inst[2], spv::Decoration::Location); });
    uint64_t end = 0;
    for (Instruction inst : uniforms) {
      const uint32_t pointee = m_types.at(inst[1])[3];
      const Extent extent = measure(pointee);
      const uint64_t offset = (end + extent.alignment - 1) / extent.alignment * extent.alignment;
      m_buried[inst[2]] = {pointee, static_cast<uint32_t>(offset), false};
      end = offset + extent.bytes;
    }
  }

  // Follows std430; notes strides and offsets.
  Extent measure(uint32_t id) {
    if (auto known = m_extents.find(id); known != m_extents.end())
      return known->second;
    auto rounded = [](uint64_t value, uint64_t to) { return (value + to - 1) / to * to; };
    const Instruction type = m_types.at(id);
    Extent extent;
    switch (opcodeOf(type)) {
    case spv::Op::OpTypeVector: {
      const uint64_t scalar = measure(type[2]).bytes;
      extent = {scalar * type[3], scalar * (type[3] == 3 ? 4 : type[3])};
      break;
    }
    case spv::Op::OpTypeMatrix: {
      const Extent column = measure(type[2]);
      extent = {rounded(column.bytes, column.alignment) * type[3], column.alignment};
      m_strides[id] = static_cast<uint32_t>(rounded(column.bytes, column.alignment));
      break;
    }
    case spv::Op::OpTypeArray: {
      const Extent element = measure(type[2]);
      const uint64_t stride = rounded(element.bytes, element.alignment);
      extent = {stride * m_constants[type[3]], element.alignment};
      if (!literal(id, spv::Decoration::ArrayStride))
        m_strides[id] = static_cast<uint32_t>(stride);
      break;
    }
    case spv::Op::OpTypeStruct:
      for (uint32_t member : type.subspan(2)) {
        const Extent part = measure(member);
        extent.bytes = rounded(extent.bytes, part.alignment);
        m_offsets[id].push_back(static_cast<uint32_t>(extent.bytes));
        extent.bytes += part.bytes;
        extent.alignment = std::max(extent.alignment, part.alignment);
      }
      extent.bytes = rounded(extent.bytes, extent.alignment);
      break;
    default:
      extent = {type.size() > 2 ? type[2] / 8 : 4, type.size() > 2 ? type[2] / 8 : 4};
      break;
    }
    return m_extents[id] = extent;
  }

  // ---- Writing ----

  void emit(spv::Op opcode, std::initializer_list<uint32_t> operands) { appendInstruction(m_out, opcode, operands); }
  void copy(Instruction inst) { m_out.insert(m_out.end(), inst.begin(), inst.end()); }
  void decorate(uint32_t id, spv::Decoration decoration, uint32_t value) {
    emit(spv::Op::OpDecorate, {id, uint32_t(decoration), value});
  }

  void writeDecorations() {
    for (const auto &[id, place] : m_places) {
      decorate(id, spv::Decoration::DescriptorSet, place.first);
      decorate(id, spv::Decoration::Binding, place.second);
    }
    for (const auto &[id, offsets] : m_offsets)
      for (uint32_t i = 0; i < offsets.size() && !m_memberDecorated.contains(id); ++i)
        writeMember(id, i, m_types.at(id)[2 + i], offsets[i]);
    for (const auto &[id, stride] : m_strides)
      if (opcodeOf(m_types.at(id)) == spv::Op::OpTypeArray)
        decorate(id, spv::Decoration::ArrayStride, stride);
    for (auto &[id, buried] : m_buried) {
      const uint32_t block = m_blocks[id] = m_bound++;
      emit(spv::Op::OpDecorate, {block, uint32_t(spv::Decoration::Block)});
      writeMember(block, 0, buried.type, buried.offset);
    }
  }

  void writeMember(uint32_t block, uint32_t member, uint32_t type, uint32_t offset) {
    emit(spv::Op::OpMemberDecorate, {block, member, uint32_t(spv::Decoration::Offset), offset});
    const Instruction element = elementType(type);
    if (opcodeOf(element) != spv::Op::OpTypeMatrix)
      return;
    emit(spv::Op::OpMemberDecorate, {block, member, uint32_t(spv::Decoration::ColMajor)});
    emit(spv::Op::OpMemberDecorate, {block, member, uint32_t(spv::Decoration::MatrixStride), m_strides.at(element[1])});
  }

  // The id of the type, which the module may have already.
  uint32_t typeOf(spv::Op opcode, std::initializer_list<uint32_t> operands) {
    for (const auto &[id, type] : m_types)
      if (opcodeOf(type) == opcode && std::ranges::equal(type.subspan(2), operands))
        return id;
    const uint32_t id = m_bound++;
    m_out.push_back(static_cast<uint32_t>(operands.size() + 2) << 16 | uint32_t(opcode));
    m_out.push_back(id);
    m_out.insert(m_out.end(), operands);
    return id;
  }

  void writeGlobals() {
    m_int = typeOf(spv::Op::OpTypeInt, {32, 1});
    m_float = typeOf(spv::Op::OpTypeFloat, {32});
    m_pair = typeOf(spv::Op::OpTypeVector, {m_float, 2});
    m_intPair = typeOf(spv::Op::OpTypeVector, {m_int, 2});
    emit(spv::Op::OpConstant, {m_int, m_zero = m_bound++, 0});
    auto number = [&](float value) {
      emit(spv::Op::OpConstant, {m_float, m_bound, std::bit_cast<uint32_t>(value)});
      return m_bound++;
    };
    m_heightId = number(m_height);
    m_zeroFloat = number(0);
    m_one = number(1);
    for (const auto &[id, buried] : m_buried) {
      const uint32_t block = m_blocks.at(id), pointer = m_bound++;
      emit(spv::Op::OpTypeStruct, {block, buried.type});
      emit(spv::Op::OpTypePointer, {pointer, storageOf(buried), block});
      emit(spv::Op::OpVariable, {pointer, id, storageOf(buried)});
    }
    // Types of pointers to whole variables, for instructions that need one.
    for (const auto &[id, buried] : m_buried) {
      uint32_t &pointer = m_pointers[{buried.type, storageOf(buried)}];
      if (pointer == 0)
        emit(spv::Op::OpTypePointer, {pointer = m_bound++, storageOf(buried), buried.type});
    }
  }

  uint32_t pointerTo(uint32_t id) {
    auto buried = m_buried.find(id);
    if (buried == m_buried.end())
      return id;
    const uint32_t pointer = m_bound++;
    emit(spv::Op::OpAccessChain,
         {m_pointers.at({buried->second.type, storageOf(buried->second)}), pointer, id, m_zero});
    return pointer;
  }

  void translate(Instruction inst) {
    const spv::Op opcode = opcodeOf(inst);
    bool hasResult = false, hasType = false;
    spv::HasResultAndType(opcode, &hasResult, &hasType);
    if (hasResult && hasType)
      m_resultTypes[inst[2]] = inst[1];
    if (!m_hasDecorations && isBehindDecorations(opcode)) {
      m_hasDecorations = true;
      writeDecorations();
    }
    if (!m_isInFunctions && opcode == spv::Op::OpFunction) {
      m_isInFunctions = true;
      writeGlobals();
    }
    if (!m_hasExtension && (opcode == spv::Op::OpExtInstImport || opcode == spv::Op::OpMemoryModel)) {
      m_hasExtension = true;
      writeExtension("SPV_KHR_storage_buffer_storage_class");
    }
    Words changed(inst.begin(), inst.end());
    switch (opcode) {
    case spv::Op::OpCapability:
      return translateCapability(inst);
    case spv::Op::OpExtension:
      // "SPV_KHR_shader_atomic_counter_ops" is the only extension that Vulkan lacks.
      if (std::string_view(reinterpret_cast<const char *>(&inst[1])) == "SPV_KHR_shader_atomic_counter_ops")
        return;
      break;
    case spv::Op::OpExecutionMode:
      if (static_cast<spv::ExecutionMode>(inst[2]) == spv::ExecutionMode::OriginLowerLeft)
        changed[2] = uint32_t(spv::ExecutionMode::OriginUpperLeft);
      break;
    case spv::Op::OpDecorate:
      if (!translateDecoration(changed))
        return;
      break;
    case spv::Op::OpTypeImage:
      if (static_cast<spv::Dim>(inst[3]) == spv::Dim::Rect)
        changed[3] = uint32_t(spv::Dim::Dim2D);
      break;
    case spv::Op::OpTypePointer: {
      const auto storage = static_cast<spv::StorageClass>(inst[2]);
      if (storage == spv::StorageClass::AtomicCounter)
        changed[2] = uint32_t(spv::StorageClass::StorageBuffer);
      else if (storage == spv::StorageClass::UniformConstant && !isOpaque(elementType(inst[3])))
        changed[2] = uint32_t(spv::StorageClass::Uniform);
      break;
    }
    case spv::Op::OpVariable:
      if (m_buried.contains(inst[2]))
        return;
      break;
    default:
      if (m_isInFunctions)
        return translateInBody(std::move(changed));
    }
    copy(changed);
  }

  void writeExtension(std::string_view name) {
    const size_t words = name.size() / 4 + 2, begin = m_out.size();
    m_out.resize(begin + words);
    m_out[begin] = static_cast<uint32_t>(words) << 16 | uint32_t(spv::Op::OpExtension);
    std::memcpy(&m_out[begin + 1], name.data(), name.size());
  }

  // Whether types, constants or variables begin here.
  static bool isBehindDecorations(spv::Op opcode) {
    return (opcode >= spv::Op::OpTypeVoid && opcode <= spv::Op::OpTypeForwardPointer) ||
           (opcode >= spv::Op::OpUndef && opcode < spv::Op::OpSourceContinued) || opcode == spv::Op::OpFunction;
  }

  void translateCapability(Instruction inst) {
    switch (static_cast<spv::Capability>(inst[1])) {
    case spv::Capability::AtomicStorage:
    case spv::Capability::AtomicStorageOps:
      return;
    case spv::Capability::SampledRect:
    case spv::Capability::ImageRect:
      return emit(spv::Op::OpCapability, {uint32_t(spv::Capability::ImageQuery)});
    default:
      return copy(inst);
    }
  }

  // False: drop the decoration.
  bool translateDecoration(Words &inst) {
    const auto decoration = static_cast<spv::Decoration>(inst[2]);
    if (m_places.contains(inst[1]) &&
        (decoration == spv::Decoration::DescriptorSet || decoration == spv::Decoration::Binding ||
         decoration == spv::Decoration::Location || decoration == spv::Decoration::Offset))
      return false;
    if (decoration != spv::Decoration::BuiltIn)
      return true;
    if (static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::VertexId)
      inst[3] = uint32_t(spv::BuiltIn::VertexIndex);
    if (static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::FragCoord)
      m_mirrored[inst[1]] = &m_heightId;
    if (static_cast<spv::BuiltIn>(inst[3]) == spv::BuiltIn::SamplePosition)
      m_mirrored[inst[1]] = &m_one;
    return true;
  }

  void translateInBody(Words inst) {
    const spv::Op opcode = opcodeOf(inst);
    switch (opcode) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (m_buried.contains(inst[3])) {
        inst.insert(inst.begin() + 4, m_zero);
        inst[0] += 1 << 16;
      } else if (m_mirrored.contains(inst[3]) && inst.size() == 5 && m_constants.contains(inst[4]) &&
                 m_constants.at(inst[4]) == 1) {
        m_mirroredYs[inst[2]] = m_mirrored.at(inst[3]);
      }
      return copy(inst);
    case spv::Op::OpFunctionCall:
      for (size_t i = 4; i < inst.size(); ++i)
        inst[i] = pointerTo(inst[i]);
      return copy(inst);
    case spv::Op::OpLoad:
      return translateLoad(std::move(inst));
    case spv::Op::OpDPdy:
    case spv::Op::OpDPdyFine:
    case spv::Op::OpDPdyCoarse:
      if (m_isLowerLeft) {
        const uint32_t result = inst[2];
        inst[2] = m_bound++;
        copy(inst);
        return emit(spv::Op::OpFNegate, {inst[1], result, inst[2]});
      }
      return copy(inst);
    case spv::Op::OpExtInst:
      if (m_isLowerLeft && inst[4] == GLSLstd450InterpolateAtOffset) {
        const uint32_t offset = m_bound++;
        mirror(m_resultTypes.at(inst[6]), offset, inst[6], m_zeroFloat);
        inst[6] = offset;
      }
      return copy(inst);
    case spv::Op::OpSampledImage:
    case spv::Op::OpImage:
      if (isRect(inst[1]))
        m_rects.insert(inst[2]);
      return copy(inst);
    case spv::Op::OpImageQuerySize:
      // A 2D image's size is that of a level.
      if (m_rects.contains(inst[3]))
        return emit(spv::Op::OpImageQuerySizeLod, {inst[1], inst[2], inst[3], m_zero});
      return copy(inst);
    default:
      break;
    }
    if (opcode >= spv::Op::OpImageSampleImplicitLod && opcode <= spv::Op::OpImageDrefGather &&
        opcode != spv::Op::OpImageFetch && m_rects.contains(inst[3]))
      return translateSample(std::move(inst));
    if (opcode >= spv::Op::OpAtomicLoad && opcode <= spv::Op::OpAtomicXor) {
      const size_t pointer = opcode == spv::Op::OpAtomicStore ? 1 : 3;
      inst[pointer] = pointerTo(inst[pointer]);
    }
    copy(inst);
  }

  void translateLoad(Words inst) {
    if (isRect(inst[1]))
      m_rects.insert(inst[2]);
    const uint32_t result = inst[2];
    if (auto height = m_mirroredYs.find(inst[3]); m_isLowerLeft && height != m_mirroredYs.end()) {
      inst[2] = m_bound++;
      copy(inst);
      return emit(spv::Op::OpFSub, {m_float, result, *height->second, inst[2]});
    }
    if (auto height = m_mirrored.find(inst[3]); m_isLowerLeft && height != m_mirrored.end()) {
      inst[2] = m_bound++;
      copy(inst);
      return mirror(inst[1], result, inst[2], *height->second);
    }
    inst[3] = pointerTo(inst[3]);
    copy(inst);
  }

  // Replaces the vector's y by height - y.
  void mirror(uint32_t type, uint32_t result, uint32_t vector, uint32_t height) {
    const uint32_t y = m_bound++, mirrored = m_bound++;
    emit(spv::Op::OpCompositeExtract, {m_float, y, vector, 1});
    emit(spv::Op::OpFSub, {m_float, mirrored, height, y});
    emit(spv::Op::OpCompositeInsert, {type, result, mirrored, vector, 1});
  }

  // Divides coordinates in texels by the size, and gradients, too.
  void translateSample(Words inst) {
    constexpr size_t Coordinate = 4;
    const uint32_t alone = m_bound++, whole = m_bound++, size = m_bound++;
    emit(spv::Op::OpImage, {imageTypeOf(inst[3]), alone, inst[3]});
    emit(spv::Op::OpImageQuerySizeLod, {m_intPair, whole, alone, m_zero});
    emit(spv::Op::OpConvertSToF, {m_pair, size, whole});
    // Extract, divide and insert the first two components; the others stay.
    uint32_t coordinate = inst[Coordinate];
    const uint32_t type = m_resultTypes.contains(coordinate) ? m_resultTypes.at(coordinate) : m_pair;
    for (uint32_t component = 0; component < 2; ++component) {
      const uint32_t texels = m_bound++, length = m_bound++, quotient = m_bound++, inserted = m_bound++;
      emit(spv::Op::OpCompositeExtract, {m_float, texels, coordinate, component});
      emit(spv::Op::OpCompositeExtract, {m_float, length, size, component});
      emit(spv::Op::OpFDiv, {m_float, quotient, texels, length});
      emit(spv::Op::OpCompositeInsert, {type, inserted, quotient, coordinate, component});
      coordinate = inserted;
    }
    inst[Coordinate] = coordinate;
    if (auto gradients = gradientWord(inst))
      for (size_t word : {*gradients, *gradients + 1}) {
        const uint32_t scaled = m_bound++;
        emit(spv::Op::OpFDiv, {m_pair, scaled, inst[word], size});
        inst[word] = scaled;
      }
    copy(inst);
  }

  static std::optional<size_t> gradientWord(const Words &inst) {
    const spv::Op opcode = opcodeOf(inst);
    const bool isDref =
        opcode == spv::Op::OpImageSampleDrefExplicitLod || opcode == spv::Op::OpImageSampleProjDrefExplicitLod;
    const bool isExplicit =
        isDref || opcode == spv::Op::OpImageSampleExplicitLod || opcode == spv::Op::OpImageSampleProjExplicitLod;
    const size_t mask = isDref ? 6 : 5;
    if (!isExplicit || inst.size() <= mask || !(inst[mask] & uint32_t(spv::ImageOperandsMask::Grad)))
      return std::nullopt;
    return mask + 1;
  }

  uint32_t imageTypeOf(uint32_t sampledImage) const { return m_types.at(m_resultTypes.at(sampledImage))[2]; }

  const Words &m_words;
  const VkShaderStageFlagBits m_stage;
  const float m_height;
  uint32_t m_bound;
  Words m_out;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_decorations;
  std::unordered_set<uint32_t> m_memberDecorated;
  std::unordered_map<uint32_t, uint32_t> m_constants;
  std::map<uint32_t, Instruction> m_types;
  std::vector<Instruction> m_variables;
  std::unordered_map<uint32_t, Extent> m_extents;
  std::map<uint32_t, uint32_t> m_strides;
  std::map<uint32_t, std::vector<uint32_t>> m_offsets;
  std::map<uint32_t, Buried> m_buried;
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> m_places; // set, binding
  std::unordered_map<uint32_t, uint32_t> m_blocks, m_resultTypes;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> m_pointers; // by type and storage class
  std::unordered_map<uint32_t, const uint32_t *> m_mirrored,
      m_mirroredYs; // variables and pointers, with the value from which y is subtracted
  std::unordered_set<uint32_t> m_rects;
  uint32_t m_int = 0, m_float = 0, m_pair = 0, m_intPair = 0, m_zero = 0, m_heightId = 0, m_zeroFloat = 0, m_one = 0;
  bool m_isLowerLeft = false, m_hasExtension = false, m_hasDecorations = false, m_isInFunctions = false;
};

} // namespace

std::vector<uint32_t> fromOpenGl(const std::vector<uint32_t> &words, VkShaderStageFlagBits stage, uint32_t height) {
  if (words.size() < SpirvHeaderWords)
    return words;
  const Words lifted = withTexturesLifted(words);
  return OpenGlModule(lifted, stage, height).run();
}

} // namespace dovetail
