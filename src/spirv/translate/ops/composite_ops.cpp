// SPDX-License-Identifier: MIT
//
// Composites: construction, extraction, insertion, shuffles, selection. Vectors are LLVM vectors, all other composites
// are LLVM aggregates.
#include "src/spirv/translate/ops/handlers.h"
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

Result<void> translateCopyObject(Services &s, const Instruction &inst) {
  const IdValue *operand = s.values.find(inst.operand(0));
  if (!operand)
    return unsupported(inst, "the operand has no value here");
  unsigned flags = s.resourceFlags(inst.result);
  IdValue copy = *operand;
  if (copy.pointer && flags) {
    Pointer pointer = *copy.pointer;
    pointer.flags |= flags;
    s.values.setPointer(inst, std::move(pointer));
  } else if (copy.image && flags) {
    ImageValue image = *copy.image;
    image.flags |= flags;
    s.values.setImage(inst, image);
  } else {
    s.values.bind(inst.result, std::move(copy));
  }
  return {};
}

// The two types differ only in their decorations, which values do not have.
Result<void> translateCopyLogical(Services &s, const Instruction &inst) {
  if (const IdValue *bound = s.values.find(inst.operand(0)); bound && bound->composite) {
    if (s.type(bound->composite->pointee).value != s.resultType(inst).value)
      return unsupported(inst, "a copy between these types is not supported");
    s.values.setComposite(inst, *bound->composite);
    return {};
  }
  llvm::Value *operand = DOVETAIL_TRY(s.operand(inst, 0));
  if (operand->getType() != s.resultType(inst).value)
    return unsupported(inst, "a copy between these types is not supported");
  s.setValue(inst, operand);
  return {};
}

Result<void> translateCompositeConstruct(Services &s, const Instruction &inst) {
  if (s.composites.liesInMemory(s.resultType(inst)))
    return s.composites.construct(inst);
  llvm::Type *composite = DOVETAIL_TRY(s.valueType(inst));
  llvm::Value *result = llvm::PoisonValue::get(composite);
  unsigned next = 0;
  for (uint32_t id : inst.operands) {
    llvm::Value *part = DOVETAIL_TRY(s.operands.value(inst, id));
    if (!composite->isVectorTy()) {
      result = s.builder.CreateInsertValue(result, part, next++);
    } else if (!isVector(part)) {
      result = s.builder.CreateInsertElement(result, part, uint64_t(next++));
    } else {
      for (unsigned i = 0; i < lengthOf(part); ++i)
        result =
            s.builder.CreateInsertElement(result, s.builder.CreateExtractElement(part, uint64_t(i)), uint64_t(next++));
    }
  }
  s.setValue(inst, result);
  return {};
}

Result<void> translateCompositeExtract(Services &s, const Instruction &inst) {
  if (const IdValue *bound = s.values.find(inst.operand(0)); bound && bound->composite)
    return s.composites.extract(inst, *bound->composite);
  llvm::Value *whole = DOVETAIL_TRY(s.operand(inst, 0));
  s.setValue(inst, extractValue(s.builder, whole, inst.operands.subspan(1)));
  return {};
}

Result<void> translateCompositeInsert(Services &s, const Instruction &inst) {
  if (s.composites.liesInMemory(s.resultType(inst)) && inst.operandCount() > 2)
    return s.composites.insert(inst);
  DOVETAIL_TRY(s.valueType(inst));
  llvm::Value *object = DOVETAIL_TRY(s.operand(inst, 0));
  llvm::Value *composite = DOVETAIL_TRY(s.operand(inst, 1));
  std::span<const uint32_t> path = inst.operands.subspan(2);
  if (path.empty()) {
    s.setValue(inst, object);
    return {};
  }
  // Only the last index can go into a vector.
  std::vector<unsigned> outer(path.begin(), path.end() - 1);
  llvm::Value *inner = outer.empty() ? composite : s.builder.CreateExtractValue(composite, outer);
  if (isVector(inner)) {
    inner = s.builder.CreateInsertElement(inner, object, uint64_t(path.back()));
    s.setValue(inst, outer.empty() ? inner : s.builder.CreateInsertValue(composite, inner, outer));
    return {};
  }
  outer.push_back(path.back());
  s.setValue(inst, s.builder.CreateInsertValue(composite, object, outer));
  return {};
}

Result<llvm::Value *> translateVectorShuffle(Services &s, const Instruction &inst) {
  llvm::Value *a = DOVETAIL_TRY(s.operand(inst, 0));
  llvm::Value *b = DOVETAIL_TRY(s.operand(inst, 1));
  unsigned aLength = lengthOf(a);
  unsigned bLength = lengthOf(b);
  // LLVM wants vectors of one length.
  unsigned length = std::max(aLength, bLength);
  auto widen = [&](llvm::Value *vector) -> llvm::Value * {
    llvm::SmallVector<int, 4> mask(length, -1);
    for (unsigned i = 0; i < lengthOf(vector); ++i)
      mask[i] = i;
    return lengthOf(vector) == length ? vector : s.builder.CreateShuffleVector(vector, mask);
  };
  llvm::SmallVector<int, 4> mask;
  for (uint32_t component : inst.operands.subspan(2)) {
    if (component >= aLength + bLength)
      mask.push_back(-1); // 0xffffffff: undefined
    else
      mask.push_back(component < aLength ? component : length + component - aLength);
  }
  return s.builder.CreateShuffleVector(widen(a), widen(b), mask);
}

Result<llvm::Value *> translateVectorInsertDynamic(Services &s, const Instruction &inst) {
  llvm::Value *vector = DOVETAIL_TRY(s.operand(inst, 0));
  llvm::Value *component = DOVETAIL_TRY(s.operand(inst, 1));
  llvm::Value *index = DOVETAIL_TRY(s.operand(inst, 2));
  return s.builder.CreateInsertElement(vector, component, index);
}

Result<void> translateSelect(Services &s, const Instruction &inst) {
  DOVETAIL_TRY(s.valueType(inst));
  llvm::Value *condition = DOVETAIL_TRY(s.operand(inst, 0));
  if (s.resultType(inst).kind == TypeKind::Pointer) {
    // A null or undefined pointer has any layout.
    PointeeLayout layout;
    for (unsigned index : {2, 1})
      if (const IdValue *bound = s.values.find(inst.operand(index)); bound && bound->pointer)
        layout = layoutOf(*bound->pointer);
    auto choice = [&](unsigned index) -> Result<llvm::Value *> {
      const IdValue *bound = s.values.find(inst.operand(index));
      return bound && bound->pointer ? s.pointers.toValue(inst, *bound->pointer, layout) : s.operand(inst, index);
    };
    llvm::Value *ifTrue = DOVETAIL_TRY(choice(1));
    llvm::Value *ifFalse = DOVETAIL_TRY(choice(2));
    return s.pointers.bindValue(inst, s.builder.CreateSelect(condition, ifTrue, ifFalse), layout);
  }
  if (s.composites.liesInMemory(s.resultType(inst)))
    return s.composites.select(inst, condition);
  llvm::Value *ifTrue = DOVETAIL_TRY(s.operand(inst, 1));
  llvm::Value *ifFalse = DOVETAIL_TRY(s.operand(inst, 2));
  s.setValue(inst, s.builder.CreateSelect(condition, ifTrue, ifFalse));
  return {};
}

} // namespace dovetail::spirv
