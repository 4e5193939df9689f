// SPDX-License-Identifier: MIT
#include "src/lgc/builder/dpp.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

Value *moveDpp(BuilderImpl &builder, Value *dword, unsigned control, Value *old, unsigned rowMask) {
  constexpr unsigned AllBanks = 0xf;
  return builder.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, dword->getType(),
                                 {old, dword, builder.getInt32(control), builder.getInt32(rowMask),
                                  builder.getInt32(AllBanks), builder.getFalse()});
}

Value *readLane(BuilderImpl &builder, Value *dword, Value *lane) {
  return builder.CreateIntrinsic(Intrinsic::amdgcn_readlane, builder.getInt32Ty(), {dword, lane});
}

// ds_swizzle's bit mode: within 32 lanes, ((lane & 0x1f) | 0) ^ bits.
Value *swizzleXor(BuilderImpl &builder, Value *dword, unsigned bits) {
  return builder.CreateIntrinsic(Intrinsic::amdgcn_ds_swizzle, {}, {dword, builder.getInt32(bits << 10 | 0x1f)});
}

static Value *withHelperLanes(BuilderImpl &builder, Intrinsic::ID mode, Value *value) {
  if (builder.shaderModes().stage != ShaderStage::Fragment)
    return value;
  return builder.CreateIntrinsic(mode, value->getType(), value);
}

Value *withWholeQuads(BuilderImpl &builder, Value *value) {
  return withHelperLanes(builder, Intrinsic::amdgcn_wqm, value);
}

Value *withQuadsOfShader(BuilderImpl &builder, Value *value) {
  const bool isRequired = builder.shaderModes().fragment.requireFullQuads;
  return withHelperLanes(builder, isRequired ? Intrinsic::amdgcn_wqm : Intrinsic::amdgcn_softwqm, value);
}

Value *permuteQuad(BuilderImpl &builder, Value *value, const QuadPermutation &permutation) {
  unsigned control = permutation[0] | permutation[1] << 2 | permutation[2] << 4 | permutation[3] << 6;
  return builder.mapDwords(
      value, [&](Value *dword) { return moveDpp(builder, dword, control, PoisonValue::get(dword->getType())); });
}

} // namespace lgc
