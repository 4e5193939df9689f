// SPDX-License-Identifier: MIT
//
// Floats of 16 and 64 bits. A half is in the low bits of a dword whose other bits may have any value.
#include "src/first/read/reader.h"
#include <optional>

namespace dovetail::first {

using isa::Opcode;
using Predicate = llvm::CmpInst::Predicate;

namespace {

struct FloatOpcodes {
  Opcode half;
  std::optional<Opcode> wide;
};

std::optional<FloatOpcodes> opcodesOf(Op op) {
  switch (op) {
  case Op::AddF:
    return FloatOpcodes{Opcode::VAddF16, Opcode::VAddF64};
  case Op::SubF: // of doubles: a sum
    return FloatOpcodes{Opcode::VSubF16, std::nullopt};
  case Op::MulF:
    return FloatOpcodes{Opcode::VMulF16, Opcode::VMulF64};
  case Op::MadF: // LLVM does not round twice where denormals are kept
  case Op::FmaF:
    return FloatOpcodes{Opcode::VFmaF16, Opcode::VFmaF64};
  case Op::MinF:
    return FloatOpcodes{Opcode::VMinF16, Opcode::VMinF64};
  case Op::MaxF:
    return FloatOpcodes{Opcode::VMaxF16, Opcode::VMaxF64};
  case Op::Rcp:
    return FloatOpcodes{Opcode::VRcpF16, Opcode::VRcpF64};
  case Op::Rsq:
    return FloatOpcodes{Opcode::VRsqF16, Opcode::VRsqF64};
  case Op::Sqrt:
    return FloatOpcodes{Opcode::VSqrtF16, Opcode::VSqrtF64};
  case Op::Log:
    return FloatOpcodes{Opcode::VLogF16, std::nullopt};
  case Op::Exp:
    return FloatOpcodes{Opcode::VExpF16, std::nullopt};
  case Op::Sin:
    return FloatOpcodes{Opcode::VSinF16, std::nullopt};
  case Op::Cos:
    return FloatOpcodes{Opcode::VCosF16, std::nullopt};
  case Op::Fract:
    return FloatOpcodes{Opcode::VFractF16, Opcode::VFractF64};
  case Op::Floor:
    return FloatOpcodes{Opcode::VFloorF16, Opcode::VFloorF64};
  case Op::Ceil:
    return FloatOpcodes{Opcode::VCeilF16, Opcode::VCeilF64};
  case Op::Truncate:
    return FloatOpcodes{Opcode::VTruncF16, Opcode::VTruncF64};
  case Op::RoundEven:
    return FloatOpcodes{Opcode::VRndneF16, Opcode::VRndneF64};
  case Op::FrexpMantissa:
    return FloatOpcodes{Opcode::VFrexpMantF16, Opcode::VFrexpMantF64};
  default:
    return std::nullopt;
  }
}

constexpr uint32_t SignOfHalf = 0x8000, SignOfDword = 0x80000000;

} // namespace

Reader::Nodes Reader::negated(const llvm::Type *type, llvm::ArrayRef<NodeId> value) {
  if (type->isDoubleTy())
    return {value[0], operation(Op::Xor, {value[1], constant(SignOfDword)})};
  return {type->isHalfTy() ? operation(Op::Xor, {value[0], constant(SignOfHalf)}) : unary(Op::Negate, value[0])};
}

// One value of the scalar type, each operand with its dwords; nothing: there is no such instruction.
Reader::Nodes Reader::floatOperation(const llvm::Type *type, Op op, llvm::ArrayRef<Nodes> operands) {
  Nodes dwords;
  for (const Nodes &operand : operands)
    dwords.append(operand);
  if (type->isFloatTy())
    return {operation(op, dwords)};
  if (op == Op::Absolute)
    return type->isHalfTy() ? Nodes{operation(Op::And, {dwords[0], constant(SignOfHalf - 1)})}
                            : Nodes{dwords[0], operation(Op::And, {dwords[1], constant(SignOfDword - 1)})};
  if (op == Op::SubF && type->isDoubleTy())
    return floatOperation(type, Op::AddF, {operands[0], negated(type, operands[1])});
  const auto opcodes = opcodesOf(op);
  if (!opcodes || (type->isDoubleTy() && !opcodes->wide) || (!type->isHalfTy() && !type->isDoubleTy()))
    return {};
  if (type->isHalfTy())
    return {valu(opcodes->half, dwords)};
  const Wide made = valuWide(*opcodes->wide, dwords);
  return {made.low, made.high};
}

// LLVM fuses a product and a sum if both allow it (DAGCombiner, visitFADDForFMACombine): the left product, or that with
// fewer users. Of floats of 32 bits the result is the same either way.
const llvm::BinaryOperator *Reader::productToFuse(const llvm::BinaryOperator &sum) {
  if (!sum.hasAllowContract() ||
      (sum.getOpcode() != llvm::Instruction::FAdd && sum.getOpcode() != llvm::Instruction::FSub))
    return nullptr;
  auto productOf = [&](unsigned i) {
    const auto *product = llvm::dyn_cast<llvm::BinaryOperator>(sum.getOperand(i));
    const bool fits = product && product->getOpcode() == llvm::Instruction::FMul && product->hasAllowContract();
    return fits ? product : nullptr;
  };
  const auto *left = productOf(0), *right = productOf(1);
  if (left && right)
    return left->getNumUses() > right->getNumUses() ? right : left;
  return left ? left : right;
}

bool Reader::readFloats(const llvm::BinaryOperator &instruction, llvm::ArrayRef<NodeId> left,
                        llvm::ArrayRef<NodeId> right) {
  const llvm::Type *type = instruction.getType()->getScalarType();
  const unsigned each = type->isDoubleTy() ? 2 : 1;
  const unsigned opcode = instruction.getOpcode();
  const auto *product = productToFuse(instruction);
  const Nodes factors[] = {product ? valuesOf(product->getOperand(0)) : Nodes(),
                           product ? valuesOf(product->getOperand(1)) : Nodes()};
  Nodes result;
  for (size_t i = 0; i < left.size(); i += each) {
    auto element = [&](llvm::ArrayRef<NodeId> of) { return Nodes(of.begin() + i, of.begin() + i + each); };
    const Nodes l = element(left), r = element(right);
    Nodes made;
    if (product) {
      const bool isLeft = product == instruction.getOperand(0), isSub = opcode == llvm::Instruction::FSub;
      const Nodes factor = element(factors[0]), addend = isLeft ? r : l;
      made = floatOperation(type, Op::FmaF,
                            {isSub && !isLeft ? negated(type, factor) : factor, element(factors[1]),
                             isSub && isLeft ? negated(type, addend) : addend});
    } else if (opcode == llvm::Instruction::FAdd) {
      made = floatOperation(type, Op::AddF, {l, r});
    } else if (opcode == llvm::Instruction::FSub) {
      made = floatOperation(type, Op::SubF, {l, r});
    } else if (opcode == llvm::Instruction::FMul) {
      made = floatOperation(type, Op::MulF, {l, r});
    } else if (opcode == llvm::Instruction::FDiv && type->isDoubleTy()) {
      made = divideDoubles(l, r);
    } else if (opcode == llvm::Instruction::FDiv && type->isHalfTy() && instruction.hasAllowReciprocal()) {
      made = {divideHalves(l[0], r[0])};
    }
    if (made.empty())
      return false;
    result.append(made);
  }
  set(&instruction, result);
  return true;
}

Reader::Nodes Reader::divideDoubles(llvm::ArrayRef<NodeId> dividend, llvm::ArrayRef<NodeId> divisor) {
  if (isConstant(divisor[0]) && isConstant(divisor[1])) { // LLVM multiplies (InstCombine, foldFDivConstantDivisor)
    const llvm::APFloat value(llvm::APFloat::IEEEdouble(),
                              llvm::APInt(64, uint64_t(valueOf(divisor[1])) << 32 | valueOf(divisor[0])));
    llvm::APFloat inverse(llvm::APFloat::IEEEdouble());
    if (value.getExactInverse(&inverse)) {
      const uint64_t bits = inverse.bitcastToAPInt().getZExtValue();
      const Wide made = valuWide(Opcode::VMulF64,
                                 {dividend[0], dividend[1], constant(uint32_t(bits)), constant(uint32_t(bits >> 32))});
      return {made.low, made.high};
    }
  }
  Node node;
  node.op = Op::DivideF64;
  node.bank = Bank::Vector;
  for (NodeId operand : {dividend[0], dividend[1], divisor[0], divisor[1]})
    node.isDivergent |= differs(operand);
  const NodeId made = makeList(node, {dividend[0], dividend[1], divisor[0], divisor[1]});
  return partsOf(made, 2);
}

// Where a reciprocal is allowed, LLVM takes it; of a constant it is rounded (InstCombine, foldFDivConstantDivisor).
NodeId Reader::divideHalves(NodeId dividend, NodeId divisor) {
  auto half = [](uint32_t bits) { return llvm::APFloat(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits & 0xffff)); };
  constexpr uint32_t one = 0x3c00;
  if (isConstant(divisor)) {
    const llvm::APFloat value = half(valueOf(divisor));
    llvm::APFloat inverse = half(one);
    inverse.divide(value, llvm::APFloat::rmNearestTiesToEven);
    if (value.isNormal() && inverse.isNormal())
      return valu(Opcode::VMulF16, {dividend, constant(uint32_t(inverse.bitcastToAPInt().getZExtValue()))});
  }
  if (isConstant(dividend) && valueOf(dividend) == one)
    return valu(Opcode::VRcpF16, {divisor});
  if (isConstant(dividend) && valueOf(dividend) == (one | SignOfHalf))
    return valu(Opcode::VRcpF16, {operation(Op::Xor, {divisor, constant(SignOfHalf)})});
  return valu(Opcode::VMulF16, {dividend, valu(Opcode::VRcpF16, {divisor})});
}

NodeId Reader::compareFloats(const llvm::Type *type, Predicate predicate, llvm::ArrayRef<NodeId> left,
                             llvm::ArrayRef<NodeId> right) {
  if (type->isFloatTy())
    return operation(Op::CompareF, {left[0], right[0]}, predicate);
  // In the order of LLVM's predicates; u, n…: also if there is a NaN.
  static constexpr Opcode halves[] = {Opcode::VCmpFF16,   Opcode::VCmpEqF16,  Opcode::VCmpGtF16,  Opcode::VCmpGeF16,
                                      Opcode::VCmpLtF16,  Opcode::VCmpLeF16,  Opcode::VCmpLgF16,  Opcode::VCmpOF16,
                                      Opcode::VCmpUF16,   Opcode::VCmpNlgF16, Opcode::VCmpNleF16, Opcode::VCmpNltF16,
                                      Opcode::VCmpNgeF16, Opcode::VCmpNgtF16, Opcode::VCmpNeqF16, Opcode::VCmpTruF16};
  static constexpr int toDoubles = int(Opcode::VCmpFF64) - int(Opcode::VCmpFF16); // the two groups have one order
  static_assert(int(Opcode::VCmpTruF64) - int(Opcode::VCmpTruF16) == toDoubles);
  const Opcode half = halves[predicate - Predicate::FCMP_FALSE];
  Nodes dwords(left.begin(), left.end());
  dwords.append(right.begin(), right.end());
  return valu(type->isHalfTy() ? half : Opcode(int(half) + toDoubles), dwords);
}

// As LLVM computes it (SIISelLowering, lowerFSQRTF16 and lowerFSQRTF64).
bool Reader::readSquareRoot(const llvm::CallInst &call) {
  const llvm::Type *type = call.getType()->getScalarType();
  if (!type->isHalfTy() && !type->isDoubleTy())
    return false;
  const Nodes values = valuesOf(call.getArgOperand(0));
  Nodes result;
  for (size_t i = 0; i < values.size(); i += type->isDoubleTy() ? 2 : 1)
    if (type->isHalfTy())
      result.push_back(valu(Opcode::VCvtF16F32, {unary(Op::Sqrt, valu(Opcode::VCvtF32F16, {values[i]}))}));
    else
      result.append(squareRootOfDouble({values[i], values[i + 1]}));
  set(&call, result);
  return true;
}

Reader::Nodes Reader::squareRootOfDouble(llvm::ArrayRef<NodeId> value) {
  const llvm::Type *type = llvm::Type::getDoubleTy(m_function.getContext());
  auto number = [&](uint32_t high) { return Nodes{constant(0), constant(high)}; };
  auto fma = [&](const Nodes &a, const Nodes &b, const Nodes &c) { return floatOperation(type, Op::FmaF, {a, b, c}); };
  auto multiply = [&](const Nodes &a, const Nodes &b) { return floatOperation(type, Op::MulF, {a, b}); };
  auto scale = [&](const Nodes &a, NodeId exponent) {
    const Wide made = valuWide(Opcode::VLdexpF64, {a[0], a[1], exponent});
    return Nodes{made.low, made.high};
  };
  const Nodes half = number(0x3fe00000), small = number(0x10000000); // 2^-767
  const NodeId isSmall = compareFloats(type, Predicate::FCMP_OLT, value, small);
  const Nodes x =
      scale(Nodes(value.begin(), value.end()), operation(Op::Select, {isSmall, constant(256), constant(0)}));
  const Nodes y = floatOperation(type, Op::Rsq, {x});
  const Nodes s0 = multiply(x, y), h0 = multiply(y, half);
  const Nodes r0 = fma(negated(type, h0), s0, half);
  const Nodes h1 = fma(h0, r0, h0), s1 = fma(s0, r0, s0);
  const Nodes d0 = fma(negated(type, s1), s1, x), s2 = fma(d0, h1, s1);
  const Nodes d1 = fma(negated(type, s2), s2, x), s3 = fma(d1, h1, s2);
  const Nodes root = scale(s3, operation(Op::Select, {isSmall, constant(uint32_t(-128)), constant(0)}));
  constexpr uint32_t zeroOrInfinity = 0x260; // classes of floats
  const NodeId isSpecial = valu(Opcode::VCmpClassF64, {x[0], x[1], constant(zeroOrInfinity)});
  return {operation(Op::Select, {isSpecial, x[0], root[0]}), operation(Op::Select, {isSpecial, x[1], root[1]})};
}

// Rounded once: what is lost below 32 bits is kept as their last bit.
Reader::Nodes Reader::floatOfWide(const llvm::Type *type, Wide value, bool isSigned) {
  if (type->isDoubleTy()) {
    const Wide high = valuWide(isSigned ? Opcode::VCvtF64I32 : Opcode::VCvtF64U32, {value.high});
    const Wide scaled = valuWide(Opcode::VLdexpF64, {high.low, high.high, constant(32)});
    const Wide low = valuWide(Opcode::VCvtF64U32, {value.low});
    const Wide sum = valuWide(Opcode::VAddF64, {scaled.low, scaled.high, low.low, low.high});
    return {sum.low, sum.high};
  }
  const NodeId sign = operation(Op::And, {value.high, constant(SignOfDword)});
  if (isSigned) {
    const Nodes magnitude = wideCall(llvm::Intrinsic::abs, value, value, false);
    value = {magnitude[0], magnitude[1]};
  }
  const NodeId zeros = operation(Op::MinU, {unary(Op::FindHighBit, value.high), constant(32)});
  const Wide shifted = shiftWide(llvm::Instruction::Shl, value, zeros);
  const NodeId lost = operation(Op::MinU, {shifted.low, constant(1)});
  const NodeId rounded = unary(Op::FloatOfU, operation(Op::Or, {shifted.high, lost}));
  const NodeId result = operation(Op::Ldexp, {rounded, operation(Op::Sub, {constant(32), zeros})});
  return {isSigned ? operation(Op::Or, {result, sign}) : result};
}

// The high dword from the quotient by 2^32, the low one from the rest. Of floats of 32 bits the sign is apart, because
// the rest of a negative one would need more bits.
Reader::Wide Reader::wideOfFloat(const llvm::Type *type, llvm::ArrayRef<NodeId> value, bool isSigned) {
  const Nodes whole = floatOperation(type, Op::Truncate, {Nodes(value.begin(), value.end())});
  const bool isDouble = type->isDoubleTy();
  Nodes magnitude = whole;
  if (!isDouble && isSigned)
    magnitude = {unary(Op::Absolute, whole[0])};
  const Nodes inverse = isDouble ? Nodes{constant(0), constant(0x3df00000)} : Nodes{constant(0x2f800000)}; // 2^-32
  const Nodes minus = isDouble ? Nodes{constant(0), constant(0xc1f00000)} : Nodes{constant(0xcf800000)};   // -2^32
  const Nodes high = floatOperation(type, Op::Floor, {floatOperation(type, Op::MulF, {magnitude, inverse})});
  const Nodes low = floatOperation(type, Op::FmaF, {high, minus, magnitude});
  if (isDouble)
    return {valu(Opcode::VCvtU32F64, low), valu(isSigned ? Opcode::VCvtI32F64 : Opcode::VCvtU32F64, high)};
  const Wide made = {unary(Op::UintOfF, low[0]), unary(Op::UintOfF, high[0])};
  if (!isSigned)
    return made;
  const NodeId sign = operation(Op::ShiftRightSigned, {whole[0], constant(31)});
  return addWide(Op::SubWide, {operation(Op::Xor, {made.low, sign}), operation(Op::Xor, {made.high, sign})},
                 {sign, sign});
}

// Rounded once: on the way, a float of 32 bits that is not exact is rounded to an odd one.
NodeId Reader::halfOfDouble(llvm::ArrayRef<NodeId> value) {
  const llvm::Type *type = llvm::Type::getDoubleTy(m_function.getContext());
  const NodeId nearest = valu(Opcode::VCvtF32F64, value);
  const Wide back = valuWide(Opcode::VCvtF64F32, {nearest});
  const Nodes wide = {back.low, back.high};
  const Nodes magnitude = floatOperation(type, Op::Absolute, {wide});
  const Nodes ofExact = floatOperation(type, Op::Absolute, {Nodes(value.begin(), value.end())});
  const NodeId isLarger = compareFloats(type, Predicate::FCMP_OGT, magnitude, ofExact);
  const NodeId towardZero = operation(Op::Select, {isLarger, addConstant(nearest, UINT32_MAX), nearest});
  const NodeId isInexact = compareFloats(type, Predicate::FCMP_UNE, wide, value);
  const NodeId odd = operation(Op::Select, {isInexact, operation(Op::Or, {towardZero, constant(1)}), nearest});
  return valu(Opcode::VCvtF16F32, {odd});
}

// Conversions between floats, and between floats and integers; false: none that an instruction does.
bool Reader::convertFloats(const llvm::CastInst &instruction, llvm::ArrayRef<NodeId> parts) {
  const llvm::Type *from = instruction.getSrcTy()->getScalarType(), *to = instruction.getDestTy()->getScalarType();
  auto isFloat = [](const llvm::Type *type) { return type->isFloatTy() || type->isHalfTy() || type->isDoubleTy(); };
  const bool isUnsigned =
      instruction.getOpcode() == llvm::Instruction::UIToFP || instruction.getOpcode() == llvm::Instruction::FPToUI;
  const bool fromDouble = from->isDoubleTy(), toDouble = to->isDoubleTy();
  Nodes result;
  if (from->isIntegerTy(64) || to->isIntegerTy(64)) {
    const bool isFromWide = from->isIntegerTy(64);
    const llvm::Type *single = llvm::Type::getFloatTy(m_function.getContext());
    for (size_t i = 0; i < parts.size(); i += isFromWide || fromDouble ? 2 : 1) {
      if (isFromWide) {
        Nodes made = floatOfWide(toDouble ? to : single, {parts[i], parts[i + 1]}, !isUnsigned);
        if (to->isHalfTy())
          made = {valu(Opcode::VCvtF16F32, made)};
        result.append(made);
      } else {
        const Nodes value = fromDouble         ? Nodes{parts[i], parts[i + 1]}
                            : from->isHalfTy() ? Nodes{valu(Opcode::VCvtF32F16, {parts[i]})}
                                               : Nodes{parts[i]};
        const Wide made = wideOfFloat(fromDouble ? from : single, value, !isUnsigned);
        result.append({made.low, made.high});
      }
    }
    set(&instruction, result);
    return true;
  }
  for (size_t i = 0; i < parts.size(); i += fromDouble ? 2 : 1) {
    NodeId value = parts[i];
    if (isFloat(from) && isFloat(to)) {
      if (from == to)
        return false;
      if (fromDouble && to->isHalfTy()) {
        result.push_back(halfOfDouble({parts[i], parts[i + 1]}));
        continue;
      }
      if (fromDouble)
        value = valu(Opcode::VCvtF32F64, {parts[i], parts[i + 1]});
      else if (from->isHalfTy())
        value = valu(Opcode::VCvtF32F16, {value});
      if (to->isHalfTy())
        value = valu(Opcode::VCvtF16F32, {value});
    } else if (isFloat(to)) {
      const unsigned bits = narrowBits(from) ? narrowBits(from) : from->getIntegerBitWidth();
      if (bits > 32 || bits == 1)
        return false;
      if (to->isHalfTy() && bits <= 16) {
        value = bits == 16 ? value : extend(value, bits, !isUnsigned);
        result.push_back(valu(isUnsigned ? Opcode::VCvtF16U16 : Opcode::VCvtF16I16, {value}));
        continue;
      }
      value = extend(value, bits, !isUnsigned);
      if (!toDouble)
        value = unary(isUnsigned ? Op::FloatOfU : Op::FloatOfI, value);
      if (to->isHalfTy())
        value = valu(Opcode::VCvtF16F32, {value});
    } else {
      const unsigned bits = narrowBits(to) ? narrowBits(to) : to->getIntegerBitWidth();
      if (bits > 32 || bits == 1)
        return false;
      if (fromDouble) {
        result.push_back(valu(isUnsigned ? Opcode::VCvtU32F64 : Opcode::VCvtI32F64, {parts[i], parts[i + 1]}));
        continue;
      }
      if (from->isHalfTy())
        value = valu(Opcode::VCvtF32F16, {value});
      value = unary(isUnsigned ? Op::UintOfF : Op::IntOfF, value);
    }
    if (!toDouble) {
      result.push_back(value);
      continue;
    }
    const Wide made = valuWide(isFloat(from) ? Opcode::VCvtF64F32
                               : isUnsigned  ? Opcode::VCvtF64U32
                                             : Opcode::VCvtF64I32,
                               {value});
    result.append({made.low, made.high});
  }
  set(&instruction, result);
  return true;
}

} // namespace dovetail::first
