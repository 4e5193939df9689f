// SPDX-License-Identifier: MIT
//
// Access chains, and pointers that are values (variable pointers, buffer addresses).
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace dovetail::spirv {

namespace {

// Indices are signed in SPIR-V.
llvm::Value *scaled(llvm::IRBuilderBase &builder, llvm::Value *index, uint64_t stride) {
  return builder.CreateMul(index, llvm::ConstantInt::get(index->getType(), stride));
}

} // namespace

unsigned Translator::pointerFlags(uint32_t id) const {
  unsigned flags = 0;
  for (const DecorationInstance &decoration : m_module.decorations(id)) {
    if (decoration.decoration == spv::Decoration::NonUniform)
      flags |= lgc::NonUniformImage | lgc::NonUniformSampler;
    else if (decoration.decoration == spv::Decoration::Coherent)
      flags |= lgc::Coherent;
    else if (decoration.decoration == spv::Decoration::Volatile)
      flags |= lgc::Volatile | lgc::Coherent;
  }
  return flags;
}

Result<llvm::Value *> Translator::index32(const Instruction &inst, uint32_t id) {
  Value *index = DOVETAIL_TRY(value(inst, id));
  return m_builder.CreateSExtOrTrunc(index, m_builder.getInt32Ty());
}

Result<void> Translator::translateAccessChain(const Instruction &inst) {
  Pointer result = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  unsigned next = 1;
  if (inst.opcode == spv::Op::OpPtrAccessChain || inst.opcode == spv::Op::OpInBoundsPtrAccessChain) {
    Value *element = DOVETAIL_TRY(index32(inst, inst.operand(next++)));
    if (result.kind == Pointer::Kind::Resource)
      DOVETAIL_CHECK(openBlock(inst, result));
    uint32_t stride = typeOf(inst.operand(0)).arrayStride;
    switch (result.kind) {
    case Pointer::Kind::Memory:
      result.base = m_builder.CreateGEP(type(result.pointee).memory, result.base, element);
      break;
    case Pointer::Kind::Buffer:
    case Pointer::Kind::SharedBlock:
      result.offset = m_builder.CreateAdd(result.offset, scaled(m_builder, element, stride));
      break;
    case Pointer::Kind::Physical:
      result.base = m_builder.CreateAdd(
          result.base, scaled(m_builder, m_builder.CreateSExt(element, m_builder.getInt64Ty()), stride));
      break;
    default:
      return unsupported(inst, "an element of such a pointer is not supported");
    }
  }
  for (; next < inst.operandCount(); ++next)
    DOVETAIL_CHECK(stepPointer(inst, result, inst.operand(next)));
  result.flags |= pointerFlags(inst.result);
  setPointer(inst, std::move(result));
  return {};
}

// The index in arrays of arrays, as if they were one array. `outer`: the index so far, or nullptr.
llvm::Value *Translator::numberedThrough(Value *outer, uint32_t count, Value *index) {
  return outer ? m_builder.CreateAdd(scaled(m_builder, outer, count), index) : index;
}

// Goes one index deeper.
Result<void> Translator::stepPointer(const Instruction &inst, Pointer &pointer, uint32_t indexId) {
  if (pointer.kind == Pointer::Kind::Input || pointer.kind == Pointer::Kind::SharedOutput)
    return stepInterface(inst, pointer, indexId);
  if (pointer.kind == Pointer::Kind::UniformTree)
    return stepUniform(inst, pointer, indexId);
  if (pointer.kind == Pointer::Kind::Resource && type(pointer.pointee).kind == TypeKind::Struct)
    DOVETAIL_CHECK(openBlock(inst, pointer));

  Value *index = DOVETAIL_TRY(index32(inst, indexId));
  if (pointer.kind == Pointer::Kind::Resource) {
    const TypeInfo &info = type(pointer.pointee);
    if (info.kind != TypeKind::Array && info.kind != TypeKind::RuntimeArray)
      return unsupported(inst, "an index into this resource is not supported");
    pointer.offset = numberedThrough(pointer.offset, info.count, index);
    pointer.pointee = info.element;
    pointer.flags |= pointerFlags(indexId);
    return {};
  }
  return stepMemory(inst, pointer, index);
}

Result<void> Translator::stepMemory(const Instruction &inst, Pointer &pointer, Value *index) {
  const TypeInfo &info = type(pointer.pointee);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (info.kind == TypeKind::Struct && (!constant || constant->getZExtValue() >= info.members.size()))
    return unsupported(inst, "a structure member index that is not a known constant is not supported");

  if (pointer.kind == Pointer::Kind::Memory) {
    pointer.base = m_builder.CreateGEP(info.memory, pointer.base, {m_builder.getInt32(0), index});
    if (constant && !pointer.outputPathEnds)
      pointer.outputPath.push_back(constant->getZExtValue());
    else
      pointer.outputPathEnds = true;
    pointer.pointee = info.kind == TypeKind::Struct ? info.members[constant->getZExtValue()].type : info.element;
    return {};
  }

  // Explicitly laid out memory: the number of bytes that one index stands for.
  uint64_t stride = 0;
  pointer.arrayStride = 0;
  switch (info.kind) {
  case TypeKind::Struct: {
    const StructMember &member = info.members[constant->getZExtValue()];
    index = m_builder.getInt32(1);
    stride = member.offset;
    pointer.matrix = member.matrix;
    for (const DecorationInstance &decoration :
         m_module.memberDecorations(info.id, static_cast<uint32_t>(constant->getZExtValue()))) {
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
    const uint64_t element = type(type(info.element).element).width / 8;
    stride = pointer.matrix.rowMajor ? element : pointer.matrix.stride;
    pointer.componentStride = pointer.matrix.rowMajor ? pointer.matrix.stride : 0;
    pointer.pointee = info.element;
    break;
  }
  case TypeKind::Vector:
    stride =
        pointer.componentStride ? pointer.componentStride : DOVETAIL_TRY(m_declarations.layoutSize(info.element, {}));
    pointer.componentStride = 0;
    pointer.pointee = info.element;
    break;
  default:
    return unsupported(inst, "an index into this type is not supported");
  }
  if (pointer.kind == Pointer::Kind::Physical)
    pointer.base = m_builder.CreateAdd(pointer.base,
                                       scaled(m_builder, m_builder.CreateSExt(index, m_builder.getInt64Ty()), stride));
  else if (pointer.offset)
    pointer.offset = m_builder.CreateAdd(pointer.offset, scaled(m_builder, index, stride));
  else
    return unsupported(inst, "an index into this pointer is not supported");
  return {};
}

// A uniform or storage block becomes its descriptor and byte offset 0.
Result<void> Translator::openBlock(const Instruction &inst, Pointer &pointer) {
  if (type(pointer.pointee).kind != TypeKind::Struct)
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
bool Translator::isReadOnlyBlock(const Variable &variable) const {
  auto isStorage = [&](const Variable &other) {
    return other.storage == spv::StorageClass::StorageBuffer ||
           hasDecoration(other.blockType, spv::Decoration::BufferBlock);
  };
  if (!isStorage(variable))
    return true;
  if (m_module.addressingModel == spv::AddressingModel::PhysicalStorageBuffer64)
    return false;
  for (const std::unique_ptr<Variable> &other : m_variables) {
    if (other->blockType && isStorage(*other) && !other->isNonWritable)
      return false;
  }
  return true;
}

Result<llvm::Value *> Translator::pointerToValue(const Instruction &inst, const Pointer &pointer,
                                                 const PointeeLayout &layout) {
  Pointer opened = pointer;
  if (opened.kind == Pointer::Kind::Resource)
    DOVETAIL_CHECK(openBlock(inst, opened));
  const TypeInfo *innermost = &type(opened.pointee);
  while (innermost->kind == TypeKind::Array || innermost->kind == TypeKind::RuntimeArray)
    innermost = &type(innermost->element);
  bool isLaidOut = opened.kind == Pointer::Kind::Buffer || opened.kind == Pointer::Kind::Physical ||
                   opened.kind == Pointer::Kind::SharedBlock;
  if (isLaidOut && opened.componentStride != layout.componentStride)
    return unsupported(inst, "a variable pointer to vectors of several layouts is not supported");
  if (isLaidOut && innermost->kind == TypeKind::Matrix &&
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
    return sharedAddress(opened, 0);
  case Pointer::Kind::Buffer: {
    Value *pair =
        llvm::PoisonValue::get(llvm::StructType::get(m_context, {opened.base->getType(), opened.offset->getType()}));
    pair = m_builder.CreateInsertValue(pair, opened.base, 0);
    return m_builder.CreateInsertValue(pair, opened.offset, 1);
  }
  default:
    break;
  }
  return unsupported(inst,
                     "a pointer into this storage class as a value (capability VariablePointers) is not supported");
}

Result<void> Translator::bindPointerValue(const Instruction &inst, Value *value, const PointeeLayout &layout) {
  Pointer pointer = DOVETAIL_TRY(pointerFromValue(inst, value, inst.resultType));
  pointer.matrix = layout.matrix;
  pointer.componentStride = layout.componentStride;
  pointer.flags |= pointerFlags(inst.result);
  setPointer(inst, std::move(pointer));
  return {};
}

Result<Pointer> Translator::pointerFromValue(const Instruction &inst, Value *value, uint32_t pointerTypeId) {
  if (!value->getType()->isStructTy())
    return pointerFromParts(inst, value, pointerTypeId);
  Value *base = m_builder.CreateExtractValue(value, 0);
  return pointerFromParts(inst, {base, m_builder.CreateExtractValue(value, 1)}, pointerTypeId);
}

Result<Pointer> Translator::pointerFromParts(const Instruction &inst, llvm::ArrayRef<Value *> parts,
                                             uint32_t pointerTypeId) {
  const TypeInfo &info = type(pointerTypeId);
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
    if (m_module.hasCapability(spv::Capability::VariablePointers))
      pointer.flags |= lgc::NonUniformImage;
    return pointer;
  case spv::StorageClass::Workgroup:
    pointer.kind = m_sharedBlocks ? Pointer::Kind::SharedBlock : Pointer::Kind::Memory;
    pointer.base = parts[0];
    pointer.offset = m_sharedBlocks ? m_builder.getInt32(0) : nullptr;
    return pointer;
  default:
    pointer.kind = Pointer::Kind::Memory;
    pointer.base = parts[0];
    return pointer;
  }
}

Result<void> Translator::translatePointerConversion(const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(operandValue(inst, 0));
  const TypeInfo &to = resultType(inst);
  if (!operand->getType()->isIntegerTy() || !to.value || !to.value->isIntegerTy())
    return unsupported(inst, "a conversion of this pointer is not supported");
  setValue(inst, m_builder.CreateZExtOrTrunc(operand, to.value));
  return {};
}

Result<void> Translator::translatePointerComparison(const Instruction &inst) {
  Pointer a = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  Pointer b = DOVETAIL_TRY(pointer(inst, inst.operand(1)));
  for (Pointer *p : {&a, &b}) {
    if (p->kind == Pointer::Kind::Resource)
      DOVETAIL_CHECK(openBlock(inst, *p));
  }
  if (a.kind != b.kind ||
      (a.kind != Pointer::Kind::Buffer && a.kind != Pointer::Kind::Physical && a.kind != Pointer::Kind::SharedBlock &&
       !(a.kind == Pointer::Kind::Memory && a.storage == spv::StorageClass::Workgroup)))
    return unsupported(inst, "a comparison of these pointers is not supported");
  auto position = [&](const Pointer &p) -> Value * {
    switch (p.kind) {
    case Pointer::Kind::Buffer:
      return p.offset;
    case Pointer::Kind::Memory:
      return m_builder.CreatePtrToInt(p.base, m_builder.getInt32Ty());
    case Pointer::Kind::SharedBlock:
      return m_builder.CreatePtrToInt(sharedAddress(p, 0), m_builder.getInt32Ty());
    default:
      return p.base;
    }
  };
  if (inst.opcode == spv::Op::OpPtrDiff) {
    uint64_t stride = a.kind == Pointer::Kind::Memory
                          ? m_target.getDataLayout().getTypeAllocSize(type(a.pointee).memory).getFixedValue()
                          : typeOf(inst.operand(0)).arrayStride;
    for (const Pointer *p : {&a, &b})
      if (stride == 0)
        stride = p->arrayStride;
    if (stride == 0)
      return unsupported(inst, "pointers into an array that does not say its ArrayStride are not supported here");
    Value *bytes = m_builder.CreateSub(position(a), position(b));
    Value *elements = m_builder.CreateSDiv(bytes, llvm::ConstantInt::get(bytes->getType(), stride));
    setValue(inst, m_builder.CreateSExtOrTrunc(elements, resultType(inst).value));
    return {};
  }
  Value *equal = m_builder.CreateICmpEQ(position(a), position(b));
  if (a.kind == Pointer::Kind::Buffer && a.base != b.base) {
    Value *sameBuffer = m_builder.CreateAndReduce(m_builder.CreateICmpEQ(a.base, b.base));
    equal = m_builder.CreateAnd(equal, sameBuffer);
  }
  setValue(inst, inst.opcode == spv::Op::OpPtrEqual ? equal : m_builder.CreateNot(equal));
  return {};
}

} // namespace dovetail::spirv
