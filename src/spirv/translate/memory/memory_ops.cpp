// SPDX-License-Identifier: MIT
//
// Loads, stores and copies through any kind of pointer.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/AMDGPUAddrSpace.h>

namespace dovetail::spirv {

namespace {

// A constant array of at least this many scalars is kept in memory, where a dynamic index finds its element. Smaller
// ones are kept in registers.
constexpr uint64_t MinConstantTableScalars = 8;

} // namespace

Result<MemoryAccess> Translator::memoryAccess(const Instruction &inst, unsigned operandIndex) {
  MemoryAccess access;
  if (operandIndex >= inst.operandCount())
    return access;
  uint32_t mask = inst.operand(operandIndex);
  auto has = [&](spv::MemoryAccessMask bit) { return (mask & static_cast<uint32_t>(bit)) != 0; };
  if (has(spv::MemoryAccessMask::Volatile))
    access.flags |= lgc::Volatile | lgc::Coherent;
  if (has(spv::MemoryAccessMask::Nontemporal))
    access.flags |= lgc::NonTemporal;
  if (has(spv::MemoryAccessMask::MakePointerAvailable) || has(spv::MemoryAccessMask::MakePointerVisible))
    access.flags |= lgc::Coherent;
  if (has(spv::MemoryAccessMask::Aligned) && operandIndex + 1 < inst.operandCount())
    access.alignment = inst.operand(operandIndex + 1);
  return access;
}

Result<llvm::Value *> Translator::load(const Instruction &inst, const Pointer &from, const MemoryAccess &access) {
  const TypeInfo &info = type(from.pointee);
  DOVETAIL_TRY(valueType(inst, info.id));
  switch (from.kind) {
  case Pointer::Kind::Memory: {
    bool isVolatile = ((from.flags | access.flags) & lgc::Volatile) != 0;
    return toValueForm(info, m_builder.CreateLoad(info.memory, from.base, isVolatile));
  }
  case Pointer::Kind::Input:
  case Pointer::Kind::SharedOutput:
    return readInput(inst, from);
  case Pointer::Kind::Resource: {
    Pointer opened = from;
    DOVETAIL_CHECK(openBlock(inst, opened));
    return load(inst, opened, access);
  }
  case Pointer::Kind::Buffer:
  case Pointer::Kind::PushConstant:
  case Pointer::Kind::Physical:
  case Pointer::Kind::SharedBlock:
    return loadLaidOut(from, info, from.matrix, from.componentStride, 0, access);
  case Pointer::Kind::UniformTree:
  case Pointer::Kind::ImageTexel:
    break;
  }
  return unsupported(inst, "a load through this pointer is not supported");
}

Result<void> Translator::store(const Instruction &inst, const Pointer &to, Value *value, const MemoryAccess &access) {
  const TypeInfo &info = type(to.pointee);
  switch (to.kind) {
  case Pointer::Kind::Memory: {
    if (to.storage == spv::StorageClass::Output)
      DOVETAIL_CHECK(noteOutputStore(inst, to));
    Value *stored = toMemoryForm(info, value);
    auto *constant = llvm::dyn_cast<llvm::Constant>(stored);
    if (constant && info.kind != TypeKind::Vector && info.scalarCount >= MinConstantTableScalars &&
        to.storage != spv::StorageClass::Workgroup) {
      if (llvm::isa<llvm::UndefValue>(constant))
        return {};
      const llvm::DataLayout &layout = m_target.getDataLayout();
      llvm::Align alignment = layout.getABITypeAlign(stored->getType());
      uint64_t bytes = layout.getTypeAllocSize(stored->getType()).getFixedValue();
      if (constant->isNullValue()) {
        m_builder.CreateMemSet(to.base, m_builder.getInt8(0), bytes, alignment);
        return {};
      }
      // A copy from constant memory. If nothing else stores to the variable, optimisation reads the constant directly.
      auto *table = new llvm::GlobalVariable(m_target, stored->getType(), true, llvm::GlobalValue::PrivateLinkage,
                                             constant, "table", nullptr, llvm::GlobalValue::NotThreadLocal,
                                             llvm::AMDGPUAS::CONSTANT_ADDRESS);
      table->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
      table->setAlignment(alignment);
      m_builder.CreateMemCpy(to.base, alignment, table, alignment, bytes);
      return {};
    }
    DOVETAIL_TRY(valueType(inst, info.id));
    m_builder.CreateStore(stored, to.base, ((to.flags | access.flags) & lgc::Volatile) != 0);
    return {};
  }
  case Pointer::Kind::Resource: {
    Pointer opened = to;
    DOVETAIL_CHECK(openBlock(inst, opened));
    return store(inst, opened, value, access);
  }
  case Pointer::Kind::SharedOutput:
    return writeShared(inst, info, to.place, value);
  case Pointer::Kind::Buffer:
  case Pointer::Kind::Physical:
  case Pointer::Kind::SharedBlock:
    DOVETAIL_TRY(valueType(inst, info.id));
    storeLaidOut(to, info, to.matrix, to.componentStride, 0, value, access);
    return {};
  default:
    return unsupported(inst, "a store through this pointer is not supported");
  }
}

llvm::SmallVector<llvm::Value **, 3> Translator::descriptorsOf(ImageValue &image) const {
  llvm::SmallVector<Value **, 3> present;
  for (Value **descriptor : {&image.image, &image.fmask, &image.sampler})
    if (*descriptor)
      present.push_back(descriptor);
  return present;
}

ImageValue Translator::nullImage(const TypeInfo &info) const {
  auto zeros = [&](unsigned count) {
    return llvm::Constant::getNullValue(llvm::FixedVectorType::get(llvm::Type::getInt32Ty(m_context), count));
  };
  ImageValue result;
  if (info.kind != TypeKind::Image)
    result.sampler = zeros(4);
  if (info.kind == TypeKind::Sampler)
    return result;
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  const TypeInfo &image = type(result.imageType);
  result.image = zeros(image.dim == spv::Dim::Buffer ? 4 : 8);
  if (hasFmask(image))
    result.fmask = zeros(8);
  return result;
}

Result<ImageValue> Translator::loadResource(const Instruction &inst, const Pointer &from, uint32_t resultTypeId) {
  const TypeInfo &info = type(resultTypeId);
  if (from.kind == Pointer::Kind::Memory && isOpaque(info) && from.pointee == resultTypeId)
    return loadDescriptors(from);
  if (from.kind != Pointer::Kind::Resource || !isOpaque(info))
    return unsupported(inst, "an image or sampler that is not a variable is not supported");
  const Variable &variable = *from.variable;
  Value *index = from.offset ? from.offset : m_builder.getInt32(0);
  ImageValue result;
  result.flags = from.flags | (inst.result ? pointerFlags(inst.result) : 0);
  if (hasDecoration(variable.id, spv::Decoration::NonWritable))
    result.flags |= lgc::ReadOnly;
  if (info.kind == TypeKind::Sampler) {
    result.sampler = m_builder.CreateLoadSamplerDesc(variable.set, variable.binding, index, result.flags);
    return result;
  }
  result.imageType = info.kind == TypeKind::SampledImage ? info.element : info.id;
  if (type(result.imageType).dim == spv::Dim::Buffer) {
    result.image = m_builder.CreateLoadTexelBufferDesc(variable.set, variable.binding, index, result.flags);
    return result;
  }
  result.image = m_builder.CreateLoadImageDesc(variable.set, variable.binding, index, result.flags);
  if (hasFmask(type(result.imageType)))
    result.fmask = m_builder.CreateLoadFmaskDesc(variable.set, variable.binding, index, result.flags);
  if (info.kind == TypeKind::SampledImage)
    result.sampler = m_builder.CreateLoadSamplerDesc(variable.set, variable.binding, index, result.flags);
  return result;
}

Result<void> Translator::translateUndef(const Instruction &inst) {
  const TypeInfo &info = resultType(inst);
  if (isOpaque(info)) {
    setImage(inst, nullImage(info));
    return {};
  }
  if (isOpaqueArray(info) && liesInMemory(info)) {
    setComposite(inst, createTemporary(info));
    return {};
  }
  if (info.kind == TypeKind::Pointer && info.value) {
    setValue(inst, llvm::Constant::getNullValue(info.value));
    return {};
  }
  if (!info.value || info.value->isVoidTy())
    return unsupported(inst, "an undefined value of this type is not supported");
  setValue(inst, llvm::UndefValue::get(info.value));
  return {};
}

Result<void> Translator::translateLoad(const Instruction &inst) {
  if (const IdValue *bound = find(inst.operand(0));
      bound && bound->image) { // an image in a variable (opaque_values.cpp)
    setImage(inst, *bound->image);
    return {};
  }
  Pointer from = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  if (isOpaque(resultType(inst))) {
    ImageValue image = DOVETAIL_TRY(loadResource(inst, from, inst.resultType));
    setImage(inst, image);
    return {};
  }
  if (isOpaqueArray(resultType(inst)) && from.kind == Pointer::Kind::Resource) {
    from.flags |= pointerFlags(inst.result);
    setComposite(inst, std::move(from));
    return {};
  }
  MemoryAccess access = DOVETAIL_TRY(memoryAccess(inst, 1));
  if (liesInMemory(resultType(inst))) {
    if (std::shared_ptr<const Pointer> memory = DOVETAIL_TRY(loadComposite(inst, from, access))) {
      bind(inst.result, {nullptr, nullptr, nullptr, std::move(memory)});
      return {};
    }
  }
  Value *loaded = DOVETAIL_TRY(load(inst, from, access));
  setValue(inst, loaded);
  return {};
}

Result<void> Translator::translateStore(const Instruction &inst) {
  if (m_scope && m_scope->opaqueVariables.contains(inst.operand(0)))
    return storeOpaque(inst);
  Pointer to = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  MemoryAccess access = DOVETAIL_TRY(memoryAccess(inst, 2));
  return storeBound(inst, to, inst.operand(1), access);
}

Result<void> Translator::translateCopyMemory(const Instruction &inst) {
  Pointer to = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  Pointer from = DOVETAIL_TRY(pointer(inst, inst.operand(1)));
  MemoryAccess access = DOVETAIL_TRY(memoryAccess(inst, 2));
  if (const TypeInfo &info = type(from.pointee);
      (isOpaque(info) || isOpaqueArray(info)) && to.kind == Pointer::Kind::Memory)
    return copyComposite(inst, to, from, access);
  Value *copied = DOVETAIL_TRY(load(inst, from, access));
  return store(inst, to, copied, access);
}

// (bound bytes - bytes before the array) / stride.
Result<void> Translator::translateArrayLength(const Instruction &inst) {
  Pointer block = DOVETAIL_TRY(pointer(inst, inst.operand(0)));
  if (block.kind == Pointer::Kind::Resource)
    DOVETAIL_CHECK(openBlock(inst, block));
  if (block.kind != Pointer::Kind::Buffer)
    return unsupported(inst, "the length of an array outside a storage buffer is not supported");
  const TypeInfo &info = type(block.pointee);
  uint32_t member = inst.operand(1);
  if (info.kind != TypeKind::Struct || member >= info.members.size())
    return unsupported(inst, "the length of this array is not supported");
  uint32_t stride = type(info.members[member].type).arrayStride;
  if (stride == 0)
    return unsupported(inst, "an array without an ArrayStride is not supported");
  Value *start = m_builder.CreateAdd(block.offset, m_builder.getInt32(info.members[member].offset));
  Value *bytes =
      m_builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, m_builder.CreateBufferLength(block.base), start);
  setValue(inst, m_builder.CreateUDiv(bytes, m_builder.getInt32(stride)));
  return {};
}

} // namespace dovetail::spirv
