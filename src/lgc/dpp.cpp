// SPDX-License-Identifier: MIT
#include "src/lgc/dpp.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

Value *moveDpp(BuilderImpl &builder, Value *dword, unsigned control, Value *old, unsigned rowMask) {
  constexpr unsigned AllBanks = 0xf;
  return builder.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, dword->getType(),
                                 {old, dword, builder.getInt32(control), builder.getInt32(rowMask),
                                  builder.getInt32(AllBanks), builder.getFalse()});
}

Value *permuteQuad(BuilderImpl &builder, Value *value, const QuadPermutation &permutation) {
  unsigned control = permutation[0] | permutation[1] << 2 | permutation[2] << 4 | permutation[3] << 6;
  return builder.mapDwords(
      value, [&](Value *dword) { return moveDpp(builder, dword, control, PoisonValue::get(dword->getType())); });
}

} // namespace lgc
