// SPDX-License-Identifier: MIT
//
// The arithmetic is written from SPIR-V's text, in the plainest way. It shares no code with the compiler or the
// emulator.
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>

namespace dovetail::random_programs {

namespace {

using Number = std::optional<uint64_t>;

int64_t smallestOf(unsigned bits) {
  return signExtended(uint64_t(1) << (bits - 1), bits);
}

Number divideSigned(Op op, unsigned bits, int64_t x, int64_t y) {
  if (y == 0 || (y == -1 && x == smallestOf(bits)))
    return std::nullopt;
  if (op == Op::DivideSigned)
    return uint64_t(x / y);
  int64_t remainder = x % y;
  if (op == Op::ModuloSigned && remainder != 0 && (remainder < 0) != (y < 0))
    remainder += y;
  return uint64_t(remainder);
}

double smallestNormal(Scalar scalar) {
  return scalar == Scalar::F64 ? 0x1p-1022 : scalar == Scalar::F32 ? 0x1p-126 : 0x1p-14;
}

// False if the field goes beyond the word; then the result is undefined.
bool isField(uint64_t offset, uint64_t count) {
  return offset <= 32 && count <= 32 && offset + count <= 32;
}

uint64_t maskOf(uint64_t count) {
  return (uint64_t(1) << count) - 1;
}

Number onWords(Op op, const uint64_t *operands) {
  const auto x = uint32_t(operands[0]);
  const uint64_t y = operands[1];
  switch (op) {
  case Op::BitFieldInsert: {
    const uint64_t offset = operands[2], count = operands[3];
    if (!isField(offset, count))
      return std::nullopt;
    const uint64_t mask = count ? maskOf(count) << offset : 0;
    return (x & ~mask) | ((y << (count ? offset : 0)) & mask);
  }
  case Op::BitFieldExtract:
  case Op::BitFieldExtractSigned: {
    const uint64_t offset = y, count = operands[2];
    if (!isField(offset, count))
      return std::nullopt;
    if (count == 0)
      return 0;
    const uint64_t field = (x >> offset) & maskOf(count);
    return op == Op::BitFieldExtract ? field : uint64_t(signExtended(field, unsigned(count)));
  }
  case Op::BitReverse: {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit)
      result |= (x >> bit & 1) << (31 - bit);
    return result;
  }
  case Op::BitCount:
    return uint64_t(std::popcount(x));
  case Op::LowestBit:
    return x ? uint64_t(std::countr_zero(x)) : 0xffffffff;
  case Op::HighestBit:
    return x ? uint64_t(31 - std::countl_zero(x)) : 0xffffffff;
  case Op::HighestBitSigned: {
    const uint32_t significant = int32_t(x) < 0 ? ~x : x;
    return significant ? uint64_t(31 - std::countl_zero(significant)) : 0xffffffff;
  }
  case Op::AddWithCarry:
    return x + y;
  case Op::CarryOfAdd:
    return (x + y) >> 32;
  case Op::SubtractWithBorrow:
    return x - y;
  case Op::BorrowOfSubtract:
    return x < y;
  case Op::LowProduct:
  case Op::LowProductSigned:
    return x * y;
  case Op::HighProduct:
    return (x * y) >> 32;
  case Op::HighProductSigned:
    return uint64_t(int64_t(int32_t(x)) * int64_t(int32_t(y))) >> 32;
  default:
    return std::nullopt;
  }
}

Number onIntegers(Op op, unsigned bits, const uint64_t *operands) {
  const uint64_t x = operands[0], y = operands[1];
  const int64_t signedX = signExtended(x, bits), signedY = signExtended(y, bits);
  switch (op) {
  case Op::Add:
    return x + y;
  case Op::Subtract:
    return x - y;
  case Op::Multiply:
    return x * y;
  case Op::Negate:
    return 0 - x;
  case Op::Divide:
    return y ? Number(x / y) : std::nullopt;
  case Op::Modulo:
    return y ? Number(x % y) : std::nullopt;
  case Op::DivideSigned:
  case Op::ModuloSigned:
  case Op::RemainderSigned:
    return divideSigned(op, bits, signedX, signedY);
  case Op::And:
    return x & y;
  case Op::Or:
    return x | y;
  case Op::Xor:
    return x ^ y;
  case Op::Not:
    return ~x;
  case Op::ShiftLeft:
    return y < bits ? Number(x << y) : std::nullopt;
  case Op::ShiftRight:
    return y < bits ? Number(x >> y) : std::nullopt;
  case Op::ShiftRightSigned:
    return y < bits ? Number(uint64_t(signedX >> y)) : std::nullopt;
  case Op::Minimum:
    return std::min(x, y);
  case Op::MinimumSigned:
    return uint64_t(std::min(signedX, signedY));
  case Op::Maximum:
    return std::max(x, y);
  case Op::MaximumSigned:
    return uint64_t(std::max(signedX, signedY));
  case Op::Clamp: // undefined if the bounds are inverted
    return y <= operands[2] ? Number(std::min(std::max(x, y), operands[2])) : std::nullopt;
  case Op::ClampSigned: {
    const int64_t high = signExtended(operands[2], bits);
    return signedY <= high ? Number(uint64_t(std::min(std::max(signedX, signedY), high))) : std::nullopt;
  }
  case Op::AbsoluteSigned:
    return signedX < 0 ? 0 - x : x;
  case Op::SignSigned:
    return signedX < 0 ? ~uint64_t(0) : uint64_t(signedX > 0);
  default:
    return onWords(op, operands);
  }
}

uint64_t compareIntegers(Op op, unsigned bits, const uint64_t *operands) {
  const uint64_t x = operands[0], y = operands[1];
  const int64_t signedX = signExtended(x, bits), signedY = signExtended(y, bits);
  switch (op) {
  case Op::Equal:
    return x == y;
  case Op::Unequal:
    return x != y;
  case Op::Less:
    return x < y;
  case Op::LessSigned:
    return signedX < signedY;
  case Op::LessOrEqual:
    return x <= y;
  case Op::LessOrEqualSigned:
    return signedX <= signedY;
  case Op::Greater:
    return x > y;
  case Op::GreaterSigned:
    return signedX > signedY;
  case Op::GreaterOrEqual:
    return x >= y;
  default:
    return signedX >= signedY;
  }
}

uint64_t onBooleans(Op op, const uint64_t *operands) {
  const bool x = operands[0], y = operands[1];
  switch (op) {
  case Op::BothTrue:
    return x && y;
  case Op::EitherTrue:
    return x || y;
  case Op::SameTruth:
    return x == y;
  case Op::OtherTruth:
    return x != y;
  default:
    return !x;
  }
}

// While it lives, this thread rounds sums and products toward zero.
class RoundingTowardZero {
public:
  explicit RoundingTowardZero(bool isWanted) : m_isWanted(isWanted) {
    if (m_isWanted)
      std::fesetround(FE_TOWARDZERO);
  }
  ~RoundingTowardZero() {
    if (m_isWanted)
      std::fesetround(FE_TONEAREST);
  }

private:
  const bool m_isWanted;
};

// Volatile, so that the compiler moves no operation to where another rounding mode is set.
template <typename Float> double combineFloats(Op op, Float first, Float second, const FloatMode &mode) {
  const RoundingTowardZero rounding(mode.roundsToZero);
  const volatile Float x = first, y = second;
  volatile Float result = 0;
  if (op == Op::FloatAdd)
    result = x + y;
  else if (op == Op::FloatSubtract)
    result = x - y;
  else
    result = x * y;
  return double(result);
}

bool areOppositeZeros(double x, double y) {
  return x == 0 && y == 0 && std::signbit(x) != std::signbit(y);
}

// Calculates in the precision of the type, so that sums and products are rounded once. For halves, it calculates in
// doubles, in which their sums and products are exact.
template <typename Float> Number onFloats(Op op, Scalar scalar, Float x, Float y, Float z, const FloatMode &mode) {
  auto encoded = [&](double value) { return encodeFloat(scalar, value, mode); };
  // If a number rounds to zero, the zero's sign is open.
  auto whole = [&](double value) { return value == 0 && x != 0 && std::signbit(x) ? Number() : encoded(value); };
  switch (op) {
  case Op::FloatAdd:
  case Op::FloatSubtract:
  case Op::FloatMultiply: {
    const FloatMode own = scalar == Scalar::F16 ? FloatMode() : mode;
    const double value = combineFloats(op, x, y, own);
    const Number result = encoded(value);
    // Whether such a product counts as denormal depends on when it is tested: before or after rounding.
    if (result && !mode.keepsDenormals && std::fabs(decodeFloat(scalar, *result)) == smallestNormal(scalar))
      return std::nullopt;
    return result;
  }
  case Op::FloatNegate:
    return encoded(double(-x));
  case Op::FloatAbsolute:
    return encoded(std::fabs(double(x)));
  case Op::FloatSign:
    return x == 0 && std::signbit(x) ? Number() : encoded(double((x > 0) - (x < 0)));
  case Op::Floor:
    return whole(std::floor(double(x)));
  case Op::Ceiling:
    return whole(std::ceil(double(x)));
  case Op::Truncate:
    return whole(std::trunc(double(x)));
  case Op::RoundEven:
    return whole(std::nearbyint(double(x)));
  case Op::FloatMinimum:
    return areOppositeZeros(x, y) ? Number() : encoded(double(y < x ? y : x));
  case Op::FloatMaximum:
    return areOppositeZeros(x, y) ? Number() : encoded(double(x < y ? y : x));
  case Op::FloatClamp: {
    if (!(y <= z) || areOppositeZeros(x, y) || areOppositeZeros(x, z) || areOppositeZeros(y, z))
      return std::nullopt;
    const Float atLeast = x < y ? y : x;
    return encoded(double(z < atLeast ? z : atLeast));
  }
  default:
    return std::nullopt;
  }
}

uint64_t compareFloats(Op op, double x, double y) {
  switch (op) {
  case Op::FloatEqual:
    return x == y;
  case Op::FloatUnequal:
    return x != y;
  case Op::FloatLess:
    return x < y;
  case Op::FloatLessOrEqual:
    return x <= y;
  case Op::FloatGreater:
    return x > y;
  default:
    return x >= y;
  }
}

} // namespace

int64_t signExtended(uint64_t word, unsigned bits) {
  return int64_t(word << (64 - bits)) >> (64 - bits);
}

uint64_t truncated(uint64_t word, unsigned bits) {
  return bits == 64 ? word : word & ((uint64_t(1) << bits) - 1);
}

double decodeFloat(Scalar scalar, uint64_t word) {
  if (scalar == Scalar::F64)
    return std::bit_cast<double>(word);
  if (scalar == Scalar::F32)
    return std::bit_cast<float>(uint32_t(word));
  _Float16 half;
  const auto bits = uint16_t(word);
  std::memcpy(&half, &bits, 2);
  return double(half);
}

std::optional<uint64_t> encodeFloat(Scalar scalar, double value, const FloatMode &mode) {
  uint64_t word = 0;
  if (scalar == Scalar::F64) {
    word = std::bit_cast<uint64_t>(value);
  } else if (scalar == Scalar::F32) {
    word = std::bit_cast<uint32_t>(float(value));
  } else {
    const auto half = _Float16(value);
    uint16_t bits = 0;
    std::memcpy(&bits, &half, 2);
    word = bits;
  }
  // If rounding has increased the magnitude, step back toward zero.
  if (mode.roundsToZero && std::fabs(decodeFloat(scalar, word)) > std::fabs(value))
    --word;
  const double rounded = decodeFloat(scalar, word), smallest = smallestNormal(scalar);
  if (std::isnan(rounded))
    return std::nullopt;
  if (value == 0 || std::isinf(rounded))
    return mode.keepsSigns || (value == 0 && !std::signbit(value)) ? Number(word) : Number();
  if (std::fabs(value) >= smallest)
    return word;
  if (mode.flushesDenormals)
    return value > 0 && rounded < smallest ? Number(0) : Number();
  // If a number rounds to zero and the mode does not keep the signs of zeros, its sign is open.
  return mode.keepsDenormals && (rounded != 0 || mode.keepsSigns) ? Number(word) : Number();
}

bool isUsual(Scalar scalar, uint64_t word, const FloatMode &mode) {
  return encodeFloat(scalar, decodeFloat(scalar, word), mode) == word;
}

Number calculate(Op op, Scalar scalar, const uint64_t *operands, const FloatMode &mode) {
  const OperationRow *row = findRow(op);
  const unsigned bits = bitsOf(scalar);
  if (!row)
    return std::nullopt;
  switch (row->signature) {
  case Signature::Compares:
    return compareIntegers(op, bits, operands);
  case Signature::Booleans:
    return onBooleans(op, operands);
  case Signature::FloatCompares:
    return compareFloats(op, decodeFloat(scalar, operands[0]), decodeFloat(scalar, operands[1]));
  case Signature::Floats: {
    const double x = decodeFloat(scalar, operands[0]), y = decodeFloat(scalar, operands[1]),
                 z = decodeFloat(scalar, operands[2]);
    if (scalar == Scalar::F32)
      return onFloats<float>(op, scalar, float(x), float(y), float(z), mode);
    return onFloats<double>(op, scalar, x, y, z, mode);
  }
  default: {
    const Number result = onIntegers(op, bits, operands);
    return result ? Number(truncated(*result, bits)) : std::nullopt;
  }
  }
}

Number convert(Op op, Scalar from, Scalar to, uint64_t word, const FloatMode &mode) {
  const bool isRounded = mode.roundsToEven || mode.roundsToZero;
  const unsigned bits = bitsOf(to);
  switch (op) {
  case Op::ConvertUnsigned:
    return truncated(word, bits);
  case Op::ConvertSigned:
    return truncated(uint64_t(signExtended(word, bitsOf(from))), bits);
  case Op::FloatOfUnsigned:
  case Op::FloatOfSigned: {
    const int64_t number = signExtended(word, bitsOf(from));
    const bool isSigned = op == Op::FloatOfSigned;
    const RoundingTowardZero rounding(mode.roundsToZero);
    if (to == Scalar::F32) {
      const volatile int64_t signedNumber = number;
      const volatile uint64_t unsignedNumber = word;
      const volatile float value = isSigned ? float(signedNumber) : float(unsignedNumber);
      return encodeFloat(to, double(value), mode);
    }
    const volatile int64_t signedNumber = number;
    const volatile uint64_t unsignedNumber = word;
    const volatile double value = isSigned ? double(signedNumber) : double(unsignedNumber);
    const Number result = encodeFloat(to, value, mode);
    if (!result || to == Scalar::F64 || decodeFloat(to, *result) == value)
      return result;
    // Without a mode, the rounding to half is open. From integers of 64 bits, an implementation may round twice.
    return isRounded && bitsOf(from) <= 32 ? result : Number();
  }
  case Op::UnsignedOfFloat:
  case Op::SignedOfFloat: {
    const double value = std::trunc(decodeFloat(from, word));
    const bool isSigned = op == Op::SignedOfFloat;
    const double high = std::ldexp(1.0, int(bits) - int(isSigned)), low = isSigned ? -high : 0;
    if (!(value >= low && value < high))
      return std::nullopt;
    return truncated(isSigned ? uint64_t(int64_t(value)) : uint64_t(value), bits);
  }
  case Op::ConvertFloat: {
    const double value = decodeFloat(from, word);
    const Number result = encodeFloat(to, value, mode);
    if (!result || decodeFloat(to, *result) == value)
      return result;
    // Without a mode, the rounding is open. From 64 bits to half, an implementation may round twice.
    return isRounded && !(from == Scalar::F64 && to == Scalar::F16) ? result : Number();
  }
  default:
    return std::nullopt;
  }
}

} // namespace dovetail::random_programs
