// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace lgc {

namespace {

// Passes a number through assembly with one register as input and output. The register has 32 bits; the bits above a
// narrower value are undefined.
Value *hideNumber(IRBuilderBase &builder, Value *value, StringRef constraints) {
  Type *type = value->getType();
  Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
  Type *held = bits->getIntegerBitWidth() < 32 ? builder.getInt32Ty() : bits;
  InlineAsm *nothing =
      InlineAsm::get(FunctionType::get(held, {held}, false), "", constraints, /*hasSideEffects=*/false);
  Value *hidden = builder.CreateCall(nothing, {builder.CreateZExt(builder.CreateBitCast(value, bits), held)});
  return builder.CreateBitCast(builder.CreateTrunc(hidden, bits), type);
}

} // namespace

Value *hideValue(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector)
    return hideNumber(builder, value, "=v,0");
  Value *hidden = PoisonValue::get(type);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    hidden = builder.CreateInsertElement(hidden, hideValue(builder, builder.CreateExtractElement(value, i)), i);
  return hidden;
}

Value *hideUniform(IRBuilderBase &builder, Value *value) {
  return hideNumber(builder, value, "=s,0");
}

void hideResult(Instruction &inst) {
  SmallPtrSet<const User *, 8> readers(inst.user_begin(), inst.user_end());
  IRBuilder<> builder(inst.getNextNode());
  Value *result = hideValue(builder, &inst);
  inst.replaceUsesWithIf(result, [&](const Use &use) { return readers.contains(use.getUser()); });
}

} // namespace lgc
