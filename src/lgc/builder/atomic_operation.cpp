// SPDX-License-Identifier: MIT
#include "src/lgc/builder/atomic_operation.h"
#include "src/base/enumerators.h"

using namespace llvm;

namespace lgc {

const char *atomicSuffix(AtomicOp op) {
  static constexpr const char *Suffixes[] = {"swap", "add", "sub", "smin",  "umin",  "smax", "umax",
                                             "and",  "or",  "xor", nullptr, nullptr, nullptr};
  static_assert(std::size(Suffixes) == dovetail::enumeratorCount<AtomicOp>());
  return Suffixes[size_t(op)];
}

Value *atomicResult(IRBuilderBase &builder, AtomicOp op, Value *old, Value *operand) {
  switch (op) {
  case AtomicOp::FAdd:
    return builder.CreateFAdd(old, operand);
  case AtomicOp::FMin:
    return builder.CreateMinNum(old, operand);
  case AtomicOp::FMax:
    return builder.CreateMaxNum(old, operand);
  default:
    llvm_unreachable("an operation that the hardware has");
  }
}

} // namespace lgc
