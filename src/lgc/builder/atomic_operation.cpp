// SPDX-License-Identifier: MIT
#include "src/lgc/builder/atomic_operation.h"

using namespace llvm;

namespace lgc {

const char *atomicSuffix(AtomicOp op) {
  switch (op) {
  case AtomicOp::Swap:
    return "swap";
  case AtomicOp::Add:
    return "add";
  case AtomicOp::Sub:
    return "sub";
  case AtomicOp::SMin:
    return "smin";
  case AtomicOp::UMin:
    return "umin";
  case AtomicOp::SMax:
    return "smax";
  case AtomicOp::UMax:
    return "umax";
  case AtomicOp::And:
    return "and";
  case AtomicOp::Or:
    return "or";
  case AtomicOp::Xor:
    return "xor";
  case AtomicOp::FAdd:
  case AtomicOp::FMin:
  case AtomicOp::FMax:
    break;
  }
  return nullptr;
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
