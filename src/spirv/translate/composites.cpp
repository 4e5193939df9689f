// SPDX-License-Identifier: MIT
//
// Large arrays and structures as values. LLVM handles a value of an aggregate type element by element, wherever it
// goes. So such a value is represented by memory that holds it and does not change any more. Copies go from memory to
// memory, and only the used parts are loaded. Optimisation removes copies whose places are all known.
//
// The memory is
//   - the place that was loaded from, if nothing can write it: uniforms, push constants, read-only storage buffers;
//   - the same, if all uses of the value come before anything that may write: it need not keep its value longer;
//   - otherwise a temporary variable.
// Small composites stay LLVM values.
#include "src/spirv/translate/pure.h"
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

constexpr uint64_t MinMemoryScalars = 128;
constexpr uint64_t MinCopyScalars = 64;
// The most bytes of all temporaries. Beyond this, composites are LLVM values again.
constexpr uint64_t MaxTemporaryBytes = 4 << 20;

bool isVolatile(unsigned flags) {
  return (flags & (lgc::Volatile | lgc::Coherent)) != 0;
}

bool isArrayOrStruct(const TypeInfo &info) {
  return info.kind == TypeKind::Array || info.kind == TypeKind::Struct;
}

} // namespace

std::span<const uint32_t> Translator::valueOperands(const Instruction &inst) {
  switch (inst.opcode) {
  case spv::Op::OpLoad:
  case spv::Op::OpCompositeExtract:
  case spv::Op::OpSwitch:
    return inst.operands.first(1);
  case spv::Op::OpStore:
  case spv::Op::OpCompositeInsert:
  case spv::Op::OpVectorShuffle:
    return inst.operands.first(2);
  default:
    return inst.operands;
  }
}

bool Translator::liesInMemory(const TypeInfo &info) const {
  return m_scope && isArrayOrStruct(info) && info.memory && m_temporaryBytes < MaxTemporaryBytes &&
         info.scalarCount <= MaxValueScalars && (info.scalarCount >= MinMemoryScalars || isOpaqueArray(info));
}

Pointer Translator::createTemporary(const TypeInfo &info) {
  const llvm::DataLayout &layout = m_target.getDataLayout();
  m_temporaryBytes += layout.getTypeAllocSize(info.memory).getFixedValue();
  llvm::IRBuilder<>::InsertPointGuard guard(m_builder);
  m_builder.SetInsertPoint(m_entryBlock, m_entryBlock->begin());
  Pointer temporary;
  temporary.pointee = info.id;
  temporary.base = m_builder.CreateAlloca(info.memory, layout.getAllocaAddrSpace());
  return temporary;
}

// Whether nothing is written between a load and the last use of its result.
bool Translator::isUsedBeforeWrites(const Instruction &load) const {
  std::unordered_map<uint32_t, uint32_t> left = {{load.result, m_useCounts[load.result]}}; // uses of it and its parts
  const std::vector<Instruction> &instructions = m_block->instructions;
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
    if (isUse && (isSame || next.opcode == spv::Op::OpCompositeExtract) && liesInMemory(resultType(next)) &&
        m_useCounts[next.result])
      left[next.result] = m_useCounts[next.result];
    if (!isSame && !isPure(next.opcode))
      return next.opcode == spv::Op::OpStore && isUse && left.empty();
    if (left.empty())
      return true;
  }
  return false;
}

Result<std::shared_ptr<const Pointer>> Translator::loadComposite(const Instruction &inst, const Pointer &from,
                                                                 const MemoryAccess &access) {
  Pointer source = from;
  if (source.kind == Pointer::Kind::Resource)
    DOVETAIL_CHECK(openBlock(inst, source));
  source.flags |= access.flags;
  const bool isConstant = source.kind == Pointer::Kind::PushConstant ||
                          (source.kind == Pointer::Kind::Buffer && (source.flags & lgc::ReadOnly));
  if (isVolatile(source.flags) ||
      (!isConstant && source.kind != Pointer::Kind::Buffer && source.kind != Pointer::Kind::Memory))
    return nullptr;
  if (isConstant || isUsedBeforeWrites(inst))
    return std::make_shared<const Pointer>(std::move(source));
  Pointer temporary = createTemporary(type(source.pointee));
  DOVETAIL_CHECK(copyComposite(inst, temporary, source, {}));
  return std::make_shared<const Pointer>(std::move(temporary));
}

// Copies element by element, each loaded and stored in turn. Arrays that are too long for registers are copied as a
// whole.
Result<void> Translator::copyElements(const Instruction &inst, const Pointer &to, const Pointer &from,
                                      const MemoryAccess &access) {
  const TypeInfo &info = type(to.pointee);
  if (isOpaque(info)) {
    const ImageValue element = DOVETAIL_TRY(loadResource(inst, from, info.id));
    storeDescriptors(to, element);
    return {};
  }
  if (!isArrayOrStruct(info)) {
    Value *element = DOVETAIL_TRY(load(inst, from));
    return store(inst, to, element, access);
  }
  if (info.kind == TypeKind::Array && info.scalarCount >= MinCopyScalars && to.kind == Pointer::Kind::Memory &&
      from.kind == Pointer::Kind::Memory && info.memory == type(from.pointee).memory) {
    const llvm::DataLayout &layout = m_target.getDataLayout();
    const llvm::Align alignment = layout.getABITypeAlign(info.memory);
    m_builder.CreateMemCpy(to.base, alignment, from.base, alignment,
                           layout.getTypeAllocSize(info.memory).getFixedValue());
    return {};
  }
  const uint32_t count = info.kind == TypeKind::Array ? info.count : static_cast<uint32_t>(info.members.size());
  for (uint32_t i = 0; i < count; ++i) {
    Pointer toElement = to, fromElement = from;
    DOVETAIL_CHECK(stepMemory(inst, toElement, m_builder.getInt32(i)));
    DOVETAIL_CHECK(stepElement(inst, fromElement, m_builder.getInt32(i)));
    DOVETAIL_CHECK(copyElements(inst, toElement, fromElement, access));
  }
  return {};
}

Result<void> Translator::copyComposite(const Instruction &inst, const Pointer &to, const Pointer &from,
                                       const MemoryAccess &access) {
  Pointer target = to;
  if (target.kind == Pointer::Kind::Resource)
    DOVETAIL_CHECK(openBlock(inst, target));
  const bool isFromOwn =
      from.kind == Pointer::Kind::Memory || from.kind == Pointer::Kind::PushConstant || (from.flags & lgc::ReadOnly);
  const bool isLaidOut = target.kind == Pointer::Kind::Buffer || target.kind == Pointer::Kind::Physical;
  // Buffers may overlap, so the source is read as a whole before anything is written to the target.
  if (isVolatile(target.flags | access.flags) || (target.kind != Pointer::Kind::Memory && !(isLaidOut && isFromOwn))) {
    Value *all = DOVETAIL_TRY(load(inst, from));
    return store(inst, target, all, access);
  }
  if (target.kind == Pointer::Kind::Memory && target.storage == spv::StorageClass::Output) {
    DOVETAIL_CHECK(noteOutputStore(inst, target));
    target.storage = spv::StorageClass::Function; // the store is already noted as a whole
  }
  return copyElements(inst, target, from, access);
}

Result<void> Translator::storeBound(const Instruction &inst, const Pointer &to, uint32_t id,
                                    const MemoryAccess &access) {
  const IdValue *bound = find(id);
  if (bound && bound->composite) {
    const std::shared_ptr<const Pointer> from = bound->composite; // a reference into the table of ids could dangle
    return copyComposite(inst, to, *from, access);
  }
  if (bound && bound->image && to.kind == Pointer::Kind::Memory) {
    storeDescriptors(to, *bound->image);
    return {};
  }
  Value *stored = DOVETAIL_TRY(value(inst, id));
  return store(inst, to, stored, access);
}

void Translator::setComposite(const Instruction &inst, Pointer memory) {
  bind(inst.result, {nullptr, nullptr, nullptr, std::make_shared<const Pointer>(std::move(memory))});
}

// Extracts a part of a composite in memory; a large part stays there.
Result<void> Translator::extractFromMemory(const Instruction &inst, Pointer part) {
  if (isOpaqueArray(type(part.pointee)))
    return extractOpaque(inst, std::move(part));
  std::span<const uint32_t> path = inst.operands.subspan(1);
  for (; !path.empty() && isArrayOrStruct(type(part.pointee)); path = path.subspan(1))
    DOVETAIL_CHECK(stepMemory(inst, part, m_builder.getInt32(path.front())));
  if (path.empty() && liesInMemory(type(part.pointee))) {
    setComposite(inst, std::move(part));
    return {};
  }
  Value *loaded = DOVETAIL_TRY(load(inst, part));
  setValue(inst, extractValue(loaded, path));
  return {};
}

Result<void> Translator::constructInMemory(const Instruction &inst) {
  const Pointer whole = createTemporary(resultType(inst));
  for (size_t i = 0; i < inst.operandCount(); ++i) {
    Pointer part = whole;
    DOVETAIL_CHECK(stepMemory(inst, part, m_builder.getInt32(static_cast<uint32_t>(i))));
    DOVETAIL_CHECK(storeBound(inst, part, inst.operand(i), {}));
  }
  m_ownTemporaries[inst.result] = m_block;
  setComposite(inst, whole);
  return {};
}

Result<void> Translator::selectInMemory(const Instruction &inst, Value *condition) {
  const Pointer whole = createTemporary(resultType(inst));
  DOVETAIL_CHECK(storeBound(inst, whole, inst.operand(2), {}));
  llvm::BasicBlock *ifTrue = llvm::BasicBlock::Create(m_context, "", m_main);
  llvm::BasicBlock *after = llvm::BasicBlock::Create(m_context, "", m_main);
  m_builder.CreateCondBr(m_builder.CreateFreeze(condition), ifTrue, after);
  m_builder.SetInsertPoint(ifTrue);
  DOVETAIL_CHECK(storeBound(inst, whole, inst.operand(1), {}));
  m_builder.CreateBr(after);
  m_builder.SetInsertPoint(after);
  m_ownTemporaries[inst.result] = m_block;
  setComposite(inst, whole);
  return {};
}

// Inserts a part. If nothing else uses the old value's temporary, the part is stored into it directly.
Result<void> Translator::insertInMemory(const Instruction &inst) {
  const uint32_t old = inst.operand(1);
  const IdValue *bound = find(old);
  auto owner = m_ownTemporaries.find(old);
  const bool isInPlace = bound && bound->composite && owner != m_ownTemporaries.end() && owner->second == m_block &&
                         m_block && m_useCounts[old] == 1;
  const Pointer whole = isInPlace ? *bound->composite : createTemporary(resultType(inst));
  if (!isInPlace)
    DOVETAIL_CHECK(storeBound(inst, whole, old, {}));
  Pointer part = whole;
  for (uint32_t index : inst.operands.subspan(2))
    DOVETAIL_CHECK(stepMemory(inst, part, m_builder.getInt32(index)));
  DOVETAIL_CHECK(storeBound(inst, part, inst.operand(0), {}));
  m_ownTemporaries[inst.result] = m_block;
  setComposite(inst, whole);
  return {};
}

} // namespace dovetail::spirv
