// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/type_table.h"
#include "src/spirv/translate/context/unsupported.h"
#include <algorithm>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

using llvm::ArrayType;
using llvm::FixedVectorType;
using llvm::StructType;

namespace {

// Longer arrays cannot be addressed with 32-bit offsets.
constexpr uint64_t MaxArrayLength = 0x3fffffff;

struct KindRow {
  spv::Op opcode;
  TypeKind kind;
};
constexpr KindRow KindRows[] = {
    {spv::Op::OpTypeVoid, TypeKind::Void},         {spv::Op::OpTypeBool, TypeKind::Bool},
    {spv::Op::OpTypeInt, TypeKind::Int},           {spv::Op::OpTypeFloat, TypeKind::Float},
    {spv::Op::OpTypeVector, TypeKind::Vector},     {spv::Op::OpTypeMatrix, TypeKind::Matrix},
    {spv::Op::OpTypeArray, TypeKind::Array},       {spv::Op::OpTypeRuntimeArray, TypeKind::RuntimeArray},
    {spv::Op::OpTypeStruct, TypeKind::Struct},     {spv::Op::OpTypePointer, TypeKind::Pointer},
    {spv::Op::OpTypeFunction, TypeKind::Function}, {spv::Op::OpTypeImage, TypeKind::Image},
    {spv::Op::OpTypeSampler, TypeKind::Sampler},   {spv::Op::OpTypeSampledImage, TypeKind::SampledImage},
};

uint64_t saturatingProduct(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

constexpr uint32_t alignUp(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

llvm::Type *floatType(llvm::LLVMContext &context, uint32_t width) {
  if (width == 16)
    return llvm::Type::getHalfTy(context);
  if (width == 32)
    return llvm::Type::getFloatTy(context);
  return width == 64 ? llvm::Type::getDoubleTy(context) : nullptr;
}

} // namespace

Result<void> TypeTable::add(const Instruction &inst) {
  TypeInfo info = DOVETAIL_TRY(declared(inst));
  DOVETAIL_CHECK(complete(inst, info));
  m_byId[inst.result] = &m_types.emplace_back(std::move(info));
  return {};
}

// The type as its instruction has it.
Result<TypeInfo> TypeTable::declared(const Instruction &inst) const {
  const auto row = std::ranges::find(KindRows, inst.opcode, &KindRow::opcode);
  if (row == std::end(KindRows))
    return unsupported(inst);
  TypeInfo info;
  info.id = inst.result;
  info.kind = row->kind;
  switch (info.kind) {
  case TypeKind::Int:
    info.width = inst.operand(0);
    info.isSigned = inst.operand(1) != 0;
    break;
  case TypeKind::Float:
    info.width = inst.operand(0);
    break;
  case TypeKind::Vector:
  case TypeKind::Matrix:
    info.element = inst.operand(0);
    info.count = inst.operand(1);
    break;
  case TypeKind::Array: {
    info.element = inst.operand(0);
    uint64_t length = DOVETAIL_TRY(m_values.constantInteger(inst, inst.operand(1)));
    if (length == 0 || length > MaxArrayLength)
      return unsupported(inst, fmt::format("an array of {} elements is not supported", length));
    info.count = length;
    break;
  }
  case TypeKind::RuntimeArray:
  case TypeKind::SampledImage:
    info.element = inst.operand(0);
    break;
  case TypeKind::Struct:
    info.members.resize(inst.operandCount());
    for (size_t i = 0; i < inst.operandCount(); ++i)
      info.members[i].type = inst.operand(i);
    break;
  case TypeKind::Pointer:
    info.storage = static_cast<spv::StorageClass>(inst.operand(0));
    info.element = inst.operand(1);
    break;
  case TypeKind::Image:
    info.element = inst.operand(0);
    info.dim = static_cast<spv::Dim>(inst.operand(1));
    info.isArrayed = inst.operand(3) != 0;
    info.isMultisampled = inst.operand(4) != 0;
    info.sampled = inst.operand(5);
    info.format = static_cast<spv::ImageFormat>(inst.operand(6));
    break;
  default:
    break;
  }
  return info;
}

// Adds layout, size and LLVM forms.
Result<void> TypeTable::complete(const Instruction &inst, TypeInfo &info) const {
  info.arrayStride = m_declarations.decoration(info.id, spv::Decoration::ArrayStride).value_or(0);
  info.scalarCount = 1;
  switch (info.kind) {
  case TypeKind::Bool:
    info.value = llvm::Type::getInt1Ty(m_context);
    info.memory = llvm::Type::getInt32Ty(m_context);
    return {};
  case TypeKind::Int:
    if (info.width != 8 && info.width != 16 && info.width != 32 && info.width != 64)
      return unsupported(inst, fmt::format("{}-bit integers are not supported", info.width));
    info.value = info.memory = llvm::Type::getIntNTy(m_context, info.width);
    return {};
  case TypeKind::Float:
    info.value = info.memory = floatType(m_context, info.width);
    if (!info.value || inst.operandCount() > 1)
      return unsupported(inst, fmt::format("this {}-bit floating-point format is not supported", info.width));
    return {};
  case TypeKind::Vector: {
    const TypeInfo &element = at(info.element);
    if (info.count > 4)
      return unsupported(inst,
                         fmt::format("a vector of {} components (capability Vector16) is not supported", info.count));
    info.value = FixedVectorType::get(element.value, info.count);
    info.memory = FixedVectorType::get(element.memory, info.count);
    info.scalarCount = info.count;
    info.depth = 1;
    return {};
  }
  case TypeKind::Matrix: {
    const TypeInfo &column = at(info.element);
    info.value = ArrayType::get(column.value, info.count);
    info.memory = ArrayType::get(column.memory, info.count);
    info.scalarCount = column.scalarCount * info.count;
    info.leafCount = info.count;
    info.depth = 2;
    return {};
  }
  case TypeKind::Array: {
    const TypeInfo &element = at(info.element);
    info.depth = element.depth + 1;
    info.scalarCount = saturatingProduct(element.scalarCount, info.count);
    info.leafCount = saturatingProduct(element.leafCount, info.count);
    if (element.value)
      info.value = ArrayType::get(element.value, info.count);
    if (element.memory)
      info.memory = ArrayType::get(element.memory, info.count);
    break;
  }
  case TypeKind::RuntimeArray:
    info.depth = at(info.element).depth + 1;
    info.scalarCount = info.leafCount = 0;
    break;
  case TypeKind::Struct:
    DOVETAIL_CHECK(completeStruct(inst, info));
    break;
  case TypeKind::Pointer:
    info.value = pointerForm(info.storage);
    info.memory = info.value;
    return {};
  case TypeKind::Void:
    info.value = llvm::Type::getVoidTy(m_context);
    info.memory = llvm::StructType::get(m_context); // such variables may exist, but nothing can be read from them
    info.scalarCount = 0;
    return {};
  case TypeKind::Function:
    return {};
  case TypeKind::Image:
  case TypeKind::Sampler:
  case TypeKind::SampledImage:
    info.memory = ArrayType::get(llvm::Type::getInt32Ty(m_context), DescriptorDwords);
    return {};
  }
  if (info.depth > MaxTypeDepth)
    return unsupported(inst, fmt::format("composites nested more than {} deep are not supported", MaxTypeDepth));
  return {};
}

Result<void> TypeTable::completeStruct(const Instruction &inst, TypeInfo &info) const {
  std::vector<llvm::Type *> values, memory;
  bool hasForms = true;
  info.scalarCount = info.leafCount = 0;
  for (uint32_t i = 0; i < info.members.size(); ++i) {
    StructMember &member = info.members[i];
    const TypeInfo *found = m_byId[member.type];
    if (!found)
      return unsupported(inst, "a member of a type that is declared later is not supported");
    const TypeInfo &memberType = *found;
    info.depth = std::max(info.depth, memberType.depth + 1);
    info.scalarCount += std::min(memberType.scalarCount, UINT64_MAX - info.scalarCount);
    info.leafCount += std::min(memberType.leafCount, UINT64_MAX - info.leafCount);
    hasForms &= memberType.value != nullptr;
    values.push_back(memberType.value);
    memory.push_back(memberType.memory);
    const MemberPlace place = memberPlace(m_module.memberDecorations(info.id, i));
    member.offset = place.offset;
    member.matrix = place.matrix;
  }
  if (hasForms) {
    info.value = StructType::get(m_context, values);
    info.memory = StructType::get(m_context, memory);
  }
  return {};
}

// The LLVM form of pointers that can be values; nullptr for others.
llvm::Type *TypeTable::pointerForm(spv::StorageClass storage) const {
  switch (storage) {
  case spv::StorageClass::PhysicalStorageBuffer:
    return llvm::Type::getInt64Ty(m_context);
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform: {
    llvm::Type *i32 = llvm::Type::getInt32Ty(m_context);
    return StructType::get(m_context, {FixedVectorType::get(i32, 4), i32});
  }
  case spv::StorageClass::Workgroup:
    return llvm::PointerType::get(m_context, llvm::AMDGPUAS::LOCAL_ADDRESS);
  case spv::StorageClass::Function:
  case spv::StorageClass::Private:
  case spv::StorageClass::Output:
    return llvm::PointerType::get(m_context, llvm::AMDGPUAS::PRIVATE_ADDRESS);
  default:
    return nullptr;
  }
}

const TypeInfo &TypeTable::elementOf(const TypeInfo &type) const {
  const TypeInfo *element = &type;
  while (element->kind == TypeKind::Array || element->kind == TypeKind::RuntimeArray)
    element = &at(element->element);
  return *element;
}

bool TypeTable::isOpaqueArray(const TypeInfo &type) const {
  const TypeInfo *innermost = &type;
  while (innermost->kind == TypeKind::Array)
    innermost = &at(innermost->element);
  return type.kind == TypeKind::Array && isOpaque(*innermost);
}

Result<llvm::Type *> TypeTable::valueType(const Instruction &inst, uint32_t typeId) const {
  const TypeInfo &info = at(typeId);
  if (!info.value)
    return unsupported(inst, "a value of this opaque or unsized type is not supported here");
  if (info.scalarCount > MaxValueScalars)
    return unsupported(inst, fmt::format("a value of {} scalars is not supported", info.scalarCount));
  return info.value;
}

uint32_t TypeTable::locationCount(const TypeInfo &type) const {
  switch (type.kind) {
  case TypeKind::Vector:
    return (type.count * componentsOf(at(type.element)) + 3) / 4;
  case TypeKind::Matrix:
  case TypeKind::Array:
    return type.count * locationCount(at(type.element));
  case TypeKind::Struct: {
    uint32_t count = 0;
    for (const StructMember &member : type.members)
      count += locationCount(at(member.type));
    return count;
  }
  default:
    return 1;
  }
}

uint32_t TypeTable::captureAlignment(const TypeInfo &type) const {
  switch (type.kind) {
  case TypeKind::Vector:
  case TypeKind::Matrix:
  case TypeKind::Array:
    return captureAlignment(at(type.element));
  case TypeKind::Struct: {
    uint32_t alignment = 1;
    for (const StructMember &member : type.members)
      alignment = std::max(alignment, captureAlignment(at(member.type)));
    return alignment;
  }
  default:
    return std::max(type.width / 8, 1u);
  }
}

uint32_t TypeTable::captureSize(const TypeInfo &type) const {
  switch (type.kind) {
  case TypeKind::Vector:
  case TypeKind::Matrix:
  case TypeKind::Array:
    return type.count * captureSize(at(type.element));
  case TypeKind::Struct:
    return captureOffset(type, static_cast<uint32_t>(type.members.size()));
  default:
    return type.width / 8;
  }
}

uint32_t TypeTable::captureOffset(const TypeInfo &structure, uint32_t member) const {
  uint32_t offset = 0;
  for (uint32_t i = 0; i < member; ++i) {
    const TypeInfo &type = at(structure.members[i].type);
    offset = alignUp(offset, captureAlignment(type)) + captureSize(type);
  }
  const bool isEnd = member == structure.members.size();
  return alignUp(offset, captureAlignment(isEnd ? structure : at(structure.members[member].type)));
}

} // namespace dovetail::spirv
