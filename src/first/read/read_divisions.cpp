// SPDX-License-Identifier: MIT
//
// Divisions of floats, and of dwords by constants.
#include "src/first/read/reader.h"
#include <bit>
#include <cmath>
#include <llvm/IR/Operator.h>
#include <llvm/Support/DivisionByConstantInfo.h>

namespace dovetail::first {

// Products that an output modifier may become (Selector::scaledBy()) are marked: other nodes stay equal.
NodeId Reader::multiply(const llvm::BinaryOperator &instruction, NodeId left, NodeId right) {
  const bool isScaled = llvm::any_of(llvm::ArrayRef{left, right}, [&](NodeId node) {
    return isConstant(node) && outputModifierOf(valueOf(node)) != 0;
  });
  return operation(Op::MulF, {left, right}, isScaled && instruction.hasNoSignedZeros() ? LosesZeroSign : 0);
}

// As LLVM expands it (AMDGPUCodeGenPrepare, visitFDiv; SIISelLowering, lowerFDIV_FAST), so that both tiers give the
// same bits.
NodeId Reader::divide(const llvm::BinaryOperator &instruction, NodeId dividend, NodeId divisor) {
  if (isConstant(divisor)) { // LLVM multiplies (InstCombine, foldFDivConstantDivisor)
    const auto value = std::bit_cast<float>(valueOf(divisor));
    const float inverse = 1.0f / value;
    if (value == 1.0f)
      return dividend;
    int exponent;
    const bool isExact = std::abs(std::frexp(value, &exponent)) == 0.5f;
    if (std::isnormal(inverse) && std::isnormal(value) && (isExact || instruction.hasAllowReciprocal()))
      return multiply(instruction, dividend, constant(std::bit_cast<uint32_t>(inverse)));
  }
  constexpr float accuracyOfRcp = 1.0f, accuracyOfScaling = 2.5f; // units in the last place that may be wrong
  const float accuracy = llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy();
  if (accuracy < accuracyOfRcp)
    return operation(Op::DivideF, {dividend, divisor});
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(1.0f))
    return unary(Op::Rcp, divisor);
  if (isConstant(dividend) && valueOf(dividend) == std::bit_cast<uint32_t>(-1.0f))
    return unary(Op::Rcp, unary(Op::Negate, divisor));
  if (instruction.hasAllowReciprocal())
    return operation(Op::MulF, {dividend, unary(Op::Rcp, divisor)});
  if (accuracy < accuracyOfScaling)
    return operation(Op::DivideF, {dividend, divisor});
  const NodeId isLarge =
      operation(Op::CompareF, {unary(Op::Absolute, divisor), constant(0x6f800000)}, llvm::CmpInst::FCMP_OGT);
  const NodeId scale = operation(Op::Select, {isLarge, constant(0x2f800000), constant(std::bit_cast<uint32_t>(1.0f))});
  const NodeId inverse = unary(Op::Rcp, operation(Op::MulF, {divisor, scale}));
  return operation(Op::MulF, {scale, operation(Op::MulF, {dividend, inverse})});
}

// Multiplies by an inverse, as LLVM does. ExpandDivisionsPass has expanded divisions by what is no constant.
NodeId Reader::divideByConstant(NodeId dividend, uint32_t divisor, bool isSigned) {
  if (divisor == 0)
    return undefined(false);
  if (divisor == 1)
    return dividend;
  const llvm::APInt number(32, divisor);
  auto by = [&](Op op, NodeId value, unsigned amount) {
    return amount ? operation(op, {value, constant(amount)}) : value;
  };
  if (!isSigned) {
    if (number.isPowerOf2())
      return by(Op::ShiftRight, dividend, number.logBase2());
    const auto inverse = llvm::UnsignedDivisionByConstantInfo::get(number);
    const NodeId magic = constant(uint32_t(inverse.Magic.getZExtValue()));
    NodeId quotient = operation(Op::MulHighU, {by(Op::ShiftRight, dividend, inverse.PreShift), magic});
    if (inverse.IsAdd) {
      const NodeId rest = by(Op::ShiftRight, operation(Op::Sub, {dividend, quotient}), 1);
      quotient = operation(Op::Add, {rest, quotient});
    }
    return by(Op::ShiftRight, quotient, inverse.PostShift);
  }
  if (number.isAllOnes())
    return operation(Op::Sub, {constant(0), dividend});
  if (number.isPowerOf2() && number.isStrictlyPositive()) {
    const unsigned bits = number.logBase2();
    const NodeId sign = operation(Op::ShiftRightSigned, {dividend, constant(31)});
    const NodeId rounded = operation(Op::Add, {dividend, operation(Op::ShiftRight, {sign, constant(32 - bits)})});
    return operation(Op::ShiftRightSigned, {rounded, constant(bits)});
  }
  const auto inverse = llvm::SignedDivisionByConstantInfo::get(number);
  NodeId quotient = operation(Op::MulHighI, {dividend, constant(uint32_t(inverse.Magic.getZExtValue()))});
  if (number.isStrictlyPositive() && inverse.Magic.isNegative())
    quotient = operation(Op::Add, {quotient, dividend});
  else if (number.isNegative() && inverse.Magic.isStrictlyPositive())
    quotient = operation(Op::Sub, {quotient, dividend});
  quotient = by(Op::ShiftRightSigned, quotient, inverse.ShiftAmount);
  return operation(Op::Add, {quotient, operation(Op::ShiftRight, {quotient, constant(31)})});
}

} // namespace dovetail::first
