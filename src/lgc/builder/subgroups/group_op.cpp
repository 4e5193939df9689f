// SPDX-License-Identifier: MIT
#include "src/lgc/builder/subgroups/group_op.h"

using namespace llvm;

namespace lgc {

Value *combineGroup(BuilderImpl &builder, GroupOp op, Value *a, Value *b) {
  switch (op) {
  case GroupOp::IAdd:
    return builder.CreateAdd(a, b);
  case GroupOp::IMul:
    return builder.CreateMul(a, b);
  case GroupOp::FAdd:
    return builder.CreateFAdd(a, b);
  case GroupOp::FMul:
    return builder.CreateFMul(a, b);
  case GroupOp::SMin:
    return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  case GroupOp::UMin:
    return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
  case GroupOp::FMin:
    return builder.CreateMinNum(a, b);
  case GroupOp::SMax:
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  case GroupOp::UMax:
    return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
  case GroupOp::FMax:
    return builder.CreateMaxNum(a, b);
  case GroupOp::And:
    return builder.CreateAnd(a, b);
  case GroupOp::Or:
    return builder.CreateOr(a, b);
  case GroupOp::Xor:
    return builder.CreateXor(a, b);
  }
  llvm_unreachable("unknown group operation");
}

Constant *identityOf(GroupOp op, Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (op) {
  case GroupOp::IAdd:
  case GroupOp::UMax:
  case GroupOp::Or:
  case GroupOp::Xor:
    return ConstantInt::get(type, 0);
  case GroupOp::IMul:
    return ConstantInt::get(type, 1);
  case GroupOp::UMin:
  case GroupOp::And:
    return ConstantInt::getAllOnesValue(type);
  case GroupOp::SMin:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  case GroupOp::SMax:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case GroupOp::FAdd:
    return ConstantFP::get(type, 0.0);
  case GroupOp::FMul:
    return ConstantFP::get(type, 1.0);
  case GroupOp::FMin:
    return ConstantFP::getInfinity(type);
  case GroupOp::FMax:
    return ConstantFP::getInfinity(type, true);
  }
  llvm_unreachable("unknown group operation");
}

} // namespace lgc
