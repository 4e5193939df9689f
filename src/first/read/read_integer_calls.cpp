// SPDX-License-Identifier: MIT
//
// Intrinsics of integers, whatever their size (read_integers.cpp).
#include "src/first/read/reader.h"
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Intrinsics.h>

namespace dovetail::first {

using llvm::Intrinsic::ID;
using Predicate = llvm::CmpInst::Predicate;
namespace Intrinsic = llvm::Intrinsic;

// Of up to 32 bits; NoNode: the intrinsic is none of them. `flag`: the last operand of those that have one.
NodeId Reader::narrowCall(ID id, unsigned bits, NodeId left, NodeId right, bool flag) {
  const bool isWhole = bits == 32;
  const uint32_t ones = isWhole ? UINT32_MAX : (1u << bits) - 1, most = ones >> 1;
  // The operands with zeros above their bits, and with their signs. What nobody asks for costs nothing.
  auto second = [&](bool isSigned) { return right == NoNode ? NoNode : extend(right, bits, isSigned); };
  const NodeId u = extend(left, bits, false), v = second(false), s = extend(left, bits, true), t = second(true);
  switch (id) {
  case Intrinsic::umin:
    return operation(Op::MinU, {u, v});
  case Intrinsic::umax:
    return operation(Op::MaxU, {u, v});
  case Intrinsic::ctpop:
    return unary(Op::CountBits, u);
  case Intrinsic::bitreverse: {
    const NodeId reversed = unary(Op::ReverseBits, left);
    return isWhole ? reversed : operation(Op::ShiftRight, {reversed, constant(32 - bits)});
  }
  case Intrinsic::cttz: { // the flag: zero is poison
    const NodeId stop = isWhole ? left : operation(Op::Or, {left, constant(ones + 1)});
    const NodeId bit = unary(Op::FindLowBit, stop);
    return isWhole && !flag ? operation(Op::MinU, {bit, constant(32)}) : bit;
  }
  case Intrinsic::ctlz: {
    const NodeId bit = unary(Op::FindHighBit, u);
    const NodeId zeros = flag ? bit : operation(Op::MinU, {bit, constant(32)});
    return addConstant(zeros, bits - 32);
  }
  case Intrinsic::usub_sat:
    return operation(Op::Sub, {operation(Op::MaxU, {u, v}), v});
  case Intrinsic::uadd_sat: // a + b, or a + ~a
    if (!isWhole)
      return operation(Op::MinU, {operation(Op::Add, {u, v}), constant(ones)});
    return operation(Op::Add, {operation(Op::MinU, {u, operation(Op::Xor, {v, constant(ones)})}), v});
  case Intrinsic::smin:
    return operation(Op::MinI, {s, t});
  case Intrinsic::smax:
    return operation(Op::MaxI, {s, t});
  case Intrinsic::abs:
    return operation(Op::MaxI, {s, operation(Op::Sub, {constant(0), s})});
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat: {
    const bool isSum = id == Intrinsic::sadd_sat;
    const NodeId sum = operation(isSum ? Op::Add : Op::Sub, {s, t});
    if (!isWhole)
      return operation(Op::MaxI, {operation(Op::MinI, {sum, constant(most)}), constant(~most)});
    // Too large if the sign is none that the operands can give; then it is as far as the left one's sign says.
    const NodeId leftChanged = operation(Op::Xor, {s, sum});
    const NodeId other = operation(Op::Xor, {isSum ? t : s, isSum ? sum : t});
    const NodeId limit = operation(Op::Xor, {operation(Op::ShiftRightSigned, {s, constant(31)}), constant(most)});
    const NodeId isTooFar =
        operation(Op::CompareI, {operation(Op::And, {leftChanged, other}), constant(0)}, Predicate::ICMP_SLT);
    return operation(Op::Select, {isTooFar, limit, sum});
  }
  default:
    return NoNode;
  }
}

// Of 64 bits; nothing: the intrinsic is none of them. `flag`: as of narrowCall().
Reader::Nodes Reader::wideCall(ID id, Wide left, Wide right, bool flag) {
  auto choose = [&](NodeId condition, Wide one, Wide other) {
    return Nodes{operation(Op::Select, {condition, one.low, other.low}),
                 operation(Op::Select, {condition, one.high, other.high})};
  };
  const bool isScalar = nodeOf(left.low).bank == Bank::Scalar && nodeOf(left.high).bank == Bank::Scalar;
  const Wide zero = {constant(0), constant(0)}, ones = {constant(UINT32_MAX), constant(UINT32_MAX)};
  auto isNegative = [&](NodeId high) { return operation(Op::CompareI, {high, constant(0)}, Predicate::ICMP_SLT); };
  switch (id) {
  case Intrinsic::smin:
    return choose(compareWide(Predicate::ICMP_SLT, left, right), left, right);
  case Intrinsic::smax:
    return choose(compareWide(Predicate::ICMP_SGT, left, right), left, right);
  case Intrinsic::umin:
    return choose(compareWide(Predicate::ICMP_ULT, left, right), left, right);
  case Intrinsic::umax:
    return choose(compareWide(Predicate::ICMP_UGT, left, right), left, right);
  case Intrinsic::abs:
    return choose(isNegative(left.high), addWide(Op::SubWide, zero, left), left);
  case Intrinsic::ctpop:
    if (isScalar)
      return {salu(isa::Opcode::SBcnt1I32B64, {left.low, left.high}), constant(0)};
    return {operation(Op::Add, {unary(Op::CountBits, left.low), unary(Op::CountBits, left.high)}), constant(0)};
  case Intrinsic::bitreverse:
    return {unary(Op::ReverseBits, left.high), unary(Op::ReverseBits, left.low)};
  case Intrinsic::cttz:
  case Intrinsic::ctlz: {
    if (isScalar) { // -1 of zero, which the flag calls poison
      const NodeId bit =
          salu(id == Intrinsic::cttz ? isa::Opcode::SFf1I32B64 : isa::Opcode::SFlbitI32B64, {left.low, left.high});
      return {flag ? bit : operation(Op::MinU, {bit, constant(64)}), constant(0)};
    }
    const Op find = id == Intrinsic::cttz ? Op::FindLowBit : Op::FindHighBit;
    const NodeId first = id == Intrinsic::cttz ? left.low : left.high,
                 second = id == Intrinsic::cttz ? left.high : left.low;
    const NodeId later = addConstant(operation(Op::MinU, {unary(find, second), constant(32)}), 32);
    return {operation(Op::MinU, {unary(find, first), later}), constant(0)};
  }
  case Intrinsic::uadd_sat: {
    const Wide sum = addWide(Op::AddWide, left, right);
    return choose(compareWide(Predicate::ICMP_ULT, sum, left), ones, sum);
  }
  case Intrinsic::usub_sat:
    return choose(compareWide(Predicate::ICMP_ULT, left, right), zero, addWide(Op::SubWide, left, right));
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat: { // as of 32 bits
    const bool isSum = id == Intrinsic::sadd_sat;
    const Wide sum = addWide(isSum ? Op::AddWide : Op::SubWide, left, right);
    const NodeId leftChanged = operation(Op::Xor, {left.high, sum.high});
    const NodeId other = operation(Op::Xor, {isSum ? right.high : left.high, isSum ? sum.high : right.high});
    const NodeId sign = operation(Op::ShiftRightSigned, {left.high, constant(31)});
    const Wide limit = {operation(Op::Xor, {sign, constant(UINT32_MAX)}),
                        operation(Op::Xor, {sign, constant(INT32_MAX)})};
    return choose(isNegative(operation(Op::And, {leftChanged, other})), limit, sum);
  }
  default:
    return {};
  }
}

// Two values side by side are shifted, of which one half is left: of sizes that are powers of two. LLVM rotates what a
// switch is over if the numbers of its cases are multiples of one (SimplifyCFG).
bool Reader::readFunnelShift(const llvm::CallInst &call) {
  const unsigned bits = call.getType()->getScalarSizeInBits();
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return false;
  const size_t each = bits == 64 ? 2 : 1;
  const Nodes left = valuesOf(call.getArgOperand(0)), right = valuesOf(call.getArgOperand(1)),
              amounts = valuesOf(call.getArgOperand(2));
  auto shift = [&](unsigned opcode, Wide value, NodeId by) -> Wide {
    if (each == 2)
      return shiftWide(opcode, value, by);
    return {operation(opcode == llvm::Instruction::Shl ? Op::ShiftLeft : Op::ShiftRight, {value.low, by}), NoNode};
  };
  Nodes result;
  for (size_t i = 0; i < left.size(); i += each) {
    Wide high = {left[i], left[i + each - 1]}, low = {extend(right[i], bits, false), right[i + each - 1]};
    // The other half is shifted by the rest, which may be all bits: by one first.
    const NodeId by = operation(Op::And, {amounts[i], constant(bits - 1)});
    const NodeId rest = operation(Op::Xor, {by, constant(bits - 1)}), one = constant(1);
    if (call.getIntrinsicID() == Intrinsic::fshl) {
      high = shift(llvm::Instruction::Shl, high, by);
      low = shift(llvm::Instruction::LShr, shift(llvm::Instruction::LShr, low, one), rest);
    } else {
      low = shift(llvm::Instruction::LShr, low, by);
      high = shift(llvm::Instruction::Shl, shift(llvm::Instruction::Shl, high, one), rest);
    }
    result.push_back(operation(Op::Or, {high.low, low.low}));
    if (each == 2)
      result.push_back(operation(Op::Or, {high.high, low.high}));
  }
  set(&call, result);
  return true;
}

bool Reader::readIntegerCall(const llvm::CallInst &call) {
  if (call.getIntrinsicID() == Intrinsic::fshl || call.getIntrinsicID() == Intrinsic::fshr)
    return readFunnelShift(call);
  const llvm::Type *type = call.getType()->getScalarType();
  if (!type->isIntegerTy() || type->isIntegerTy(1) || type->getIntegerBitWidth() > 64 || !partsOf(call.getType()) ||
      call.arg_empty() || call.getArgOperand(0)->getType() != call.getType())
    return false;
  const unsigned bits = type->getIntegerBitWidth(), each = bits == 64 ? 2 : 1;
  if (bits > 32 && bits < 64)
    return false;
  const Nodes left = valuesOf(call.getArgOperand(0));
  const auto *flag = call.arg_size() > 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1)) : nullptr;
  const bool isSet = flag && flag->getType()->isIntegerTy(1) && flag->isOne();
  Nodes right;
  if (call.arg_size() > 1 && call.getArgOperand(1)->getType() == call.getType())
    right = valuesOf(call.getArgOperand(1));
  Nodes result;
  for (size_t i = 0; i < left.size(); i += each) {
    const bool isBinary = !right.empty();
    if (bits == 64) {
      const Nodes made = wideCall(call.getIntrinsicID(), {left[i], left[i + 1]},
                                  isBinary ? Wide{right[i], right[i + 1]} : Wide{left[i], left[i + 1]}, isSet);
      if (made.empty())
        return false;
      result.append(made);
    } else {
      const NodeId made = narrowCall(call.getIntrinsicID(), bits, left[i], isBinary ? right[i] : NoNode, isSet);
      if (made == NoNode)
        return false;
      result.push_back(made);
    }
  }
  set(&call, result);
  return true;
}

} // namespace dovetail::first
