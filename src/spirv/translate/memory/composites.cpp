// SPDX-License-Identifier: MIT
#include "src/spirv/translate/memory/composites.h"
#include "src/spirv/translate/context/operand_kinds.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

constexpr uint64_t MinMemoryScalars = 128;
constexpr uint64_t MinCopyScalars = 64;

bool isVolatile(unsigned flags) {
  return (flags & (lgc::Volatile | lgc::Coherent)) != 0;
}

bool isArrayOrStruct(const TypeInfo &info) {
  return info.kind == TypeKind::Array || info.kind == TypeKind::Struct;
}

} // namespace

llvm::Value *extractValue(lgc::Builder &builder, llvm::Value *whole, std::span<const uint32_t> path) {
  for (uint32_t index : path)
    whole = whole->getType()->isVectorTy() ? builder.CreateExtractElement(whole, uint64_t(index))
                                           : builder.CreateExtractValue(whole, index);
  return whole;
}

bool Composites::liesInMemory(const TypeInfo &info) const {
  return m_context.values.scope() && isArrayOrStruct(info) && info.memory && m_ownMemory.hasRoom() &&
         info.scalarCount <= MaxValueScalars &&
         (info.scalarCount >= MinMemoryScalars || m_context.types.isOpaqueArray(info));
}

void Composites::setTemporary(const Instruction &inst, const Pointer &memory) {
  m_temporaries[inst.result] = m_context.values.block();
  m_context.values.setComposite(inst, memory);
}

// Whether nothing is written between a load and the last use of its result.
bool Composites::isUsedBeforeWrites(const Instruction &load) const {
  std::unordered_map<uint32_t, uint32_t> left = {
      {load.result, m_context.values.useCount(load.result)}}; // uses of it and its parts
  const std::vector<Instruction> &instructions = m_context.values.block()->instructions;
  for (size_t i = static_cast<size_t>(&load - instructions.data()) + 1; i < instructions.size(); ++i) {
    const Instruction &next = instructions[i];
    bool isUse = false;
    for (uint32_t id : valueOperands(next))
      if (auto found = left.find(id); found != left.end()) {
        isUse = true;
        if (--found->second == 0)
          left.erase(found);
      }
    const bool isSame = next.opcode == spv::Op::OpCopyObject || next.opcode == spv::Op::OpCopyLogical;
    if (isUse && (isSame || next.opcode == spv::Op::OpCompositeExtract) && liesInMemory(m_context.resultType(next)) &&
        m_context.values.useCount(next.result))
      left[next.result] = m_context.values.useCount(next.result);
    if (!isSame && !isPure(next.opcode))
      return next.opcode == spv::Op::OpStore && isUse && left.empty();
    if (left.empty())
      return true;
  }
  return false;
}

Result<std::shared_ptr<const Pointer>> Composites::load(const Instruction &inst, const Pointer &from,
                                                        const MemoryAccess &access) {
  Pointer source = from;
  DOVETAIL_CHECK(m_pointers.open(inst, source));
  source.flags |= access.flags;
  const bool isConstant = source.kind == Pointer::Kind::PushConstant ||
                          (source.kind == Pointer::Kind::Buffer && (source.flags & lgc::ReadOnly));
  if (isVolatile(source.flags) ||
      (!isConstant && source.kind != Pointer::Kind::Buffer && source.kind != Pointer::Kind::Memory))
    return nullptr;
  if (isConstant || isUsedBeforeWrites(inst))
    return std::make_shared<const Pointer>(std::move(source));
  Pointer temporary = m_ownMemory.createTemporary(m_context.type(source.pointee));
  DOVETAIL_CHECK(copy(inst, temporary, source, {}));
  return std::make_shared<const Pointer>(std::move(temporary));
}

// Copies element by element, each loaded and stored in turn. Arrays that are too long for registers are copied as a
// whole.
Result<void> Composites::copyElements(const Instruction &inst, const Pointer &to, const Pointer &from,
                                      const MemoryAccess &access) {
  const TypeInfo &info = m_context.type(to.pointee);
  if (isOpaque(info)) {
    const ImageValue element = DOVETAIL_TRY(m_descriptors.load(inst, from, info.id));
    m_descriptors.store(to, element);
    return {};
  }
  if (!isArrayOrStruct(info)) {
    llvm::Value *element = DOVETAIL_TRY(m_memory.load(inst, from));
    return m_memory.store(inst, to, element, access);
  }
  if (info.kind == TypeKind::Array && info.scalarCount >= MinCopyScalars && to.kind == Pointer::Kind::Memory &&
      from.kind == Pointer::Kind::Memory && info.memory == m_context.type(from.pointee).memory) {
    m_ownMemory.copy(to, from);
    return {};
  }
  for (uint32_t i = 0; i < info.partCount(); ++i) {
    Pointer toElement = to, fromElement = from;
    DOVETAIL_CHECK(m_pointers.stepMemory(inst, toElement, m_builder.getInt32(i)));
    DOVETAIL_CHECK(m_pointers.stepElement(inst, fromElement, m_builder.getInt32(i)));
    DOVETAIL_CHECK(copyElements(inst, toElement, fromElement, access));
  }
  return {};
}

Result<void> Composites::copy(const Instruction &inst, const Pointer &to, const Pointer &from,
                              const MemoryAccess &access) {
  Pointer target = to;
  DOVETAIL_CHECK(m_pointers.open(inst, target));
  const bool isFromOwn =
      from.kind == Pointer::Kind::Memory || from.kind == Pointer::Kind::PushConstant || (from.flags & lgc::ReadOnly);
  const bool isLaidOut = target.kind == Pointer::Kind::Buffer || target.kind == Pointer::Kind::Physical;
  // Buffers may overlap, so the source is read as a whole before anything is written to the target.
  if (isVolatile(target.flags | access.flags) || (target.kind != Pointer::Kind::Memory && !(isLaidOut && isFromOwn))) {
    llvm::Value *all = DOVETAIL_TRY(m_memory.load(inst, from));
    return m_memory.store(inst, target, all, access);
  }
  if (target.kind == Pointer::Kind::Memory && target.storage == spv::StorageClass::Output) {
    DOVETAIL_CHECK(m_outputs.noteStore(inst, target));
    target.storage = spv::StorageClass::Function; // the store is already noted as a whole
  }
  return copyElements(inst, target, from, access);
}

Result<void> Composites::store(const Instruction &inst, const Pointer &to, uint32_t id, const MemoryAccess &access) {
  const IdValue *bound = m_context.values.find(id);
  if (bound && bound->composite) {
    const std::shared_ptr<const Pointer> from = bound->composite; // a reference into the table of ids could dangle
    return copy(inst, to, *from, access);
  }
  if (bound && bound->image && to.kind == Pointer::Kind::Memory) {
    m_descriptors.store(to, *bound->image);
    return {};
  }
  llvm::Value *stored = DOVETAIL_TRY(m_operands.value(inst, id));
  return m_memory.store(inst, to, stored, access);
}

// Extracts a part of a composite in memory; a large part stays there.
Result<void> Composites::extract(const Instruction &inst, Pointer part) {
  if (m_context.types.isOpaqueArray(m_context.type(part.pointee)))
    return extractOpaque(inst, std::move(part));
  std::span<const uint32_t> path = inst.operands.subspan(1);
  for (; !path.empty() && isArrayOrStruct(m_context.type(part.pointee)); path = path.subspan(1))
    DOVETAIL_CHECK(m_pointers.stepMemory(inst, part, m_builder.getInt32(path.front())));
  if (path.empty() && liesInMemory(m_context.type(part.pointee))) {
    m_context.values.setComposite(inst, std::move(part));
    return {};
  }
  llvm::Value *loaded = DOVETAIL_TRY(m_memory.load(inst, part));
  m_context.values.setValue(inst, extractValue(m_builder, loaded, path));
  return {};
}

Result<void> Composites::extractOpaque(const Instruction &inst, Pointer array) {
  for (uint32_t index : inst.operands.subspan(1))
    DOVETAIL_CHECK(m_pointers.stepElement(inst, array, m_builder.getInt32(index)));
  if (m_context.types.isOpaqueArray(m_context.type(array.pointee))) {
    m_context.values.setComposite(inst, std::move(array));
    return {};
  }
  const ImageValue image = DOVETAIL_TRY(m_descriptors.load(inst, array, array.pointee));
  m_context.values.setImage(inst, image);
  return {};
}

Result<void> Composites::construct(const Instruction &inst) {
  const Pointer whole = m_ownMemory.createTemporary(m_context.resultType(inst));
  for (size_t i = 0; i < inst.operandCount(); ++i) {
    Pointer part = whole;
    DOVETAIL_CHECK(m_pointers.stepMemory(inst, part, m_builder.getInt32(static_cast<uint32_t>(i))));
    DOVETAIL_CHECK(store(inst, part, inst.operand(i), {}));
  }
  setTemporary(inst, whole);
  return {};
}

Result<void> Composites::select(const Instruction &inst, llvm::Value *condition) {
  const Pointer whole = m_ownMemory.createTemporary(m_context.resultType(inst));
  DOVETAIL_CHECK(store(inst, whole, inst.operand(2), {}));
  llvm::BasicBlock *ifTrue = m_context.createBlock();
  llvm::BasicBlock *after = m_context.createBlock();
  m_builder.CreateCondBr(m_builder.CreateFreeze(condition), ifTrue, after);
  m_builder.SetInsertPoint(ifTrue);
  DOVETAIL_CHECK(store(inst, whole, inst.operand(1), {}));
  m_builder.CreateBr(after);
  m_builder.SetInsertPoint(after);
  setTemporary(inst, whole);
  return {};
}

// Inserts a part. If nothing else uses the old value's temporary, the part is stored into it directly.
Result<void> Composites::insert(const Instruction &inst) {
  const uint32_t old = inst.operand(1);
  const IdValue *bound = m_context.values.find(old);
  auto owner = m_temporaries.find(old);
  const bool isInPlace = bound && bound->composite && owner != m_temporaries.end() &&
                         owner->second == m_context.values.block() && m_context.values.block() &&
                         m_context.values.useCount(old) == 1;
  const Pointer whole = isInPlace ? *bound->composite : m_ownMemory.createTemporary(m_context.resultType(inst));
  if (!isInPlace)
    DOVETAIL_CHECK(store(inst, whole, old, {}));
  Pointer part = whole;
  for (uint32_t index : inst.operands.subspan(2))
    DOVETAIL_CHECK(m_pointers.stepMemory(inst, part, m_builder.getInt32(index)));
  DOVETAIL_CHECK(store(inst, part, inst.operand(0), {}));
  setTemporary(inst, whole);
  return {};
}

} // namespace dovetail::spirv
