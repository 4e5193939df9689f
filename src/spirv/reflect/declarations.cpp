// SPDX-License-Identifier: MIT
#include "src/spirv/reflect/declarations.h"
#include "src/base/enumerators.h"
#include "src/spirv/module/names.h"
#include <algorithm>
#include <bit>

namespace dovetail::spirv {

namespace {

uint64_t saturatingSum(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

// The Vulkan specification's table of compatible formats.
struct FormatRow {
  spv::ImageFormat spirv;
  VkFormat vulkan;
};
constexpr FormatRow Formats[] = {
    {spv::ImageFormat::Rgba32f, VK_FORMAT_R32G32B32A32_SFLOAT},
    {spv::ImageFormat::Rgba16f, VK_FORMAT_R16G16B16A16_SFLOAT},
    {spv::ImageFormat::R32f, VK_FORMAT_R32_SFLOAT},
    {spv::ImageFormat::Rgba8, VK_FORMAT_R8G8B8A8_UNORM},
    {spv::ImageFormat::Rgba8Snorm, VK_FORMAT_R8G8B8A8_SNORM},
    {spv::ImageFormat::Rg32f, VK_FORMAT_R32G32_SFLOAT},
    {spv::ImageFormat::Rg16f, VK_FORMAT_R16G16_SFLOAT},
    {spv::ImageFormat::R11fG11fB10f, VK_FORMAT_B10G11R11_UFLOAT_PACK32},
    {spv::ImageFormat::R16f, VK_FORMAT_R16_SFLOAT},
    {spv::ImageFormat::Rgba16, VK_FORMAT_R16G16B16A16_UNORM},
    {spv::ImageFormat::Rgb10A2, VK_FORMAT_A2B10G10R10_UNORM_PACK32},
    {spv::ImageFormat::Rg16, VK_FORMAT_R16G16_UNORM},
    {spv::ImageFormat::Rg8, VK_FORMAT_R8G8_UNORM},
    {spv::ImageFormat::R16, VK_FORMAT_R16_UNORM},
    {spv::ImageFormat::R8, VK_FORMAT_R8_UNORM},
    {spv::ImageFormat::Rgba16Snorm, VK_FORMAT_R16G16B16A16_SNORM},
    {spv::ImageFormat::Rg16Snorm, VK_FORMAT_R16G16_SNORM},
    {spv::ImageFormat::Rg8Snorm, VK_FORMAT_R8G8_SNORM},
    {spv::ImageFormat::R16Snorm, VK_FORMAT_R16_SNORM},
    {spv::ImageFormat::R8Snorm, VK_FORMAT_R8_SNORM},
    {spv::ImageFormat::Rgba32i, VK_FORMAT_R32G32B32A32_SINT},
    {spv::ImageFormat::Rgba16i, VK_FORMAT_R16G16B16A16_SINT},
    {spv::ImageFormat::Rgba8i, VK_FORMAT_R8G8B8A8_SINT},
    {spv::ImageFormat::R32i, VK_FORMAT_R32_SINT},
    {spv::ImageFormat::Rg32i, VK_FORMAT_R32G32_SINT},
    {spv::ImageFormat::Rg16i, VK_FORMAT_R16G16_SINT},
    {spv::ImageFormat::Rg8i, VK_FORMAT_R8G8_SINT},
    {spv::ImageFormat::R16i, VK_FORMAT_R16_SINT},
    {spv::ImageFormat::R8i, VK_FORMAT_R8_SINT},
    {spv::ImageFormat::Rgba32ui, VK_FORMAT_R32G32B32A32_UINT},
    {spv::ImageFormat::Rgba16ui, VK_FORMAT_R16G16B16A16_UINT},
    {spv::ImageFormat::Rgba8ui, VK_FORMAT_R8G8B8A8_UINT},
    {spv::ImageFormat::R32ui, VK_FORMAT_R32_UINT},
    {spv::ImageFormat::Rgb10a2ui, VK_FORMAT_A2B10G10R10_UINT_PACK32},
    {spv::ImageFormat::Rg32ui, VK_FORMAT_R32G32_UINT},
    {spv::ImageFormat::Rg16ui, VK_FORMAT_R16G16_UINT},
    {spv::ImageFormat::Rg8ui, VK_FORMAT_R8G8_UINT},
    {spv::ImageFormat::R16ui, VK_FORMAT_R16_UINT},
    {spv::ImageFormat::R8ui, VK_FORMAT_R8_UINT},
    {spv::ImageFormat::R64ui, VK_FORMAT_R64_UINT},
    {spv::ImageFormat::R64i, VK_FORMAT_R64_SINT},
};

ImageDimension dimensionOf(spv::Dim dim) {
  static_assert(unsigned(spv::Dim::SubpassData) == unsigned(ImageDimension::SubpassData) &&
                enumeratorCount<ImageDimension>() == unsigned(spv::Dim::SubpassData) + 1); // the same order
  return dim <= spv::Dim::SubpassData ? static_cast<ImageDimension>(dim) : ImageDimension::Dim2D;
}

// Larger interfaces, and locations that no GPU's stages have, are refused.
constexpr size_t MaxInterfaceRows = 4096;
constexpr uint32_t MaxLocations = 64;

void applyDecorations(std::span<const DecorationInstance> decorations, InterfaceLocation &row) {
  for (const DecorationInstance &decoration : decorations) {
    if (decoration.decoration == spv::Decoration::Patch)
      row.isPatch = true;
    else if (decoration.decoration == spv::Decoration::Stream)
      row.stream = decoration.operands[0];
    else if (decoration.decoration == spv::Decoration::Flat)
      row.interpolation = Interpolation::Flat;
    else if (decoration.decoration == spv::Decoration::NoPerspective)
      row.interpolation = Interpolation::Linear;
    else if (decoration.decoration == spv::Decoration::Centroid)
      row.interpolationPoint = InterpolationPoint::Centroid;
    else if (decoration.decoration == spv::Decoration::Sample)
      row.interpolationPoint = InterpolationPoint::Sample;
  }
}

} // namespace

NumericClass numericClassOf(const Instruction &scalar) {
  if (scalar.opcode == spv::Op::OpTypeFloat)
    return NumericClass::Float;
  return scalar.operand(1) != 0 ? NumericClass::Sint : NumericClass::Uint;
}

MemberPlace memberPlace(std::span<const DecorationInstance> decorations) {
  MemberPlace place;
  for (const DecorationInstance &decoration : decorations) {
    if (decoration.decoration == spv::Decoration::Offset)
      place.offset = decoration.operands[0];
    else if (decoration.decoration == spv::Decoration::MatrixStride)
      place.matrix.stride = decoration.operands[0];
    else if (decoration.decoration == spv::Decoration::RowMajor)
      place.matrix.rowMajor = true;
  }
  return place;
}

bool isOpaque(const Instruction &type) {
  return type.opcode == spv::Op::OpTypeImage || type.opcode == spv::Op::OpTypeSampler ||
         type.opcode == spv::Op::OpTypeSampledImage;
}

void appendName(std::string &path, std::string_view name) {
  if (!path.empty() && !name.empty())
    path += '.';
  path += name;
}

Declarations::Declarations(const Module &module) : m_module(module) {
  for (const Instruction &inst : module.globals) {
    if (inst.result)
      m_globals[inst.result] = &inst;
  }
}

const Instruction &Declarations::elementType(uint32_t typeId) const {
  const Instruction *type = &global(typeId);
  while (type->opcode == spv::Op::OpTypeArray || type->opcode == spv::Op::OpTypeRuntimeArray)
    type = &global(type->operand(0));
  return *type;
}

std::string Declarations::nameOfId(uint32_t id) const {
  auto found = m_module.names.find(id);
  return found == m_module.names.end() ? std::string() : found->second;
}

std::optional<uint32_t> Declarations::decoration(uint32_t id, spv::Decoration kind) const {
  const DecorationInstance *found = findDecoration(m_module.decorations(id), kind);
  return found && !found->operands.empty() ? std::optional(found->operands[0]) : std::nullopt;
}

Result<uint32_t> Declarations::arrayLength(const Instruction &array) const {
  return static_cast<uint32_t>(DOVETAIL_TRY(constant(array.operand(1))));
}

Result<uint64_t> Declarations::layoutSize(uint32_t typeId, MatrixLayout matrix, unsigned depth) const {
  if (depth > MaxTypeDepth)
    return makeError(ErrorCode::Unsupported, "composites nested more than {} deep are not supported", MaxTypeDepth);
  const Instruction &inst = global(typeId);
  switch (inst.opcode) {
  case spv::Op::OpTypeBool: // only in memory that is no buffer
    return 4;
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
    return length == 0 ? 0 : saturatingSum(stride * ((length - 1) & 0xffffffff), element);
  }
  case spv::Op::OpTypeStruct: {
    uint64_t size = 0;
    for (uint32_t i = 0; i < inst.operandCount(); ++i) {
      MemberPlace place = memberPlace(m_module.memberDecorations(typeId, i));
      uint64_t member = DOVETAIL_TRY(layoutSize(inst.operand(i), place.matrix, depth + 1));
      size = std::max(size, saturatingSum(place.offset, member));
    }
    return size;
  }
  case spv::Op::OpTypePointer:
    return 8;
  default:
    return 0;
  }
}

Result<std::vector<BlockMember>> Declarations::blockMembers(uint32_t structId) const {
  std::vector<BlockMember> list;
  DOVETAIL_CHECK(addMembers(structId, {}, {}, list, 0));
  return list;
}

Result<std::vector<BlockMember>> Declarations::variableMembers(const Instruction &variable, uint64_t &end) const {
  std::vector<BlockMember> list;
  const uint32_t typeId = pointeeOf(variable);
  const MemberPlace place = memberPlace(m_module.decorations(variable.result));
  BlockMember member;
  member.name = nameOfId(variable.result);
  member.offset = place.offset;
  if (isInDefaultBlock(variable))
    member.location = decoration(variable.result, spv::Decoration::Location);
  DOVETAIL_CHECK(addMembers(typeId, std::move(member), place.matrix, list, 0));
  end = place.offset + DOVETAIL_TRY(layoutSize(typeId, place.matrix));
  return list;
}

// `member` describes the way down to here: name, offset, dimensions, and the location in the default block.
Result<void> Declarations::addMembers(uint32_t typeId, BlockMember member, MatrixLayout matrix,
                                      std::vector<BlockMember> &list, unsigned depth) const {
  if (depth > MaxTypeDepth)
    return makeError(ErrorCode::Unsupported, "composites nested more than {} deep are not supported", MaxTypeDepth);
  const Instruction &inst = global(typeId);
  auto setScalar = [&](const Instruction &scalar) {
    member.numericClass = numericClassOf(scalar);
    member.bits = scalar.operand(0);
  };
  switch (inst.opcode) {
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat:
    setScalar(inst);
    break;
  case spv::Op::OpTypeVector:
    setScalar(global(inst.operand(0)));
    member.rows = inst.operand(1);
    break;
  case spv::Op::OpTypeMatrix: {
    const Instruction &column = global(inst.operand(0));
    setScalar(global(column.operand(0)));
    member.rows = column.operand(1);
    member.columns = inst.operand(1);
    member.matrixStride = matrix.stride;
    member.rowMajor = matrix.rowMajor;
    break;
  }
  case spv::Op::OpTypePointer:
    member.numericClass = NumericClass::Uint;
    member.bits = 64;
    member.isAddress = true;
    member.addressed = DOVETAIL_TRY(addressedBlock(inst));
    break;
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeRuntimeArray: {
    ArrayDimension dimension;
    if (inst.opcode == spv::Op::OpTypeArray) {
      dimension.count = DOVETAIL_TRY(arrayLength(inst));
      if (dimension.count == 0)
        return {};
    }
    dimension.stride = decoration(typeId, spv::Decoration::ArrayStride).value_or(0);
    if (member.location)
      dimension.locations = DOVETAIL_TRY(uniformLocations(inst.operand(0), depth + 1));
    member.arrays.push_back(dimension);
    return addMembers(inst.operand(0), std::move(member), matrix, list, depth + 1);
  }
  case spv::Op::OpTypeStruct:
    for (uint32_t i = 0; i < inst.operandCount(); ++i) {
      MemberPlace place = memberPlace(m_module.memberDecorations(typeId, i));
      BlockMember inner = member;
      inner.offset += place.offset;
      appendName(inner.name, m_module.memberName(typeId, i));
      if (member.location)
        *member.location += DOVETAIL_TRY(uniformLocations(inst.operand(i), depth + 1));
      if (const Instruction *pointer = addressOfMember(typeId, i)) {
        inner.isAddress = true;
        inner.addressed = DOVETAIL_TRY(addressedBlock(*pointer));
      }
      DOVETAIL_CHECK(addMembers(inst.operand(i), std::move(inner), place.matrix, list, depth + 1));
    }
    return {};
  default:
    return {};
  }
  list.push_back(std::move(member));
  return {};
}

ImageShape Declarations::imageShape(uint32_t imageId) const {
  const Instruction &inst = global(imageId);
  ImageShape shape;
  shape.dimension = dimensionOf(static_cast<spv::Dim>(inst.operand(1)));
  shape.isArrayed = inst.operand(3) == 1;
  shape.isMultisampled = inst.operand(4) == 1;
  const Instruction &scalar = global(inst.operand(0));
  if (scalar.opcode == spv::Op::OpTypeInt || scalar.opcode == spv::Op::OpTypeFloat) {
    shape.numericClass = numericClassOf(scalar);
    shape.bits = scalar.operand(0);
  }
  auto row = std::ranges::find(Formats, static_cast<spv::ImageFormat>(inst.operand(6)), &FormatRow::spirv);
  if (row != std::end(Formats))
    shape.format = row->vulkan;
  return shape;
}

// The state of a walk over an interface variable.
struct Declarations::Place {
  InterfaceLocation row;
  uint32_t location = 0;
  uint32_t component = 0;
  bool hasLocation = false;
  uint32_t wordOffset = 0;
};

bool Declarations::isPerVertex(const Instruction &variable, lgc::ShaderStage stage) const {
  bool isInput = static_cast<spv::StorageClass>(variable.operand(0)) == spv::StorageClass::Input;
  bool isArrayed = stage == lgc::ShaderStage::TessControl ||
                   (isInput && (stage == lgc::ShaderStage::TessEval || stage == lgc::ShaderStage::Geometry));
  uint32_t typeId = pointeeOf(variable);
  if (!isArrayed || global(typeId).opcode != spv::Op::OpTypeArray ||
      findDecoration(m_module.decorations(variable.result), spv::Decoration::Patch))
    return false;
  // gl_TessLevel* belong to the patch, with or without the decoration. So does a block whose members have it.
  if (auto builtIn = decoration(variable.result, spv::Decoration::BuiltIn))
    return *builtIn != uint32_t(spv::BuiltIn::TessLevelOuter) && *builtIn != uint32_t(spv::BuiltIn::TessLevelInner);
  while (global(typeId).opcode == spv::Op::OpTypeArray)
    typeId = global(typeId).operand(0);
  return global(typeId).opcode != spv::Op::OpTypeStruct ||
         !findDecoration(m_module.memberDecorations(typeId, 0), spv::Decoration::Patch);
}

uint32_t Declarations::valueType(const Instruction &variable, bool isPerVertex) const {
  uint32_t typeId = pointeeOf(variable);
  return isPerVertex ? global(typeId).operand(0) : typeId;
}

Result<std::vector<InterfaceLocation>> Declarations::locations(const Instruction &variable, bool isPerVertex) const {
  std::vector<InterfaceLocation> list;
  if (decoration(variable.result, spv::Decoration::BuiltIn))
    return list;
  Place place;
  place.row.name = nameOfId(variable.result);
  place.row.index = decoration(variable.result, spv::Decoration::Index).value_or(0);
  applyDecorations(m_module.decorations(variable.result), place.row);
  std::optional<uint32_t> location = decoration(variable.result, spv::Decoration::Location);
  place.location = location.value_or(0);
  place.hasLocation = location.has_value();
  place.component = decoration(variable.result, spv::Decoration::Component).value_or(0);
  place.wordOffset = variable.wordOffset;
  DOVETAIL_CHECK(addLocations(valueType(variable, isPerVertex), place, list, 0));
  return list;
}

// Walks down to vectors and scalars, which take one or two locations each.
Result<void> Declarations::addLocations(uint32_t typeId, Place &place, std::vector<InterfaceLocation> &list,
                                        unsigned depth) const {
  if (depth > MaxTypeDepth || list.size() > MaxInterfaceRows)
    return makeError(ErrorCode::Unsupported, "OpVariable at word {}: an interface this large is not supported",
                     place.wordOffset);
  const Instruction &type = global(typeId);
  switch (type.opcode) {
  case spv::Op::OpTypeStruct:
    for (uint32_t i = 0; i < type.operandCount(); ++i) {
      std::span<const DecorationInstance> decorations = m_module.memberDecorations(typeId, i);
      if (findDecoration(decorations, spv::Decoration::BuiltIn))
        continue;
      if (const DecorationInstance *own = findDecoration(decorations, spv::Decoration::Location)) {
        place.location = own->operands[0];
        place.hasLocation = true;
      }
      const DecorationInstance *component = findDecoration(decorations, spv::Decoration::Component);
      place.component = component ? component->operands[0] : 0;
      InterfaceLocation outer = place.row;
      applyDecorations(decorations, place.row);
      appendName(place.row.name, m_module.memberName(typeId, i));
      DOVETAIL_CHECK(addLocations(type.operand(i), place, list, depth + 1));
      place.row = std::move(outer);
    }
    return {};
  case spv::Op::OpTypeArray:
  case spv::Op::OpTypeMatrix: {
    const uint32_t count = type.opcode == spv::Op::OpTypeArray ? DOVETAIL_TRY(arrayLength(type)) : type.operand(1);
    for (uint32_t i = 0; i < count; ++i)
      DOVETAIL_CHECK(addLocations(type.operand(0), place, list, depth + 1));
    return {};
  }
  case spv::Op::OpTypeVector:
  case spv::Op::OpTypeInt:
  case spv::Op::OpTypeFloat: {
    if (!place.hasLocation)
      return {};
    bool isVector = type.opcode == spv::Op::OpTypeVector;
    const Instruction &scalar = isVector ? global(type.operand(0)) : type;
    place.row.numericClass = numericClassOf(scalar);
    place.row.elementBits = scalar.operand(0);
    uint32_t dwords = (isVector ? type.operand(1) : 1) * (place.row.elementBits == 64 ? 2 : 1);
    uint32_t mask = ((1u << dwords) - 1) << place.component;
    for (; mask; mask >>= 4) {
      if (place.location >= MaxLocations)
        return makeError(ErrorCode::InvalidInput, "OpVariable at word {}: location {} is out of range",
                         place.wordOffset, place.location);
      place.row.location = place.location++;
      place.row.componentMask = mask & 0xf;
      list.push_back(place.row);
    }
    return {};
  }
  default:
    return {};
  }
}

Result<std::vector<BuiltInVariable>> Declarations::builtIns(const Instruction &variable, bool isPerVertex,
                                                            const std::optional<std::set<uint32_t>> &members) const {
  std::vector<BuiltInVariable> list;
  bool isOutput = static_cast<spv::StorageClass>(variable.operand(0)) == spv::StorageClass::Output;
  auto add = [&](uint32_t builtIn, uint32_t typeId) -> Result<void> {
    const Instruction &type = global(typeId);
    const uint32_t elements = type.opcode == spv::Op::OpTypeArray ? DOVETAIL_TRY(arrayLength(type)) : 1;
    list.push_back({builtIn, elements, isOutput, isPerVertex});
    return {};
  };
  uint32_t typeId = valueType(variable, isPerVertex);
  if (std::optional<uint32_t> builtIn = decoration(variable.result, spv::Decoration::BuiltIn))
    DOVETAIL_CHECK(add(*builtIn, typeId));
  const Instruction &type = global(typeId);
  if (type.opcode != spv::Op::OpTypeStruct)
    return list;
  for (uint32_t i = 0; i < type.operandCount(); ++i)
    if (const DecorationInstance *found =
            findDecoration(m_module.memberDecorations(typeId, i), spv::Decoration::BuiltIn);
        found && (!members || members->contains(i)))
      DOVETAIL_CHECK(add(found->operands[0], type.operand(i)));
  return list;
}

} // namespace dovetail::spirv
