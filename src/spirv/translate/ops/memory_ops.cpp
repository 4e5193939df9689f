// SPDX-License-Identifier: MIT
//
// Undefined values, loads, stores, copies, access chains, and what is asked of pointers.
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

// Binds a variable of an image or sampler to the stored value from here on, also in blocks that do not lie behind this
// one.
Result<void> bindStored(Services &s, const Instruction &inst) {
  const IdValue *stored = s.values.find(inst.operand(1));
  if (!stored || !(stored->image || stored->composite))
    return unsupported(inst, "a store of this opaque value is not supported");
  IdValue known = *stored;
  known.pointer = std::move(known.composite);
  known.composite = nullptr;
  s.values.bind(inst.operand(0), std::move(known));
  return {};
}

} // namespace

Result<void> translateUndef(Services &s, const Instruction &inst) {
  const TypeInfo &info = s.resultType(inst);
  if (isOpaque(info)) {
    s.values.setImage(inst, s.descriptors.null(info));
    return {};
  }
  if (s.types.isOpaqueArray(info) && s.composites.liesInMemory(info)) {
    s.values.setComposite(inst, s.ownMemory.createTemporary(info));
    return {};
  }
  if (info.kind == TypeKind::Pointer && info.value) {
    s.setValue(inst, llvm::Constant::getNullValue(info.value));
    return {};
  }
  if (!info.value || info.value->isVoidTy())
    return unsupported(inst, "an undefined value of this type is not supported");
  s.setValue(inst, llvm::UndefValue::get(info.value));
  return {};
}

Result<void> translateLoad(Services &s, const Instruction &inst) {
  if (const IdValue *bound = s.values.find(inst.operand(0)); bound && bound->image) { // a variable of an image
    s.values.setImage(inst, *bound->image);
    return {};
  }
  Pointer from = DOVETAIL_TRY(s.pointer(inst, 0));
  if (isOpaque(s.resultType(inst))) {
    ImageValue image = DOVETAIL_TRY(s.descriptors.load(inst, from, inst.resultType));
    s.values.setImage(inst, image);
    return {};
  }
  if (s.types.isOpaqueArray(s.resultType(inst)) && from.kind == Pointer::Kind::Resource) {
    from.flags |= s.resourceFlags(inst.result);
    s.values.setComposite(inst, std::move(from));
    return {};
  }
  const MemoryAccess access = memoryAccess(inst, 1);
  if (s.composites.liesInMemory(s.resultType(inst))) {
    if (std::shared_ptr<const Pointer> memory = DOVETAIL_TRY(s.composites.load(inst, from, access))) {
      s.values.bind(inst.result, {.composite = std::move(memory)});
      return {};
    }
  }
  llvm::Value *loaded = DOVETAIL_TRY(s.memory.load(inst, from, access));
  s.setValue(inst, loaded);
  return {};
}

Result<void> translateStore(Services &s, const Instruction &inst) {
  if (const IdValue *bound = s.values.find(inst.operand(0));
      bound && bound->pointer && bound->pointer->kind == Pointer::Kind::NotStored)
    return bindStored(s, inst);
  Pointer to = DOVETAIL_TRY(s.pointer(inst, 0));
  const MemoryAccess access = memoryAccess(inst, 2);
  return s.composites.store(inst, to, inst.operand(1), access);
}

Result<void> translateCopyMemory(Services &s, const Instruction &inst) {
  Pointer to = DOVETAIL_TRY(s.pointer(inst, 0));
  Pointer from = DOVETAIL_TRY(s.pointer(inst, 1));
  const MemoryAccess access = memoryAccess(inst, 2);
  if (const TypeInfo &info = s.type(from.pointee);
      (isOpaque(info) || s.types.isOpaqueArray(info)) && to.kind == Pointer::Kind::Memory)
    return s.composites.copy(inst, to, from, access);
  llvm::Value *copied = DOVETAIL_TRY(s.memory.load(inst, from, access));
  return s.memory.store(inst, to, copied, access);
}

// (bound bytes - bytes before the array) / stride.
Result<llvm::Value *> translateArrayLength(Services &s, const Instruction &inst) {
  Pointer block = DOVETAIL_TRY(s.pointer(inst, 0));
  DOVETAIL_CHECK(s.pointers.open(inst, block));
  if (block.kind != Pointer::Kind::Buffer)
    return unsupported(inst, "the length of an array outside a storage buffer is not supported");
  const TypeInfo &info = s.type(block.pointee);
  uint32_t member = inst.operand(1);
  if (info.kind != TypeKind::Struct || member >= info.members.size())
    return unsupported(inst, "the length of this array is not supported");
  uint32_t stride = s.type(info.members[member].type).arrayStride;
  if (stride == 0)
    return unsupported(inst, "an array without an ArrayStride is not supported");
  llvm::Value *start = s.builder.CreateAdd(block.offset, s.builder.getInt32(info.members[member].offset));
  llvm::Value *bytes =
      s.builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, s.builder.CreateBufferLength(block.base), start);
  return s.builder.CreateUDiv(bytes, s.builder.getInt32(stride));
}

Result<void> translateAccessChain(Services &s, const Instruction &inst) {
  Pointer result = DOVETAIL_TRY(s.pointer(inst, 0));
  unsigned next = 1;
  if (inst.opcode == spv::Op::OpPtrAccessChain || inst.opcode == spv::Op::OpInBoundsPtrAccessChain)
    DOVETAIL_CHECK(s.pointers.move(inst, result, inst.operand(next++), s.typeOf(inst.operand(0)).arrayStride));
  for (; next < inst.operandCount(); ++next)
    DOVETAIL_CHECK(s.pointers.step(inst, result, inst.operand(next)));
  result.flags |= s.resourceFlags(inst.result);
  s.values.setPointer(inst, std::move(result));
  return {};
}

Result<llvm::Value *> translatePointerConversion(Services &s, const Instruction &inst) {
  llvm::Value *operand = DOVETAIL_TRY(s.operand(inst, 0));
  const TypeInfo &to = s.resultType(inst);
  if (!operand->getType()->isIntegerTy() || !to.value || !to.value->isIntegerTy())
    return unsupported(inst, "a conversion of this pointer is not supported");
  return s.builder.CreateZExtOrTrunc(operand, to.value);
}

namespace {

// Two pointers into memory that can be compared.
struct ComparedPointers {
  Pointer a, b;
};

Result<ComparedPointers> comparedPointers(Services &s, const Instruction &inst) {
  ComparedPointers both = {DOVETAIL_TRY(s.pointer(inst, 0)), {}};
  both.b = DOVETAIL_TRY(s.pointer(inst, 1));
  for (Pointer *each : {&both.a, &both.b})
    DOVETAIL_CHECK(s.pointers.open(inst, *each));
  const bool isShared = both.a.kind == Pointer::Kind::Memory && both.a.storage == spv::StorageClass::Workgroup;
  if (both.a.kind != both.b.kind || !(isLaidOut(both.a) || isShared))
    return unsupported(inst, "a comparison of these pointers is not supported");
  return both;
}

// In bytes, in a buffer or in all memory.
llvm::Value *positionOf(Services &s, const Pointer &pointer) {
  switch (pointer.kind) {
  case Pointer::Kind::Buffer:
    return pointer.offset;
  case Pointer::Kind::Memory:
    return s.builder.CreatePtrToInt(pointer.base, s.builder.getInt32Ty());
  case Pointer::Kind::SharedBlock:
    return s.builder.CreatePtrToInt(s.laidOutMemory.address(pointer), s.builder.getInt32Ty());
  default:
    return pointer.base;
  }
}

} // namespace

Result<llvm::Value *> translatePointerDifference(Services &s, const Instruction &inst) {
  const auto [a, b] = DOVETAIL_TRY(comparedPointers(s, inst));
  uint64_t stride = a.kind == Pointer::Kind::Memory
                        ? s.target.getDataLayout().getTypeAllocSize(s.type(a.pointee).memory).getFixedValue()
                        : s.typeOf(inst.operand(0)).arrayStride;
  for (const Pointer *pointer : {&a, &b})
    if (stride == 0)
      stride = pointer->arrayStride;
  if (stride == 0)
    return unsupported(inst, "pointers into an array that does not say its ArrayStride are not supported here");
  llvm::Value *bytes = s.builder.CreateSub(positionOf(s, a), positionOf(s, b));
  llvm::Value *elements = s.builder.CreateSDiv(bytes, llvm::ConstantInt::get(bytes->getType(), stride));
  return s.builder.CreateSExtOrTrunc(elements, s.resultType(inst).value);
}

Result<llvm::Value *> translatePointerEquality(Services &s, const Instruction &inst, bool isEqual) {
  const auto [a, b] = DOVETAIL_TRY(comparedPointers(s, inst));
  llvm::Value *equal = s.builder.CreateICmpEQ(positionOf(s, a), positionOf(s, b));
  if (a.kind == Pointer::Kind::Buffer && a.base != b.base) {
    llvm::Value *sameBuffer = s.builder.CreateAndReduce(s.builder.CreateICmpEQ(a.base, b.base));
    equal = s.builder.CreateAnd(equal, sameBuffer);
  }
  return isEqual ? equal : s.builder.CreateNot(equal);
}

} // namespace dovetail::spirv
