// SPDX-License-Identifier: MIT
//
// Composites: construction, extraction, insertion, shuffles, selection. Vectors are LLVM vectors, all other composites
// are LLVM aggregates.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

namespace dovetail::spirv {

namespace {

bool isVector(const llvm::Value *value) {
  return value->getType()->isVectorTy();
}

unsigned lengthOf(const llvm::Value *vector) {
  return llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
}

} // namespace

Result<void> Translator::translateCopyObject(const Instruction &inst) {
  const IdValue *operand = find(inst.operand(0));
  if (!operand)
    return unsupported(inst, "the operand has no value here");
  unsigned flags = pointerFlags(inst.result);
  IdValue copy = *operand;
  if (copy.pointer && flags) {
    Pointer pointer = *copy.pointer;
    pointer.flags |= flags;
    setPointer(inst, std::move(pointer));
  } else if (copy.image && flags) {
    ImageValue image = *copy.image;
    image.flags |= flags;
    setImage(inst, image);
  } else {
    bind(inst.result, std::move(copy));
  }
  return {};
}

// The two types differ only in their decorations, which values do not have.
Result<void> Translator::translateCopyLogical(const Instruction &inst) {
  if (const IdValue *bound = find(inst.operand(0)); bound && bound->composite) {
    if (type(bound->composite->pointee).value != resultType(inst).value)
      return unsupported(inst, "a copy between these types is not supported");
    setComposite(inst, *bound->composite);
    return {};
  }
  Value *operand = DOVETAIL_TRY(operandValue(inst, 0));
  if (operand->getType() != resultType(inst).value)
    return unsupported(inst, "a copy between these types is not supported");
  setValue(inst, operand);
  return {};
}

Result<void> Translator::translateCompositeConstruct(const Instruction &inst) {
  if (liesInMemory(resultType(inst)))
    return constructInMemory(inst);
  llvm::Type *composite = DOVETAIL_TRY(valueType(inst, inst.resultType));
  Value *result = llvm::PoisonValue::get(composite);
  unsigned next = 0;
  for (uint32_t id : inst.operands) {
    Value *part = DOVETAIL_TRY(value(inst, id));
    if (!composite->isVectorTy()) {
      result = m_builder.CreateInsertValue(result, part, next++);
    } else if (!isVector(part)) {
      result = m_builder.CreateInsertElement(result, part, uint64_t(next++));
    } else {
      for (unsigned i = 0; i < lengthOf(part); ++i)
        result =
            m_builder.CreateInsertElement(result, m_builder.CreateExtractElement(part, uint64_t(i)), uint64_t(next++));
    }
  }
  setValue(inst, result);
  return {};
}

Result<void> Translator::translateCompositeExtract(const Instruction &inst) {
  if (const IdValue *bound = find(inst.operand(0)); bound && bound->composite)
    return extractFromMemory(inst, *bound->composite);
  Value *whole = DOVETAIL_TRY(operandValue(inst, 0));
  setValue(inst, extractValue(whole, inst.operands.subspan(1)));
  return {};
}

llvm::Value *Translator::extractValue(Value *whole, std::span<const uint32_t> path) {
  for (uint32_t index : path)
    whole = isVector(whole) ? m_builder.CreateExtractElement(whole, uint64_t(index))
                            : m_builder.CreateExtractValue(whole, index);
  return whole;
}

Result<void> Translator::translateCompositeInsert(const Instruction &inst) {
  if (liesInMemory(resultType(inst)) && inst.operandCount() > 2)
    return insertInMemory(inst);
  DOVETAIL_TRY(valueType(inst, inst.resultType));
  Value *object = DOVETAIL_TRY(operandValue(inst, 0));
  Value *composite = DOVETAIL_TRY(operandValue(inst, 1));
  std::span<const uint32_t> path = inst.operands.subspan(2);
  if (path.empty()) {
    setValue(inst, object);
    return {};
  }
  // Only the last index can go into a vector.
  std::vector<unsigned> outer(path.begin(), path.end() - 1);
  Value *inner = outer.empty() ? composite : m_builder.CreateExtractValue(composite, outer);
  if (isVector(inner)) {
    inner = m_builder.CreateInsertElement(inner, object, uint64_t(path.back()));
    setValue(inst, outer.empty() ? inner : m_builder.CreateInsertValue(composite, inner, outer));
    return {};
  }
  outer.push_back(path.back());
  setValue(inst, m_builder.CreateInsertValue(composite, object, outer));
  return {};
}

Result<void> Translator::translateVectorShuffle(const Instruction &inst) {
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  unsigned aLength = lengthOf(a);
  unsigned bLength = lengthOf(b);
  // LLVM wants vectors of one length.
  unsigned length = std::max(aLength, bLength);
  auto widen = [&](Value *vector) -> Value * {
    llvm::SmallVector<int, 4> mask(length, -1);
    for (unsigned i = 0; i < lengthOf(vector); ++i)
      mask[i] = i;
    return lengthOf(vector) == length ? vector : m_builder.CreateShuffleVector(vector, mask);
  };
  llvm::SmallVector<int, 4> mask;
  for (uint32_t component : inst.operands.subspan(2)) {
    if (component >= aLength + bLength)
      mask.push_back(-1); // 0xffffffff: undefined
    else
      mask.push_back(component < aLength ? component : length + component - aLength);
  }
  setValue(inst, m_builder.CreateShuffleVector(widen(a), widen(b), mask));
  return {};
}

Result<void> Translator::translateVectorExtractDynamic(const Instruction &inst) {
  Value *vector = DOVETAIL_TRY(operandValue(inst, 0));
  Value *index = DOVETAIL_TRY(operandValue(inst, 1));
  setValue(inst, m_builder.CreateExtractElement(vector, index));
  return {};
}

Result<void> Translator::translateVectorInsertDynamic(const Instruction &inst) {
  Value *vector = DOVETAIL_TRY(operandValue(inst, 0));
  Value *component = DOVETAIL_TRY(operandValue(inst, 1));
  Value *index = DOVETAIL_TRY(operandValue(inst, 2));
  setValue(inst, m_builder.CreateInsertElement(vector, component, index));
  return {};
}

Result<void> Translator::translateSelect(const Instruction &inst) {
  DOVETAIL_TRY(valueType(inst, inst.resultType));
  Value *condition = DOVETAIL_TRY(operandValue(inst, 0));
  if (resultType(inst).kind == TypeKind::Pointer) {
    // A null or undefined pointer has any layout.
    PointeeLayout layout;
    for (unsigned index : {2, 1})
      if (const IdValue *bound = find(inst.operand(index)); bound && bound->pointer)
        layout = layoutOf(*bound->pointer);
    auto choice = [&](unsigned index) -> Result<Value *> {
      const IdValue *bound = find(inst.operand(index));
      return bound && bound->pointer ? pointerToValue(inst, *bound->pointer, layout) : operandValue(inst, index);
    };
    Value *ifTrue = DOVETAIL_TRY(choice(1));
    Value *ifFalse = DOVETAIL_TRY(choice(2));
    return bindPointerValue(inst, m_builder.CreateSelect(condition, ifTrue, ifFalse), layout);
  }
  if (liesInMemory(resultType(inst)))
    return selectInMemory(inst, condition);
  Value *ifTrue = DOVETAIL_TRY(operandValue(inst, 1));
  Value *ifFalse = DOVETAIL_TRY(operandValue(inst, 2));
  setValue(inst, m_builder.CreateSelect(condition, ifTrue, ifFalse));
  return {};
}

} // namespace dovetail::spirv
