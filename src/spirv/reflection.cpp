// SPDX-License-Identifier: MIT
//
// Reflection reads declarations only: types are walked as instructions, and constants have their default values.
#include "src/spirv/reflection.h"
#include "src/spirv/module.h"
#include "src/spirv/names.h"
#include "src/spirv/translate.h"
#include "src/spirv/types.h"
#include <algorithm>
#include <bit>
#include <functional>

namespace dovetail::spirv {

namespace {

std::optional<lgc::ShaderStage> stageOf(spv::ExecutionModel model) {
  switch (model) {
  case spv::ExecutionModel::Vertex:
    return lgc::ShaderStage::Vertex;
  case spv::ExecutionModel::TessellationControl:
    return lgc::ShaderStage::TessControl;
  case spv::ExecutionModel::TessellationEvaluation:
    return lgc::ShaderStage::TessEval;
  case spv::ExecutionModel::Geometry:
    return lgc::ShaderStage::Geometry;
  case spv::ExecutionModel::Fragment:
    return lgc::ShaderStage::Fragment;
  case spv::ExecutionModel::GLCompute:
    return lgc::ShaderStage::Compute;
  default:
    return std::nullopt;
  }
}

class Reflector {
public:
  Reflector(const Module &module, const EntryPoint &entry, lgc::ShaderStage stage) : m_module(module), m_entry(entry) {
    m_result.entryPoint = entry.name;
    m_result.stage = stage;
    for (const Instruction &inst : module.globals) {
      if (inst.result)
        m_globals[inst.result] = &inst;
    }
    for (const Function *function : module.callTree(entry.function))
      m_used.insert(function->referencedIds.begin(), function->referencedIds.end());
  }

  Result<Reflection> run() {
    for (const Instruction &inst : m_module.globals) {
      if (inst.opcode == spv::Op::OpVariable && m_used.count(inst.result))
        DOVETAIL_CHECK(addVariable(inst));
      else if (inst.opcode == spv::Op::OpSpecConstant || inst.opcode == spv::Op::OpSpecConstantTrue ||
               inst.opcode == spv::Op::OpSpecConstantFalse)
        addSpecConstant(inst);
    }
    DOVETAIL_CHECK(addLocalSize());
    std::stable_sort(m_result.descriptors.begin(), m_result.descriptors.end(), [](const auto &a, const auto &b) {
      return std::pair(a.set, a.binding) < std::pair(b.set, b.binding);
    });
    m_result.vertexInputs = merged(std::move(m_result.vertexInputs));
    m_result.fragmentOutputs = merged(std::move(m_result.fragmentOutputs));
    return std::move(m_result);
  }

private:
  const Instruction &global(uint32_t id) const { return *m_globals.at(id); }

  std::string nameOfId(uint32_t id) const {
    auto found = m_module.names.find(id);
    return found == m_module.names.end() ? std::string() : found->second;
  }

  std::optional<uint32_t> decoration(uint32_t id, spv::Decoration kind) const {
    const DecorationInstance *found = findDecoration(m_module.decorations(id), kind);
    return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
  }

  // The default value of an integer constant.
  Result<uint64_t> constant(uint32_t id, unsigned depth = 0) const {
    auto found = m_globals.find(id);
    if (found == m_globals.end() || depth > MaxTypeDepth)
      return makeError(ErrorCode::Unsupported, "%{} is not a known integer constant", id);
    const Instruction &inst = *found->second;
    switch (inst.opcode) {
    case spv::Op::OpConstant:
    case spv::Op::OpSpecConstant:
      return inst.operandCount() > 1 ? uint64_t(inst.operand(1)) << 32 | inst.operand(0) : inst.operand(0);
    case spv::Op::OpConstantNull:
      return 0;
    case spv::Op::OpSpecConstantOp:
      break;
    default:
      return makeError(ErrorCode::Unsupported, "{} at word {} is not a known integer constant", nameOf(inst.opcode),
                       inst.wordOffset);
    }
    auto operation = static_cast<spv::Op>(inst.operand(0));
    uint64_t a = inst.operandCount() > 1 ? DOVETAIL_TRY(constant(inst.operand(1), depth + 1)) : 0;
    if (operation == spv::Op::OpUConvert || operation == spv::Op::OpSConvert)
      return a;
    uint64_t b = inst.operandCount() > 2 ? DOVETAIL_TRY(constant(inst.operand(2), depth + 1)) : 0;
    uint64_t value = 0;
    switch (operation) {
    case spv::Op::OpIAdd:
      value = a + b;
      break;
    case spv::Op::OpISub:
      value = a - b;
      break;
    case spv::Op::OpIMul:
      value = a * b;
      break;
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
      value = b ? a / b : 0;
      break;
    case spv::Op::OpUMod:
      value = b ? a % b : 0;
      break;
    case spv::Op::OpShiftLeftLogical:
      value = b < 64 ? a << b : 0;
      break;
    case spv::Op::OpShiftRightLogical:
      value = b < 64 ? a >> b : 0;
      break;
    default:
      return makeError(ErrorCode::Unsupported, "OpSpecConstantOp {} at word {} as a size is not supported",
                       nameOf(operation), inst.wordOffset);
    }
    return global(inst.resultType).operand(0) <= 32 ? value & 0xffffffff : value;
  }

  // Bytes from the start of a value to the end of its last member, explicitly laid out.
  Result<uint64_t> layoutSize(uint32_t typeId, MatrixLayout matrix, unsigned depth = 0) const {
    if (depth > MaxTypeDepth)
      return makeError(ErrorCode::Unsupported, "composites nested more than {} deep are not supported", MaxTypeDepth);
    const Instruction &inst = global(typeId);
    switch (inst.opcode) {
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return inst.operand(0) / 8;
    case spv::Op::OpTypeVector: {
      uint64_t element = DOVETAIL_TRY(layoutSize(inst.operand(0), {}, depth + 1));
      return element * inst.operand(1);
    }
    case spv::Op::OpTypeMatrix: {
      const Instruction &column = global(inst.operand(0));
      uint64_t element = DOVETAIL_TRY(layoutSize(column.operand(0), {}, depth + 1));
      uint64_t columns = inst.operand(1);
      uint64_t rows = column.operand(1);
      return matrix.rowMajor ? matrix.stride * (rows - 1) + element * columns
                             : matrix.stride * (columns - 1) + element * rows;
    }
    case spv::Op::OpTypeArray: {
      uint64_t length = DOVETAIL_TRY(constant(inst.operand(1)));
      uint64_t element = DOVETAIL_TRY(layoutSize(inst.operand(0), matrix, depth + 1));
      uint64_t stride = decoration(typeId, spv::Decoration::ArrayStride).value_or(0);
      return length == 0 ? 0 : stride * ((length & 0xffffffff) - 1) + element;
    }
    case spv::Op::OpTypeStruct: {
      uint64_t size = 0;
      for (uint32_t i = 0; i < inst.operandCount(); ++i) {
        MatrixLayout memberMatrix;
        uint64_t offset = 0;
        for (const DecorationInstance &decoration : m_module.memberDecorations(typeId, i)) {
          if (decoration.decoration == spv::Decoration::Offset)
            offset = decoration.operands[0];
          else if (decoration.decoration == spv::Decoration::MatrixStride)
            memberMatrix.stride = decoration.operands[0];
          else if (decoration.decoration == spv::Decoration::RowMajor)
            memberMatrix.rowMajor = true;
        }
        uint64_t member = DOVETAIL_TRY(layoutSize(inst.operand(i), memberMatrix, depth + 1));
        size = std::max(size, offset + member);
      }
      return size;
    }
    case spv::Op::OpTypePointer:
      return 8;
    default:
      return 0;
    }
  }

  Result<void> addVariable(const Instruction &inst) {
    auto storage = static_cast<spv::StorageClass>(inst.operand(0));
    uint32_t pointee = global(inst.resultType).operand(1);
    switch (storage) {
    case spv::StorageClass::UniformConstant:
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
      return addDescriptor(inst, storage, pointee);
    case spv::StorageClass::PushConstant: {
      uint64_t bytes = DOVETAIL_TRY(layoutSize(pointee, {}));
      m_result.pushConstantBytes =
          std::max<uint64_t>(m_result.pushConstantBytes, std::min<uint64_t>(bytes, UINT32_MAX));
      return {};
    }
    case spv::StorageClass::Input:
      if (m_result.stage == lgc::ShaderStage::Vertex)
        return addInterface(inst, pointee, m_result.vertexInputs);
      return {};
    case spv::StorageClass::Output:
      if (m_result.stage == lgc::ShaderStage::Fragment)
        return addInterface(inst, pointee, m_result.fragmentOutputs);
      return {};
    default:
      return {};
    }
  }

  Result<void> addDescriptor(const Instruction &inst, spv::StorageClass storage, uint32_t typeId) {
    DescriptorBinding binding;
    binding.set = decoration(inst.result, spv::Decoration::DescriptorSet).value_or(0);
    binding.binding = decoration(inst.result, spv::Decoration::Binding).value_or(0);
    uint64_t elements = 1;
    for (unsigned depth = 0; depth < MaxTypeDepth; ++depth) {
      const Instruction &array = global(typeId);
      if (array.opcode == spv::Op::OpTypeRuntimeArray)
        elements = 0;
      else if (array.opcode == spv::Op::OpTypeArray)
        elements = std::min<uint64_t>(elements * (DOVETAIL_TRY(constant(array.operand(1))) & 0xffffffff), UINT32_MAX);
      else
        break;
      typeId = array.operand(0);
    }
    binding.arraySize = elements;
    binding.name = nameOfId(inst.result);
    const Instruction &resource = global(typeId);
    if (binding.name.empty() && resource.opcode == spv::Op::OpTypeStruct)
      binding.name = nameOfId(typeId);
    switch (resource.opcode) {
    case spv::Op::OpTypeStruct: {
      bool isStorage = storage == spv::StorageClass::StorageBuffer ||
                       findDecoration(m_module.decorations(typeId), spv::Decoration::BufferBlock);
      binding.kind = isStorage ? DescriptorKind::StorageBuffer : DescriptorKind::UniformBuffer;
      break;
    }
    case spv::Op::OpTypeSampler:
      binding.kind = DescriptorKind::Sampler;
      break;
    case spv::Op::OpTypeSampledImage: {
      auto dim = static_cast<spv::Dim>(global(resource.operand(0)).operand(1));
      binding.kind =
          dim == spv::Dim::Buffer ? DescriptorKind::UniformTexelBuffer : DescriptorKind::CombinedImageSampler;
      break;
    }
    case spv::Op::OpTypeImage: {
      auto dim = static_cast<spv::Dim>(resource.operand(1));
      bool isStorage = resource.operand(5) == 2;
      if (dim == spv::Dim::SubpassData)
        binding.kind = DescriptorKind::InputAttachment;
      else if (dim == spv::Dim::Buffer)
        binding.kind = isStorage ? DescriptorKind::StorageTexelBuffer : DescriptorKind::UniformTexelBuffer;
      else
        binding.kind = isStorage ? DescriptorKind::StorageImage : DescriptorKind::SampledImage;
      break;
    }
    default:
      return makeError(ErrorCode::Unsupported, "OpVariable at word {}: a resource of type {} is not supported",
                       inst.wordOffset, nameOf(resource.opcode));
    }
    // Two variables may share a binding (aliases); one row serves both. An image and a sampler at one binding are a
    // combined one.
    for (DescriptorBinding &other : m_result.descriptors) {
      if (other.set != binding.set || other.binding != binding.binding)
        continue;
      auto isPair = [](DescriptorKind a, DescriptorKind b) {
        return a == DescriptorKind::SampledImage && b == DescriptorKind::Sampler;
      };
      if (isPair(other.kind, binding.kind) || isPair(binding.kind, other.kind))
        other.kind = DescriptorKind::CombinedImageSampler;
      other.arraySize = other.arraySize && binding.arraySize ? std::max(other.arraySize, binding.arraySize) : 0;
      return {};
    }
    m_result.descriptors.push_back(std::move(binding));
    return {};
  }

  // Walks down to vectors and scalars, one or two locations each.
  Result<void> addInterface(const Instruction &inst, uint32_t typeId, std::vector<InterfaceLocation> &list) const {
    if (decoration(inst.result, spv::Decoration::BuiltIn))
      return {};
    InterfaceLocation place;
    place.name = nameOfId(inst.result);
    place.index = decoration(inst.result, spv::Decoration::Index).value_or(0);
    std::optional<uint32_t> location = decoration(inst.result, spv::Decoration::Location);
    uint32_t next = location.value_or(0);
    uint32_t component = decoration(inst.result, spv::Decoration::Component).value_or(0);
    bool hasLocation = location.has_value();

    std::function<Result<void>(uint32_t, unsigned)> descend = [&](uint32_t id, unsigned depth) -> Result<void> {
      if (depth > MaxTypeDepth || list.size() > 4096)
        return makeError(ErrorCode::Unsupported, "OpVariable at word {}: an interface this large is not supported",
                         inst.wordOffset);
      const Instruction &type = global(id);
      switch (type.opcode) {
      case spv::Op::OpTypeStruct:
        for (uint32_t i = 0; i < type.operandCount(); ++i) {
          std::span<const DecorationInstance> decorations = m_module.memberDecorations(id, i);
          if (findDecoration(decorations, spv::Decoration::BuiltIn))
            continue;
          if (const DecorationInstance *own = findDecoration(decorations, spv::Decoration::Location)) {
            next = own->operands[0];
            hasLocation = true;
          }
          const DecorationInstance *ownComponent = findDecoration(decorations, spv::Decoration::Component);
          component = ownComponent ? ownComponent->operands[0] : 0;
          DOVETAIL_CHECK(descend(type.operand(i), depth + 1));
        }
        return {};
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeMatrix: {
        uint64_t count = type.operand(1);
        if (type.opcode == spv::Op::OpTypeArray)
          count = DOVETAIL_TRY(constant(type.operand(1))) & 0xffffffff;
        for (uint64_t i = 0; i < count; ++i)
          DOVETAIL_CHECK(descend(type.operand(0), depth + 1));
        return {};
      }
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat: {
        if (!hasLocation)
          return {};
        bool isVector = type.opcode == spv::Op::OpTypeVector;
        const Instruction &scalar = isVector ? global(type.operand(0)) : type;
        bool isFloat = scalar.opcode == spv::Op::OpTypeFloat;
        place.numericClass = isFloat                  ? NumericClass::Float
                             : scalar.operand(1) != 0 ? NumericClass::Sint
                                                      : NumericClass::Uint;
        place.elementBits = scalar.operand(0);
        uint32_t dwords = (isVector ? type.operand(1) : 1) * (place.elementBits == 64 ? 2 : 1);
        uint32_t mask = ((1u << dwords) - 1) << component;
        for (; mask; mask >>= 4) {
          place.location = next++;
          place.componentMask = mask & 0xf;
          list.push_back(place);
        }
        return {};
      }
      default:
        return {};
      }
    };
    return descend(typeId, 0);
  }

  // One row for each location and index: components of several variables are joined.
  static std::vector<InterfaceLocation> merged(std::vector<InterfaceLocation> list) {
    std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
      return std::pair(a.location, a.index) < std::pair(b.location, b.index);
    });
    std::vector<InterfaceLocation> result;
    for (InterfaceLocation &place : list) {
      if (!result.empty() && result.back().location == place.location && result.back().index == place.index)
        result.back().componentMask |= place.componentMask;
      else
        result.push_back(std::move(place));
    }
    return result;
  }

  void addSpecConstant(const Instruction &inst) {
    std::optional<uint32_t> specId = decoration(inst.result, spv::Decoration::SpecId);
    if (!specId)
      return;
    SpecConstantInfo info;
    info.id = *specId;
    info.name = nameOfId(inst.result);
    if (inst.opcode == spv::Op::OpSpecConstant) {
      info.bits = global(inst.resultType).operand(0);
      info.defaultValue = inst.operand(0);
      if (inst.operandCount() > 1)
        info.defaultValue |= uint64_t(inst.operand(1)) << 32;
    } else {
      info.bits = 1;
      info.defaultValue = inst.opcode == spv::Op::OpSpecConstantTrue;
    }
    m_result.specConstants.push_back(std::move(info));
  }

  Result<void> addLocalSize() {
    if (m_result.stage != lgc::ShaderStage::Compute)
      return {};
    for (const ExecutionMode &mode : m_module.executionModes) {
      if (mode.function != m_entry.function ||
          (mode.mode != spv::ExecutionMode::LocalSize && mode.mode != spv::ExecutionMode::LocalSizeId))
        continue;
      for (unsigned i = 0; i < 3; ++i)
        m_result.localSize[i] = mode.isId ? DOVETAIL_TRY(constant(mode.operands[i])) : mode.operands[i];
    }
    for (const Instruction &inst : m_module.globals) {
      std::optional<uint32_t> builtIn = decoration(inst.result, spv::Decoration::BuiltIn);
      bool isComposite = inst.opcode == spv::Op::OpConstantComposite || inst.opcode == spv::Op::OpSpecConstantComposite;
      if (!builtIn || static_cast<spv::BuiltIn>(*builtIn) != spv::BuiltIn::WorkgroupSize || !isComposite)
        continue;
      for (unsigned i = 0; i < 3 && i < inst.operandCount(); ++i)
        m_result.localSize[i] = DOVETAIL_TRY(constant(inst.operand(i)));
    }
    return {};
  }

  const Module &m_module;
  const EntryPoint &m_entry;
  std::unordered_map<uint32_t, const Instruction *> m_globals;
  std::unordered_set<uint32_t> m_used;
  Reflection m_result;
};

} // namespace

Result<std::vector<EntryPointInfo>> entryPoints(std::span<const uint32_t> words) {
  DOVETAIL_CHECK(validate(words));
  Module module = DOVETAIL_TRY(parseModule(words));
  std::vector<EntryPointInfo> result;
  for (const EntryPoint &entry : module.entryPoints) {
    if (std::optional<lgc::ShaderStage> stage = stageOf(entry.model))
      result.push_back({entry.name, *stage});
  }
  return result;
}

Result<Reflection> reflect(std::span<const uint32_t> words, std::string_view entryPoint, lgc::ShaderStage stage) {
  DOVETAIL_CHECK(validate(words));
  Module module = DOVETAIL_TRY(parseModule(words));
  for (const EntryPoint &entry : module.entryPoints) {
    if (entry.name == entryPoint && stageOf(entry.model) == stage)
      return Reflector(module, entry, stage).run();
  }
  return makeError(ErrorCode::InvalidInput, "the module has no entry point \"{}\" of the wanted stage", entryPoint);
}

} // namespace dovetail::spirv
