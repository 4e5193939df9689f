// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/laid_out_memory.h"
#include <bit>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

namespace {

// The alignment that the pointer's user promises, at most the element's size.
llvm::Align alignmentOf(llvm::Type *type, uint32_t promised) {
  uint64_t natural = type->getScalarSizeInBits() / 8;
  return llvm::Align(promised ? std::min<uint64_t>(std::bit_floor(promised), natural) : natural);
}

// A volatile access also bypasses the vector cache.
bool isVolatileAccess(unsigned flags) {
  return (flags & (lgc::Volatile | lgc::Coherent)) != 0;
}

} // namespace

llvm::Value *LaidOutMemory::address(const Pointer &pointer, uint64_t offset) {
  return m_builder.CreateGEP(m_builder.getInt8Ty(), pointer.base,
                             m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)));
}

// Indices are signed in SPIR-V.
llvm::Value *LaidOutMemory::scaled(llvm::Value *index, uint64_t stride) {
  return m_builder.CreateMul(index, llvm::ConstantInt::get(index->getType(), stride));
}

void LaidOutMemory::move(Pointer &pointer, llvm::Value *index, uint64_t stride) {
  if (pointer.kind == Pointer::Kind::Physical)
    pointer.base =
        m_builder.CreateAdd(pointer.base, scaled(m_builder.CreateSExt(index, m_builder.getInt64Ty()), stride));
  else
    pointer.offset = m_builder.CreateAdd(pointer.offset, scaled(index, stride));
}

Result<void> LaidOutMemory::step(const Instruction &inst, Pointer &pointer, llvm::Value *index) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  uint64_t stride = 0; // the number of bytes that one index stands for
  pointer.arrayStride = 0;
  switch (info.kind) {
  case TypeKind::Struct: {
    const auto number = static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
    const StructMember &member = info.members[number];
    index = m_builder.getInt32(1);
    stride = member.offset;
    pointer.matrix = member.matrix;
    for (const DecorationInstance &decoration : m_context.module.memberDecorations(info.id, number)) {
      if (decoration.decoration == spv::Decoration::Coherent)
        pointer.flags |= lgc::Coherent;
      else if (decoration.decoration == spv::Decoration::Volatile)
        pointer.flags |= lgc::Volatile | lgc::Coherent;
    }
    pointer.pointee = member.type;
    break;
  }
  case TypeKind::Array:
  case TypeKind::RuntimeArray:
    stride = info.arrayStride;
    pointer.pointee = info.element;
    pointer.arrayStride = info.arrayStride;
    break;
  case TypeKind::Matrix: {
    const uint64_t element = m_context.type(m_context.type(info.element).element).width / 8;
    stride = pointer.matrix.rowMajor ? element : pointer.matrix.stride;
    pointer.componentStride = pointer.matrix.rowMajor ? pointer.matrix.stride : 0;
    pointer.pointee = info.element;
    break;
  }
  case TypeKind::Vector:
    stride = pointer.componentStride ? pointer.componentStride
                                     : DOVETAIL_TRY(m_context.declarations.layoutSize(info.element, {}));
    pointer.componentStride = 0;
    pointer.pointee = info.element;
    break;
  default:
    return unsupported(inst, "an index into this type is not supported");
  }
  if (pointer.kind != Pointer::Kind::Physical && !pointer.offset)
    return unsupported(inst, "an index into this pointer is not supported");
  move(pointer, index, stride);
  return {};
}

// Loads one scalar or vector whose components are side by side in memory.
llvm::Value *LaidOutMemory::loadLeaf(const Pointer &pointer, llvm::Type *leafType, uint64_t offset, unsigned flags,
                                     uint32_t alignment) {
  switch (pointer.kind) {
  case Pointer::Kind::PushConstant:
    return m_builder.CreateLoadPushConstant(leafType, m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)));
  case Pointer::Kind::Physical: {
    llvm::Value *address = m_builder.CreateAdd(pointer.base, m_builder.getInt64(offset));
    llvm::Value *memory = m_builder.CreateIntToPtr(
        address, llvm::PointerType::get(m_context.llvmContext, llvm::AMDGPUAS::GLOBAL_ADDRESS));
    return m_builder.CreateAlignedLoad(leafType, memory, alignmentOf(leafType, alignment), isVolatileAccess(flags));
  }
  case Pointer::Kind::SharedBlock:
    return m_builder.CreateAlignedLoad(leafType, address(pointer, offset), alignmentOf(leafType, alignment),
                                       (flags & lgc::Volatile) != 0);
  default:
    return m_builder.CreateBufferLoad(leafType, pointer.base,
                                      m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)), flags);
  }
}

void LaidOutMemory::storeLeaf(const Pointer &pointer, llvm::Value *value, uint64_t offset, unsigned flags,
                              uint32_t alignment) {
  if (pointer.kind == Pointer::Kind::Physical) {
    llvm::Value *address = m_builder.CreateAdd(pointer.base, m_builder.getInt64(offset));
    llvm::Value *memory = m_builder.CreateIntToPtr(
        address, llvm::PointerType::get(m_context.llvmContext, llvm::AMDGPUAS::GLOBAL_ADDRESS));
    m_builder.CreateAlignedStore(value, memory, alignmentOf(value->getType(), alignment), isVolatileAccess(flags));
    return;
  }
  if (pointer.kind == Pointer::Kind::SharedBlock) {
    m_builder.CreateAlignedStore(value, address(pointer, offset), alignmentOf(value->getType(), alignment),
                                 (flags & lgc::Volatile) != 0);
    return;
  }
  m_builder.CreateBufferStore(value, pointer.base, m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)),
                              flags);
}

// A part of a structure, an array, or a matrix whose columns lie side by side.
LaidOutMemory::Place LaidOutMemory::partOf(const Place &whole, uint32_t index) const {
  const TypeInfo &info = *whole.type;
  const TypeInfo *type = &m_context.type(info.partType(index));
  if (info.kind == TypeKind::Struct)
    return {type, whole.offset + info.members[index].offset, info.members[index].matrix};
  const uint64_t stride = info.kind == TypeKind::Matrix ? whole.matrix.stride : info.arrayStride;
  return {type, whole.offset + index * stride, whole.matrix};
}

llvm::Value *LaidOutMemory::load(const Pointer &pointer, const Place &place, const MemoryAccess &access) {
  const TypeInfo &info = *place.type;
  const auto leaf = [&](llvm::Type *type, uint64_t offset) {
    return loadLeaf(pointer, type, place.offset + offset, pointer.flags | access.flags, access.alignment);
  };
  if (info.kind == TypeKind::Vector && place.componentStride) {
    const TypeInfo &element = m_context.type(info.element);
    llvm::Value *vector = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.count; ++i) {
      llvm::Value *component = leaf(element.memory, uint64_t(i) * place.componentStride);
      vector = m_builder.CreateInsertElement(vector, m_context.forms.toValue(element, component), uint64_t(i));
    }
    return vector;
  }
  if (!info.hasParts())
    return m_context.forms.toValue(info, leaf(info.memory, 0));
  llvm::Value *result = llvm::PoisonValue::get(info.value);
  if (info.kind != TypeKind::Matrix || !place.matrix.rowMajor) {
    for (uint32_t i = 0; i < info.partCount(); ++i)
      result = m_builder.CreateInsertValue(result, load(pointer, partOf(place, i), access), i);
    return result;
  }
  // Loads whole rows, and puts the columns together from them.
  const TypeInfo &column = m_context.type(info.element);
  auto *rowType = llvm::FixedVectorType::get(m_context.type(column.element).memory, info.count);
  llvm::SmallVector<llvm::Value *, 4> rows;
  for (uint32_t r = 0; r < column.count; ++r)
    rows.push_back(leaf(rowType, uint64_t(r) * place.matrix.stride));
  for (uint32_t c = 0; c < info.count; ++c) {
    llvm::Value *vector = llvm::PoisonValue::get(column.value);
    for (uint32_t r = 0; r < column.count; ++r)
      vector = m_builder.CreateInsertElement(vector, m_builder.CreateExtractElement(rows[r], uint64_t(c)), uint64_t(r));
    result = m_builder.CreateInsertValue(result, vector, c);
  }
  return result;
}

void LaidOutMemory::store(const Pointer &pointer, const Place &place, llvm::Value *value, const MemoryAccess &access) {
  const TypeInfo &info = *place.type;
  const auto leaf = [&](llvm::Value *stored, uint64_t offset) {
    const unsigned flags = (pointer.flags | access.flags) & ~unsigned(lgc::ReadOnly);
    storeLeaf(pointer, stored, place.offset + offset, flags, access.alignment);
  };
  if (info.kind == TypeKind::Vector && place.componentStride) {
    for (uint32_t i = 0; i < info.count; ++i) {
      llvm::Value *component = m_builder.CreateExtractElement(value, uint64_t(i));
      leaf(m_context.forms.toMemory(m_context.type(info.element), component), uint64_t(i) * place.componentStride);
    }
    return;
  }
  if (!info.hasParts()) {
    leaf(m_context.forms.toMemory(info, value), 0);
    return;
  }
  if (info.kind != TypeKind::Matrix || !place.matrix.rowMajor) {
    for (uint32_t i = 0; i < info.partCount(); ++i)
      store(pointer, partOf(place, i), m_builder.CreateExtractValue(value, i), access);
    return;
  }
  const TypeInfo &column = m_context.type(info.element);
  auto *rowType = llvm::FixedVectorType::get(m_context.type(column.element).memory, info.count);
  for (uint32_t r = 0; r < column.count; ++r) {
    llvm::Value *row = llvm::PoisonValue::get(rowType);
    for (uint32_t c = 0; c < info.count; ++c) {
      llvm::Value *element = m_builder.CreateExtractElement(m_builder.CreateExtractValue(value, c), uint64_t(r));
      row = m_builder.CreateInsertElement(row, element, uint64_t(c));
    }
    leaf(row, uint64_t(r) * place.matrix.stride);
  }
}

llvm::Value *LaidOutMemory::load(const Pointer &from, const MemoryAccess &access) {
  return load(from, placeOf(from), access);
}

void LaidOutMemory::store(const Pointer &to, llvm::Value *value, const MemoryAccess &access) {
  store(to, placeOf(to), value, access);
}

} // namespace dovetail::spirv
