// SPDX-License-Identifier: MIT
//
// Loads and stores of explicitly laid out memory: buffers, push constants, buffer addresses, shared memory. A composite
// is taken apart into vectors and scalars, each with a constant offset from the pointer. The recursion is as deep as
// the type, which MaxTypeDepth bounds.
#include "src/spirv/translate/translator.h"
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

llvm::Value *Translator::sharedAddress(const Pointer &pointer, uint64_t offset) {
  return m_builder.CreateGEP(m_builder.getInt8Ty(), pointer.base,
                             m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)));
}

// Loads one scalar or vector whose components are side by side in memory.
llvm::Value *Translator::loadLeaf(const Pointer &pointer, llvm::Type *leafType, uint64_t offset, unsigned flags,
                                  uint32_t alignment) {
  switch (pointer.kind) {
  case Pointer::Kind::PushConstant:
    return m_builder.CreateLoadPushConstant(leafType, m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)));
  case Pointer::Kind::Physical: {
    Value *address = m_builder.CreateAdd(pointer.base, m_builder.getInt64(offset));
    Value *memory =
        m_builder.CreateIntToPtr(address, llvm::PointerType::get(m_context, llvm::AMDGPUAS::GLOBAL_ADDRESS));
    return m_builder.CreateAlignedLoad(leafType, memory, alignmentOf(leafType, alignment), isVolatileAccess(flags));
  }
  case Pointer::Kind::SharedBlock:
    return m_builder.CreateAlignedLoad(leafType, sharedAddress(pointer, offset), alignmentOf(leafType, alignment),
                                       (flags & lgc::Volatile) != 0);
  default:
    return m_builder.CreateBufferLoad(leafType, pointer.base,
                                      m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)), flags);
  }
}

void Translator::storeLeaf(const Pointer &pointer, Value *value, uint64_t offset, unsigned flags, uint32_t alignment) {
  if (pointer.kind == Pointer::Kind::Physical) {
    Value *address = m_builder.CreateAdd(pointer.base, m_builder.getInt64(offset));
    Value *memory =
        m_builder.CreateIntToPtr(address, llvm::PointerType::get(m_context, llvm::AMDGPUAS::GLOBAL_ADDRESS));
    m_builder.CreateAlignedStore(value, memory, alignmentOf(value->getType(), alignment), isVolatileAccess(flags));
    return;
  }
  if (pointer.kind == Pointer::Kind::SharedBlock) {
    m_builder.CreateAlignedStore(value, sharedAddress(pointer, offset), alignmentOf(value->getType(), alignment),
                                 (flags & lgc::Volatile) != 0);
    return;
  }
  m_builder.CreateBufferStore(value, pointer.base, m_builder.CreateAdd(pointer.offset, m_builder.getInt32(offset)),
                              flags);
}

llvm::Value *Translator::loadLaidOut(const Pointer &pointer, const TypeInfo &info, const MatrixLayout &matrix,
                                     uint32_t componentStride, uint64_t offset, const MemoryAccess &access) {
  unsigned flags = pointer.flags | access.flags;
  switch (info.kind) {
  case TypeKind::Vector: {
    if (!componentStride)
      return toValueForm(info, loadLeaf(pointer, info.memory, offset, flags, access.alignment));
    Value *vector = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.count; ++i) {
      Value *component =
          loadLeaf(pointer, type(info.element).memory, offset + uint64_t(i) * componentStride, flags, access.alignment);
      vector = m_builder.CreateInsertElement(vector, toValueForm(type(info.element), component), uint64_t(i));
    }
    return vector;
  }
  case TypeKind::Matrix: {
    const TypeInfo &column = type(info.element);
    Value *result = llvm::PoisonValue::get(info.value);
    if (!matrix.rowMajor) {
      for (uint32_t i = 0; i < info.count; ++i)
        result = m_builder.CreateInsertValue(
            result, loadLeaf(pointer, column.memory, offset + uint64_t(i) * matrix.stride, flags, access.alignment), i);
      return result;
    }
    // Loads whole rows, and puts the columns together from them.
    auto *rowType = llvm::FixedVectorType::get(type(column.element).memory, info.count);
    llvm::SmallVector<Value *, 4> rows;
    for (uint32_t r = 0; r < column.count; ++r)
      rows.push_back(loadLeaf(pointer, rowType, offset + uint64_t(r) * matrix.stride, flags, access.alignment));
    for (uint32_t c = 0; c < info.count; ++c) {
      Value *vector = llvm::PoisonValue::get(column.value);
      for (uint32_t r = 0; r < column.count; ++r)
        vector =
            m_builder.CreateInsertElement(vector, m_builder.CreateExtractElement(rows[r], uint64_t(c)), uint64_t(r));
      result = m_builder.CreateInsertValue(result, vector, c);
    }
    return result;
  }
  case TypeKind::Array: {
    Value *result = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.count; ++i)
      result = m_builder.CreateInsertValue(
          result, loadLaidOut(pointer, type(info.element), matrix, 0, offset + uint64_t(i) * info.arrayStride, access),
          i);
    return result;
  }
  case TypeKind::Struct: {
    Value *result = llvm::PoisonValue::get(info.value);
    for (uint32_t i = 0; i < info.members.size(); ++i) {
      const StructMember &member = info.members[i];
      result = m_builder.CreateInsertValue(
          result, loadLaidOut(pointer, type(member.type), member.matrix, 0, offset + member.offset, access), i);
    }
    return result;
  }
  default:
    return toValueForm(info, loadLeaf(pointer, info.memory, offset, flags, access.alignment));
  }
}

void Translator::storeLaidOut(const Pointer &pointer, const TypeInfo &info, const MatrixLayout &matrix,
                              uint32_t componentStride, uint64_t offset, Value *value, const MemoryAccess &access) {
  unsigned flags = (pointer.flags | access.flags) & ~unsigned(lgc::ReadOnly);
  switch (info.kind) {
  case TypeKind::Vector:
    if (!componentStride) {
      storeLeaf(pointer, toMemoryForm(info, value), offset, flags, access.alignment);
      return;
    }
    for (uint32_t i = 0; i < info.count; ++i) {
      Value *component = toMemoryForm(type(info.element), m_builder.CreateExtractElement(value, uint64_t(i)));
      storeLeaf(pointer, component, offset + uint64_t(i) * componentStride, flags, access.alignment);
    }
    return;
  case TypeKind::Matrix: {
    const TypeInfo &column = type(info.element);
    if (!matrix.rowMajor) {
      for (uint32_t i = 0; i < info.count; ++i)
        storeLeaf(pointer, m_builder.CreateExtractValue(value, i), offset + uint64_t(i) * matrix.stride, flags,
                  access.alignment);
      return;
    }
    auto *rowType = llvm::FixedVectorType::get(type(column.element).memory, info.count);
    for (uint32_t r = 0; r < column.count; ++r) {
      Value *row = llvm::PoisonValue::get(rowType);
      for (uint32_t c = 0; c < info.count; ++c) {
        Value *element = m_builder.CreateExtractElement(m_builder.CreateExtractValue(value, c), uint64_t(r));
        row = m_builder.CreateInsertElement(row, element, uint64_t(c));
      }
      storeLeaf(pointer, row, offset + uint64_t(r) * matrix.stride, flags, access.alignment);
    }
    return;
  }
  case TypeKind::Array:
    for (uint32_t i = 0; i < info.count; ++i)
      storeLaidOut(pointer, type(info.element), matrix, 0, offset + uint64_t(i) * info.arrayStride,
                   m_builder.CreateExtractValue(value, i), access);
    return;
  case TypeKind::Struct:
    for (uint32_t i = 0; i < info.members.size(); ++i) {
      const StructMember &member = info.members[i];
      storeLaidOut(pointer, type(member.type), member.matrix, 0, offset + member.offset,
                   m_builder.CreateExtractValue(value, i), access);
    }
    return;
  default:
    storeLeaf(pointer, toMemoryForm(info, value), offset, flags, access.alignment);
    return;
  }
}

} // namespace dovetail::spirv
