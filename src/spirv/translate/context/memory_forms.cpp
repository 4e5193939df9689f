// SPDX-License-Identifier: MIT
#include "src/spirv/translate/context/memory_forms.h"
#include <functional>
#include <llvm/IR/Constants.h>

namespace dovetail::spirv {

namespace {

// Applies a change to each member. Constants are rebuilt in one step, because each insertion into a constant copies it.
llvm::Value *changeMembers(lgc::Builder &builder, llvm::Value *value, llvm::Type *to,
                           const std::function<llvm::Value *(llvm::Value *, unsigned)> &change) {
  unsigned count = to->isArrayTy() ? to->getArrayNumElements() : to->getStructNumElements();
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
    std::vector<llvm::Constant *> parts(count);
    for (unsigned i = 0; i < count; ++i)
      parts[i] = llvm::cast<llvm::Constant>(change(constant->getAggregateElement(i), i));
    if (auto *arrayType = llvm::dyn_cast<llvm::ArrayType>(to))
      return llvm::ConstantArray::get(arrayType, parts);
    return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(to), parts);
  }
  llvm::Value *result = llvm::PoisonValue::get(to);
  for (unsigned i = 0; i < count; ++i)
    result = builder.CreateInsertValue(result, change(builder.CreateExtractValue(value, i), i), i);
  return result;
}

} // namespace

llvm::Value *MemoryForms::toMemory(const TypeInfo &info, llvm::Value *value) {
  if (info.value == info.memory)
    return value;
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (llvm::isa<llvm::UndefValue>(constant))
      return llvm::UndefValue::get(info.memory);
    if (constant->isNullValue())
      return llvm::Constant::getNullValue(info.memory);
  }
  if (info.kind == TypeKind::Bool || info.kind == TypeKind::Vector)
    return m_builder.CreateZExt(value, info.memory);
  return changeMembers(m_builder, value, info.memory,
                       [&](llvm::Value *member, unsigned i) { return toMemory(m_types.at(info.partType(i)), member); });
}

llvm::Value *MemoryForms::toValue(const TypeInfo &info, llvm::Value *value) {
  if (info.value == info.memory)
    return value;
  if (info.kind == TypeKind::Bool || info.kind == TypeKind::Vector)
    return m_builder.CreateICmpNE(value, llvm::Constant::getNullValue(info.memory));
  return changeMembers(m_builder, value, info.value,
                       [&](llvm::Value *member, unsigned i) { return toValue(m_types.at(info.partType(i)), member); });
}

} // namespace dovetail::spirv
