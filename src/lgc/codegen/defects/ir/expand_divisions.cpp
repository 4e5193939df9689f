// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/expand_divisions.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <cmath>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace lgc {

namespace {

struct Divided {
  Value *quotient = nullptr, *remainder = nullptr;
};

// Writes the expansion of one division in front of it. Operands are scalars of 32 or 64 bits.
class Expander {
public:
  explicit Expander(Instruction &division)
      : m_builder(&division), m_layout(division.getModule()->getDataLayout()), m_place(division) {}

  IRBuilder<> &builder() { return m_builder; }

  Divided divide(Value *dividend, Value *divisor, bool isSigned) {
    return isSigned ? divideSigned(dividend, divisor)
                    : divideUnsigned(dividend, divisor, bits(dividend), bits(divisor));
  }

private:
  // The number of low bits that may be set.
  unsigned bits(Value *value) const {
    return computeKnownBits(value, m_layout, nullptr, &m_place).countMaxActiveBits();
  }

  // Divides magnitudes. The magnitude of a value with n significant bits, sign included, is at most 2^(n-1), which
  // takes n bits.
  Divided divideSigned(Value *dividend, Value *divisor) {
    const unsigned width = dividend->getType()->getScalarSizeInBits();
    auto significant = [&](Value *value) { return width - ComputeNumSignBits(value, m_layout, nullptr, &m_place) + 1; };
    Value *dividendSign = m_builder.CreateAShr(dividend, width - 1);
    Value *divisorSign = m_builder.CreateAShr(divisor, width - 1);
    Divided magnitudes = divideUnsigned(negateIf(dividend, dividendSign), negateIf(divisor, divisorSign),
                                        significant(dividend), significant(divisor));
    Value *quotientSign = m_builder.CreateXor(dividendSign, divisorSign);
    return {negateIf(magnitudes.quotient, quotientSign), negateIf(magnitudes.remainder, dividendSign)};
  }

  // `sign`: 0 or -1.
  Value *negateIf(Value *value, Value *sign) { return m_builder.CreateSub(m_builder.CreateXor(value, sign), sign); }

  Divided divideUnsigned(Value *dividend, Value *divisor, unsigned dividendBits, unsigned divisorBits) {
    Type *type = dividend->getType();
    if (type->isIntegerTy(64)) {
      if (dividendBits > 32 || divisorBits > 32) {
        auto *constant = dyn_cast<ConstantInt>(divisor);
        return constant ? divideByConstant(dividend, *constant) : divide64(dividend, divisor);
      }
      Type *narrow = m_builder.getInt32Ty();
      Divided divided = divideUnsigned(m_builder.CreateTrunc(dividend, narrow), m_builder.CreateTrunc(divisor, narrow),
                                       dividendBits, divisorBits);
      return {m_builder.CreateZExt(divided.quotient, type), m_builder.CreateZExt(divided.remainder, type)};
    }
    return dividendBits <= 20 && divisorBits <= 24 ? divide20(dividend, divisor) : divide32(dividend, divisor);
  }

  Divided divide20(Value *dividend, Value *divisor) {
    Value *half = ConstantFP::get(m_builder.getFloatTy(), 0.5);
    Value *product = m_builder.CreateFMul(m_builder.CreateFAdd(toFloat(dividend), half), reciprocal(toFloat(divisor)));
    Value *quotient = m_builder.CreateFPToUI(product, dividend->getType());
    return {quotient, m_builder.CreateSub(dividend, m_builder.CreateMul(quotient, divisor))};
  }

  Divided divide32(Value *dividend, Value *divisor) {
    Value *scaled = m_builder.CreateFMul(reciprocal(toFloat(divisor)), number(0x1p32f * (1 - 0x1p-21f)));
    Value *inverse = m_builder.CreateFPToUI(scaled, dividend->getType());
    inverse = improve(inverse, divisor);
    return finish(dividend, divisor, highProduct(dividend, inverse), 2);
  }

  Divided divide64(Value *dividend, Value *divisor) {
    Type *half = m_builder.getInt32Ty(), *type = dividend->getType();
    Value *low = toFloat(m_builder.CreateTrunc(divisor, half));
    Value *high = toFloat(m_builder.CreateTrunc(m_builder.CreateLShr(divisor, 32), half));
    Value *sum = fma(high, number(0x1p32f), low);
    Value *scaled = m_builder.CreateFMul(reciprocal(sum), number(0x1p64f * (1 - 0x1p-20f)));
    // As an integer: the conversions of both halves are exact.
    Value *scaledHigh =
        m_builder.CreateUnaryIntrinsic(Intrinsic::trunc, m_builder.CreateFMul(scaled, number(0x1p-32f)));
    Value *scaledLow = fma(scaledHigh, number(-0x1p32f), scaled);
    Value *inverseHigh = m_builder.CreateZExt(m_builder.CreateFPToUI(scaledHigh, half), type);
    Value *inverseLow = m_builder.CreateZExt(m_builder.CreateFPToUI(scaledLow, half), type);
    Value *inverse = m_builder.CreateOr(m_builder.CreateShl(inverseHigh, 32), inverseLow);
    inverse = improve(improve(inverse, divisor), divisor);
    return finish(dividend, divisor, highProduct(dividend, inverse), 2);
  }

  // 64 bits. The inverse is too small, by less than one.
  Divided divideByConstant(Value *dividend, const ConstantInt &divisor) {
    const APInt &number = divisor.getValue();
    if (number.isZero())
      return {PoisonValue::get(dividend->getType()), PoisonValue::get(dividend->getType())};
    if (number.isOne())
      return {dividend, ConstantInt::get(dividend->getType(), 0)};
    const APInt inverse = APInt::getOneBitSet(65, 64).udiv(number.zext(65)).trunc(64);
    Value *divisorValue = ConstantInt::get(dividend->getType(), number);
    Value *estimate = highProduct(dividend, ConstantInt::get(dividend->getType(), inverse));
    return finish(dividend, divisorValue, estimate, 1);
  }

  // One step of Newton's method, for an inverse that is too small.
  Value *improve(Value *inverse, Value *divisor) {
    Value *error = m_builder.CreateMul(m_builder.CreateNeg(divisor), inverse);
    return m_builder.CreateAdd(inverse, highProduct(inverse, error));
  }

  // Corrects an estimate of the quotient that is too small by at most `steps`.
  Divided finish(Value *dividend, Value *divisor, Value *quotient, unsigned steps) {
    Value *remainder = m_builder.CreateSub(dividend, m_builder.CreateMul(quotient, divisor));
    Value *one = ConstantInt::get(quotient->getType(), 1);
    for (unsigned step = 0; step < steps; ++step) {
      Value *isTooSmall = m_builder.CreateICmpUGE(remainder, divisor);
      quotient = m_builder.CreateSelect(isTooSmall, m_builder.CreateAdd(quotient, one), quotient);
      remainder = m_builder.CreateSelect(isTooSmall, m_builder.CreateSub(remainder, divisor), remainder);
    }
    return {quotient, remainder};
  }

  Value *highProduct(Value *a, Value *b) {
    Type *wide = m_builder.getInt64Ty(), *narrow = m_builder.getInt32Ty();
    if (a->getType() == narrow)
      return m_builder.CreateTrunc(
          m_builder.CreateLShr(m_builder.CreateMul(m_builder.CreateZExt(a, wide), m_builder.CreateZExt(b, wide)), 32),
          narrow);
    auto low = [&](Value *value) { return m_builder.CreateAnd(value, 0xffffffff); };
    auto high = [&](Value *value) { return m_builder.CreateLShr(value, 32); };
    Value *lowA = low(a), *highA = high(a), *lowB = low(b), *highB = high(b);
    Value *middle = m_builder.CreateAdd(m_builder.CreateMul(highA, lowB), high(m_builder.CreateMul(lowA, lowB)));
    Value *other = m_builder.CreateAdd(m_builder.CreateMul(lowA, highB), low(middle));
    return m_builder.CreateAdd(m_builder.CreateAdd(m_builder.CreateMul(highA, highB), high(middle)), high(other));
  }

  Value *number(float value) { return ConstantFP::get(m_builder.getFloatTy(), value); }
  Value *toFloat(Value *value) { return m_builder.CreateUIToFP(value, m_builder.getFloatTy()); }
  Value *reciprocal(Value *value) { return m_builder.CreateUnaryIntrinsic(Intrinsic::amdgcn_rcp, value); }
  Value *fma(Value *a, Value *b, Value *c) {
    return m_builder.CreateIntrinsic(Intrinsic::fma, {a->getType()}, {a, b, c});
  }

  IRBuilder<> m_builder;
  const DataLayout &m_layout;
  Instruction &m_place;
};

bool isDivision(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return inst.getType()->getScalarSizeInBits() <= 64 && !isa<ScalableVectorType>(inst.getType());
  default:
    return false;
  }
}

// Whether LLVM expands the division by this divisor itself: it multiplies by an inverse of 32 bits, and shifts for a
// power of two.
bool isKept(const Value &divisor) {
  auto *constant = dyn_cast<ConstantInt>(&divisor);
  return constant &&
         (constant->getBitWidth() <= 32 || (constant->getValue().isPowerOf2() && !constant->getValue().isNegative()));
}

// Expands a division of scalars of up to 64 bits.
Value *expand(Instruction &division, Value *dividend, Value *divisor, bool keepsConstants) {
  const bool isSigned = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  const bool isQuotient = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
  Expander expander(division);
  IRBuilder<> &builder = expander.builder();
  Type *type = dividend->getType();
  if (keepsConstants && isKept(*divisor))
    return builder.CreateBinOp(static_cast<Instruction::BinaryOps>(division.getOpcode()), dividend, divisor);
  Type *wide = type->getScalarSizeInBits() <= 32 ? builder.getInt32Ty() : builder.getInt64Ty();
  Divided divided = expander.divide(builder.CreateIntCast(dividend, wide, isSigned),
                                    builder.CreateIntCast(divisor, wide, isSigned), isSigned);
  return builder.CreateTrunc(isQuotient ? divided.quotient : divided.remainder, type);
}

} // namespace

PreservedAnalyses ExpandDivisionsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> divisions;
  for (Instruction &inst : instructions(function))
    if (isDivision(inst) && !(m_keepsConstants && isKept(*inst.getOperand(1))))
      divisions.push_back(&inst);
  for (Instruction *division : divisions) {
    Value *dividend = division->getOperand(0), *divisor = division->getOperand(1), *result = nullptr;
    if (auto *vector = dyn_cast<FixedVectorType>(division->getType())) {
      IRBuilder<> builder(division);
      result = PoisonValue::get(vector);
      for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
        Value *element = expand(*division, builder.CreateExtractElement(dividend, lane),
                                builder.CreateExtractElement(divisor, lane), m_keepsConstants);
        result = builder.CreateInsertElement(result, element, lane);
      }
    } else {
      result = expand(*division, dividend, divisor, m_keepsConstants);
    }
    division->replaceAllUsesWith(result);
    division->eraseFromParent();
  }
  return preserveControlFlow(!divisions.empty());
}

} // namespace lgc
