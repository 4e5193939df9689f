// SPDX-License-Identifier: MIT
#include "src/lgc/defects/hide/hide_result.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace lgc {

// A VGPR has 32 bits, and a register of a narrower value has undefined ones above.
Value *hideValue(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    Value *hidden = PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      hidden = builder.CreateInsertElement(hidden, hideValue(builder, builder.CreateExtractElement(value, i)), i);
    return hidden;
  }
  Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
  const bool isNarrow = bits->getIntegerBitWidth() < 32;
  Type *held = isNarrow ? builder.getInt32Ty() : bits;
  InlineAsm *nothing = InlineAsm::get(FunctionType::get(held, {held}, false), "", "=v,0", /*hasSideEffects=*/false);
  Value *hidden = builder.CreateCall(nothing, {builder.CreateZExt(builder.CreateBitCast(value, bits), held)});
  return builder.CreateBitCast(builder.CreateTrunc(hidden, bits), type);
}

void hideResult(Instruction &inst) {
  SmallPtrSet<const User *, 8> readers(inst.user_begin(), inst.user_end());
  IRBuilder<> builder(inst.getNextNode());
  Value *result = hideValue(builder, &inst);
  inst.replaceUsesWithIf(result, [&](const Use &use) { return readers.contains(use.getUser()); });
}

} // namespace lgc
