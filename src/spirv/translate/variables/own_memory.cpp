// SPDX-License-Identifier: MIT
#include "src/spirv/translate/variables/own_memory.h"
#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

namespace {

// A wave's scratch is at most 8 MiB, 128 KiB for each lane. Optimisation removes most allocas first, so the limit is
// higher.
constexpr uint64_t MaxAllocaBytes = 1 << 20;
// The most bytes of all temporaries.
constexpr uint64_t MaxTemporaryBytes = 4 << 20;
// A constant array of at least this many scalars is kept in memory, where a dynamic index finds its element. Smaller
// ones are kept in registers.
constexpr uint64_t MinConstantTableScalars = 8;
// Larger variables are memory: as values, they would be loaded and stored in as many pieces.
constexpr uint64_t MaxPromotedScalars = 127;

} // namespace

llvm::Value *OwnMemory::createAlloca(llvm::Type *type) {
  llvm::IRBuilder<>::InsertPointGuard guard(m_builder);
  m_builder.SetInsertPoint(m_context.entryBlock, m_context.entryBlock->begin());
  return m_builder.CreateAlloca(type, m_context.target.getDataLayout().getAllocaAddrSpace());
}

Result<Pointer> OwnMemory::createVariable(const Instruction &inst, const TypeInfo &info, spv::StorageClass storage) {
  if (!info.memory)
    return unsupported(inst, "a variable of this opaque or unsized type is not supported");
  // Scalars take at most 8 bytes, or 16 with the padding of three-component vectors.
  uint64_t bytes = info.scalarCount > MaxAllocaBytes
                       ? info.scalarCount
                       : m_context.target.getDataLayout().getTypeAllocSize(info.memory).getFixedValue();
  m_variableBytes += std::min(bytes, MaxAllocaBytes + 1);
  if (bytes > MaxAllocaBytes || m_variableBytes > 4 * MaxAllocaBytes)
    return unsupported(inst, fmt::format("variables of more than {} bytes are not supported", MaxAllocaBytes));
  Pointer pointer;
  pointer.storage = storage;
  pointer.pointee = info.id;
  if (!m_uses.needsAddress(inst.result) && info.value && info.scalarCount <= MaxPromotedScalars) {
    pointer.kind = Pointer::Kind::Promoted;
    pointer.leaf = m_values.declare(info).first;
    return pointer;
  }
  pointer.base = createAlloca(info.memory);
  if (auto name = m_context.module.names.find(inst.result); name != m_context.module.names.end())
    pointer.base->setName(name->second);
  return pointer;
}

bool OwnMemory::hasRoom() const {
  return m_temporaryBytes < MaxTemporaryBytes;
}

Pointer OwnMemory::createTemporary(const TypeInfo &info) {
  m_temporaryBytes += m_context.target.getDataLayout().getTypeAllocSize(info.memory).getFixedValue();
  Pointer temporary;
  temporary.pointee = info.id;
  temporary.base = createAlloca(info.memory);
  return temporary;
}

void OwnMemory::step(Pointer &pointer, llvm::Value *index) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (pointer.kind == Pointer::Kind::Promoted)
    stepPromoted(pointer, static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue()));
  else
    pointer.base = m_builder.CreateGEP(info.memory, pointer.base, {m_builder.getInt32(0), index});
  if (constant && !pointer.outputPathEnds)
    pointer.outputPath.push_back(constant->getZExtValue());
  else
    pointer.outputPathEnds = true;
  pointer.pointee = info.partType(constant ? static_cast<uint32_t>(constant->getZExtValue()) : 0);
}

void OwnMemory::move(Pointer &pointer, llvm::Value *index) {
  pointer.base = m_builder.CreateGEP(m_context.type(pointer.pointee).memory, pointer.base, index);
}

LeafRange OwnMemory::leavesOf(const Pointer &pointer) const {
  return {pointer.leaf, static_cast<uint32_t>(m_context.type(pointer.pointee).leafCount)};
}

void OwnMemory::stepPromoted(Pointer &pointer, uint32_t index) {
  const TypeInfo &info = m_context.type(pointer.pointee);
  if (info.kind == TypeKind::Vector)
    pointer.component = index;
  else if (info.kind != TypeKind::Struct)
    pointer.leaf += index * static_cast<uint32_t>(m_context.type(info.element).leafCount);
  else
    for (uint32_t i = 0; i < index; ++i)
      pointer.leaf += static_cast<uint32_t>(m_context.type(info.members[i].type).leafCount);
}

llvm::Value *OwnMemory::loadPromoted(const Pointer &from) {
  const TypeInfo &info = m_context.type(from.pointee);
  if (from.component)
    return m_builder.CreateExtractElement(m_values.read(from.leaf), uint64_t(*from.component));
  if (!info.hasParts())
    return m_values.read(from.leaf);
  llvm::Value *whole = llvm::PoisonValue::get(info.value);
  for (uint32_t i = 0; i < info.partCount(); ++i) {
    Pointer part = from;
    stepPromoted(part, i);
    part.pointee = info.partType(i);
    whole = m_builder.CreateInsertValue(whole, loadPromoted(part), i);
  }
  return whole;
}

void OwnMemory::storePromoted(const Pointer &to, llvm::Value *value) {
  const TypeInfo &info = m_context.type(to.pointee);
  if (to.component)
    value = m_builder.CreateInsertElement(m_values.read(to.leaf), value, uint64_t(*to.component));
  if (!info.hasParts()) {
    m_values.write(to.leaf, value);
    return;
  }
  for (uint32_t i = 0; i < info.partCount(); ++i) {
    Pointer part = to;
    stepPromoted(part, i);
    part.pointee = info.partType(i);
    storePromoted(part, m_builder.CreateExtractValue(value, i));
  }
}

llvm::Value *OwnMemory::load(const Pointer &from, const MemoryAccess &access) {
  if (from.kind == Pointer::Kind::Promoted)
    return loadPromoted(from);
  const TypeInfo &info = m_context.type(from.pointee);
  bool isVolatile = ((from.flags | access.flags) & lgc::Volatile) != 0;
  return m_context.forms.toValue(info, m_builder.CreateLoad(info.memory, from.base, isVolatile));
}

Result<void> OwnMemory::store(const Instruction &inst, const Pointer &to, llvm::Value *value,
                              const MemoryAccess &access) {
  const TypeInfo &info = m_context.type(to.pointee);
  if (to.kind == Pointer::Kind::Promoted) {
    storePromoted(to, value);
    return {};
  }
  llvm::Value *stored = m_context.forms.toMemory(info, value);
  auto *constant = llvm::dyn_cast<llvm::Constant>(stored);
  if (constant && info.kind != TypeKind::Vector && info.scalarCount >= MinConstantTableScalars &&
      to.storage != spv::StorageClass::Workgroup) {
    storeTable(to, constant);
    return {};
  }
  DOVETAIL_TRY(m_context.types.valueType(inst, info.id));
  m_builder.CreateStore(stored, to.base, ((to.flags | access.flags) & lgc::Volatile) != 0);
  return {};
}

void OwnMemory::storeTable(const Pointer &to, llvm::Constant *constant) {
  if (llvm::isa<llvm::UndefValue>(constant))
    return;
  const llvm::DataLayout &layout = m_context.target.getDataLayout();
  llvm::Align alignment = layout.getABITypeAlign(constant->getType());
  uint64_t bytes = layout.getTypeAllocSize(constant->getType()).getFixedValue();
  if (constant->isNullValue()) {
    m_builder.CreateMemSet(to.base, m_builder.getInt8(0), bytes, alignment);
    return;
  }
  // A copy from constant memory. If nothing else stores to the variable, optimisation reads the constant directly.
  auto *table =
      new llvm::GlobalVariable(m_context.target, constant->getType(), true, llvm::GlobalValue::PrivateLinkage, constant,
                               "table", nullptr, llvm::GlobalValue::NotThreadLocal, llvm::AMDGPUAS::CONSTANT_ADDRESS);
  table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  table->setAlignment(alignment);
  m_builder.CreateMemCpy(to.base, alignment, table, alignment, bytes);
}

void OwnMemory::copy(const Pointer &to, const Pointer &from) {
  llvm::Type *type = m_context.type(to.pointee).memory;
  const llvm::DataLayout &layout = m_context.target.getDataLayout();
  const llvm::Align alignment = layout.getABITypeAlign(type);
  m_builder.CreateMemCpy(to.base, alignment, from.base, alignment, layout.getTypeAllocSize(type).getFixedValue());
}

} // namespace dovetail::spirv
