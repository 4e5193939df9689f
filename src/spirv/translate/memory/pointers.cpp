// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/pointers.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

Result<llvm::Value *> Pointers::index32(const Instruction &inst, uint32_t id) {
  llvm::Value *index = DOVETAIL_TRY(m_context.values.number(inst, id));
  return m_builder.CreateSExtOrTrunc(index, m_builder.getInt32Ty());
}

// The index in arrays of arrays, as if they were one array. `outer`: the index so far, or nullptr.
llvm::Value *Pointers::numberedThrough(llvm::Value *outer, uint32_t count, llvm::Value *index) {
  return outer ? m_builder.CreateAdd(m_builder.CreateMul(outer, m_builder.getInt32(count)), index) : index;
}

Result<void> Pointers::step(const Instruction &inst, Pointer &pointer, uint32_t indexId) {
  if (m_context.type(pointer.pointee).kind == TypeKind::Struct)
    DOVETAIL_CHECK(open(inst, pointer));
  llvm::Value *index = DOVETAIL_TRY(index32(inst, indexId));
  switch (pointer.kind) {
  case Pointer::Kind::Input:
  case Pointer::Kind::SharedOutput:
    return m_places.step(inst, pointer, index);
  case Pointer::Kind::UniformTree:
    return stepUniform(inst, pointer, index, indexId);
  case Pointer::Kind::Resource: {
    const TypeInfo &info = m_context.type(pointer.pointee);
    if (info.kind != TypeKind::Array && info.kind != TypeKind::RuntimeArray)
      return unsupported(inst, "an index into this resource is not supported");
    pointer.flags |= m_context.resourceFlags(indexId);
    return stepElement(inst, pointer, index);
  }
  default:
    return stepMemory(inst, pointer, index);
  }
}

Result<void> Pointers::stepMemory(const Instruction &inst, Pointer &pointer, llvm::Value *index) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (info.kind == TypeKind::Struct && (!constant || constant->getZExtValue() >= info.members.size()))
    return unsupported(inst, "a structure member index that is not a known constant is not supported");
  if (pointer.kind != Pointer::Kind::Memory && pointer.kind != Pointer::Kind::Promoted)
    return m_laidOutMemory.step(inst, pointer, index);
  m_ownMemory.step(pointer, index);
  return {};
}

Result<void> Pointers::stepElement(const Instruction &inst, Pointer &array, llvm::Value *index) {
  if (array.kind != Pointer::Kind::Resource)
    return stepMemory(inst, array, index);
  const TypeInfo &info = m_context.type(array.pointee);
  array.offset = numberedThrough(array.offset, info.count, index);
  array.pointee = info.element;
  return {};
}

Result<void> Pointers::move(const Instruction &inst, Pointer &pointer, uint32_t indexId, uint64_t stride) {
  llvm::Value *index = DOVETAIL_TRY(index32(inst, indexId));
  DOVETAIL_CHECK(open(inst, pointer));
  if (pointer.kind == Pointer::Kind::Memory)
    m_ownMemory.move(pointer, index);
  else if (isLaidOut(pointer))
    m_laidOutMemory.move(pointer, index, stride);
  else
    return unsupported(inst, "an element of such a pointer is not supported");
  return {};
}

Result<void> Pointers::open(const Instruction &inst, Pointer &pointer) {
  if (pointer.kind != Pointer::Kind::Resource)
    return {};
  if (m_context.type(pointer.pointee).kind != TypeKind::Struct)
    return unsupported(inst, "an access to this resource is not supported");
  if (isReadOnlyBlock(*pointer.variable))
    pointer.flags |= lgc::ReadOnly;
  pointer.base = m_builder.CreateLoadBufferDesc(pointer.variable->set, pointer.variable->binding,
                                                pointer.offset ? pointer.offset : m_builder.getInt32(0), pointer.flags);
  pointer.offset = m_builder.getInt32(0);
  pointer.kind = Pointer::Kind::Buffer;
  return {};
}

// Nothing writes a uniform block while the shader runs. A storage block may be written through another binding of the
// same memory, so it is read-only only if the shader can write no storage block at all.
bool Pointers::isReadOnlyBlock(const Variable &variable) const {
  auto isStorage = [&](const Variable &other) {
    return other.storage == spv::StorageClass::StorageBuffer ||
           m_context.hasDecoration(other.blockType, spv::Decoration::BufferBlock);
  };
  if (!isStorage(variable))
    return true;
  if (m_context.module.addressingModel == spv::AddressingModel::PhysicalStorageBuffer64)
    return false;
  for (const Variable &other : m_context.variables) {
    if (other.blockType && isStorage(other) && !other.isNonWritable)
      return false;
  }
  return true;
}

Result<llvm::Value *> Pointers::toValue(const Instruction &inst, const Pointer &pointer, const PointeeLayout &layout) {
  Pointer opened = pointer;
  DOVETAIL_CHECK(open(inst, opened));
  const TypeInfo &innermost = m_context.types.elementOf(m_context.type(opened.pointee));
  if (isLaidOut(opened) && opened.componentStride != layout.componentStride)
    return unsupported(inst, "a variable pointer to vectors of several layouts is not supported");
  if (isLaidOut(opened) && innermost.kind == TypeKind::Matrix &&
      (opened.matrix.stride != layout.matrix.stride || opened.matrix.rowMajor != layout.matrix.rowMajor))
    return unsupported(inst, "a variable pointer to matrices of several layouts is not supported");
  switch (opened.kind) {
  case Pointer::Kind::Memory:
    if (opened.storage == spv::StorageClass::Output)
      break;
    return opened.base;
  case Pointer::Kind::Physical:
    return opened.base;
  case Pointer::Kind::SharedBlock:
    return m_laidOutMemory.address(opened);
  case Pointer::Kind::Buffer: {
    llvm::Value *pair = llvm::PoisonValue::get(
        llvm::StructType::get(m_context.llvmContext, {opened.base->getType(), opened.offset->getType()}));
    pair = m_builder.CreateInsertValue(pair, opened.base, 0);
    return m_builder.CreateInsertValue(pair, opened.offset, 1);
  }
  default:
    break;
  }
  return unsupported(inst,
                     "a pointer into this storage class as a value (capability VariablePointers) is not supported");
}

Result<void> Pointers::bindValue(const Instruction &inst, llvm::Value *value, const PointeeLayout &layout) {
  Pointer pointer = DOVETAIL_TRY(fromValue(inst, value, inst.resultType));
  pointer.matrix = layout.matrix;
  pointer.componentStride = layout.componentStride;
  pointer.flags |= m_context.resourceFlags(inst.result);
  m_context.values.setPointer(inst, std::move(pointer));
  return {};
}

Result<Pointer> Pointers::fromValue(const Instruction &inst, llvm::Value *value, uint32_t pointerTypeId) {
  if (!value->getType()->isStructTy())
    return fromParts(inst, value, pointerTypeId);
  llvm::Value *base = m_builder.CreateExtractValue(value, 0);
  return fromParts(inst, {base, m_builder.CreateExtractValue(value, 1)}, pointerTypeId);
}

Result<Pointer> Pointers::fromParts(const Instruction &inst, llvm::ArrayRef<llvm::Value *> parts,
                                    uint32_t pointerTypeId) {
  const TypeInfo &info = m_context.type(pointerTypeId);
  if (info.kind != TypeKind::Pointer)
    return unsupported(inst, "an operand that is not a pointer is not supported here");
  Pointer pointer;
  pointer.storage = info.storage;
  pointer.pointee = info.element;
  switch (info.storage) {
  case spv::StorageClass::PhysicalStorageBuffer:
    pointer.kind = Pointer::Kind::Physical;
    pointer.base = parts[0];
    return pointer;
  case spv::StorageClass::StorageBuffer:
  case spv::StorageClass::Uniform:
    pointer.kind = Pointer::Kind::Buffer;
    pointer.base = parts[0];
    pointer.offset = parts[1];
    // Without the full capability, all such pointers point into one buffer.
    if (m_context.module.hasCapability(spv::Capability::VariablePointers))
      pointer.flags |= lgc::NonUniformImage;
    return pointer;
  case spv::StorageClass::Workgroup:
    pointer.kind = m_sharedMemory.hasBlocks() ? Pointer::Kind::SharedBlock : Pointer::Kind::Memory;
    pointer.base = parts[0];
    pointer.offset = m_sharedMemory.hasBlocks() ? m_builder.getInt32(0) : nullptr;
    return pointer;
  default:
    pointer.kind = Pointer::Kind::Memory;
    pointer.base = parts[0];
    return pointer;
  }
}

} // namespace dovetail::spirv
