// SPDX-License-Identifier: MIT
#include "src/lgc/builder/subgroups/group_op.h"
#include "src/base/enumerators.h"

using namespace llvm;

namespace lgc {

Value *combineGroup(BuilderImpl &builder, GroupOp op, Value *a, Value *b) {
  struct Row {
    Instruction::BinaryOps operation;
    Intrinsic::ID intrinsic = Intrinsic::not_intrinsic; // in place of an operation
  };
  constexpr auto none = Instruction::BinaryOpsEnd;
  static constexpr Row rows[] = {
      {Instruction::Add},      {Instruction::FAdd},       {Instruction::Mul},        {Instruction::FMul},
      {none, Intrinsic::smin}, {none, Intrinsic::umin},   {none, Intrinsic::minnum}, {none, Intrinsic::smax},
      {none, Intrinsic::umax}, {none, Intrinsic::maxnum}, {Instruction::And},        {Instruction::Or},
      {Instruction::Xor},
  };
  static_assert(std::size(rows) == dovetail::enumeratorCount<GroupOp>());
  const Row &row = rows[size_t(op)];
  return row.operation == none ? builder.CreateBinaryIntrinsic(row.intrinsic, a, b)
                               : builder.CreateBinOp(row.operation, a, b);
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
