// SPDX-License-Identifier: MIT
//
// What is believed here: docs/hardware-facts.md.
#include "tools/proof/emulator/alu/vector_math.h"
#include <algorithm>
#include <array>
#include <limits>

namespace dovetail::emulator {

namespace {

constexpr double Pi = 3.14159265358979323846;

template <typename I> I truncateSaturating(double value) {
  if (std::isnan(value))
    return 0;
  constexpr double Low = double(std::numeric_limits<I>::min()), High = double(std::numeric_limits<I>::max());
  return I(std::clamp(std::trunc(value), Low, High));
}

// 1216 bits of 2 / pi after the point, most significant word first.
constexpr std::array<uint64_t, 19> TwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
constexpr unsigned TwoOverPiBits = 1201; // that the hardware has

// What division needs to know of a format: numbers of the ISA manual's pseudo-code.
template <typename F> struct DivisionLimits;
template <> struct DivisionLimits<float> {
  using Bits = uint32_t;
  using Wide = double;
  static constexpr int MantissaBits = 23, ExponentMask = 0xff;
  static constexpr int NearMaximum = 96, TinyNumerator = 23, Scale = 64, Underflow = -150;
};
template <> struct DivisionLimits<double> {
  using Bits = uint64_t;
  using Wide = long double;
  static constexpr int MantissaBits = 52, ExponentMask = 0x7ff;
  static constexpr int NearMaximum = 768, TinyNumerator = 53, Scale = 128, Underflow = -1075;
};

template <typename F> int biasedExponent(F value) {
  using Limits = DivisionLimits<F>;
  return int(std::bit_cast<typename Limits::Bits>(value) >> Limits::MantissaBits) & Limits::ExponentMask;
}

template <typename F> bool wouldBeDenormal(typename DivisionLimits<F>::Wide value) {
  return value != 0 && std::fabs(value) < std::numeric_limits<F>::min();
}

template <typename F> Scaled<F> scaleForDivision(F value, F denominator, F numerator) {
  using Limits = DivisionLimits<F>;
  using Wide = typename Limits::Wide;
  if (denominator == 0 || numerator == 0)
    return {std::numeric_limits<F>::quiet_NaN(), false};
  F up = std::ldexp(value, Limits::Scale), down = std::ldexp(value, -Limits::Scale);
  bool isDenominator = value == denominator, isNumerator = value == numerator;
  bool reciprocalIsDenormal = wouldBeDenormal<F>(Wide(1) / Wide(denominator));
  bool quotientIsDenormal = wouldBeDenormal<F>(Wide(numerator) / Wide(denominator));
  if (biasedExponent(numerator) - biasedExponent(denominator) >= Limits::NearMaximum)
    return {isDenominator ? up : value, true};
  if (biasedExponent(denominator) == 0)
    return {up, false};
  // The manual has the scale of the first case here, too; but that would overflow where it is the denominator that is
  // large, so that no quotient would come out right.
  if (reciprocalIsDenormal && quotientIsDenormal)
    return {isDenominator ? down : value, true};
  if (reciprocalIsDenormal)
    return {down, false};
  if (quotientIsDenormal)
    return {isNumerator ? up : value, true};
  return {biasedExponent(numerator) <= Limits::TinyNumerator ? up : value, false};
}

// The special cases of a division, which the iteration does not get right.
template <typename F> F specialQuotient(F quotient, F denominator, F numerator) {
  bool negative = std::signbit(denominator) != std::signbit(numerator);
  F sign = negative ? F(-1) : F(1);
  if (std::isnan(numerator))
    return numerator;
  if (std::isnan(denominator))
    return denominator;
  if ((denominator == 0 && numerator == 0) || (std::isinf(denominator) && std::isinf(numerator)))
    return -std::numeric_limits<F>::quiet_NaN();
  if (denominator == 0 || std::isinf(numerator))
    return sign * std::numeric_limits<F>::infinity();
  if (std::isinf(denominator) || numerator == 0)
    return sign * F(0);
  if (std::isnan(quotient)) // from infinities on the way: an overflow
    return sign * std::numeric_limits<F>::infinity();
  return std::copysign(quotient, sign);
}

template <typename F> F fixQuotient(F quotient, F denominator, F numerator) {
  bool isOrdinary = std::isfinite(denominator) && std::isfinite(numerator) && denominator != 0 && numerator != 0;
  if (isOrdinary && biasedExponent(numerator) - biasedExponent(denominator) < DivisionLimits<F>::Underflow)
    return std::signbit(denominator) != std::signbit(numerator) ? -F(0) : F(0);
  return specialQuotient(quotient, denominator, numerator);
}

// z wins against y, y against x.
enum class Axis { X, Y, Z };
Axis majorAxis(float x, float y, float z) {
  if (std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y))
    return Axis::Z;
  return std::fabs(y) >= std::fabs(x) ? Axis::Y : Axis::X;
}

} // namespace

uint32_t toU32(double value) {
  return truncateSaturating<uint32_t>(value);
}
int32_t toI32(double value) {
  return truncateSaturating<int32_t>(value);
}
uint16_t toU16(double value) {
  return truncateSaturating<uint16_t>(value);
}
int16_t toI16(double value) {
  return truncateSaturating<int16_t>(value);
}

double sineOfTurns(double turns) {
  if (!std::isfinite(turns))
    return std::numeric_limits<double>::quiet_NaN();
  turns -= std::trunc(turns);
  // Quarter turns are subtracted exactly, so that multiples of a half turn give 0.
  double quarter = roundEven(turns * 4);
  double rest = (turns - quarter / 4) * (2 * Pi);
  switch (int64_t(quarter) & 3) {
  case 0:
    return std::sin(rest);
  case 1:
    return std::cos(rest);
  case 2:
    return 0 - std::sin(rest); // no -0
  default:
    return -std::cos(rest);
  }
}

double cosineOfTurns(double turns) {
  return sineOfTurns(turns - std::trunc(turns) + 0.25);
}

double sineWithinRange(double turns) {
  return std::isfinite(turns) && std::fabs(turns) > SineRange ? 0.0 : sineOfTurns(turns);
}

double cosineWithinRange(double turns) {
  return std::isfinite(turns) && std::fabs(turns) > SineRange ? 1.0 : cosineOfTurns(turns);
}

int frexpExponent(double value) {
  int exponent = 0;
  if (std::isfinite(value))
    std::frexp(value, &exponent);
  return exponent;
}

unsigned classBit(bool negative, unsigned exponent, unsigned maxExponent, uint64_t mantissa, uint64_t quietBit) {
  if (exponent == maxExponent && mantissa != 0)
    return (mantissa & quietBit) != 0 ? 1 : 0;
  unsigned magnitude = exponent == maxExponent ? 3 : exponent != 0 ? 2 : mantissa != 0 ? 1 : 0;
  return negative ? 5 - magnitude : 6 + magnitude;
}

unsigned classOf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return classBit(bits >> 31 != 0, bits >> 23 & 0xff, 0xff, bits & 0x7fffff, 0x400000);
}

unsigned classOf(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  return classBit(bits >> 63 != 0, bits >> 52 & 0x7ff, 0x7ff, bits & 0xfffffffffffff, 0x8000000000000);
}

unsigned classOfHalf(uint16_t bits) {
  return classBit(bits >> 15 != 0, bits >> 10 & 0x1f, 0x1f, bits & 0x3ff, 0x200);
}

int16_t normalizedI16(double value) {
  return std::isnan(value) ? int16_t(0) : int16_t(roundEven(std::clamp(value, -1.0, 1.0) * 32767));
}

uint16_t normalizedU16(double value) {
  return std::isnan(value) ? uint16_t(0) : uint16_t(roundEven(std::clamp(value, 0.0, 1.0) * 65535));
}

uint32_t toByte(float value) {
  return std::isnan(value) ? 0 : uint32_t(std::clamp(std::nearbyint(value), 0.0f, 255.0f));
}

uint32_t reverseBits(uint32_t value) {
  uint32_t result = 0;
  for (unsigned bit = 0; bit < 32; ++bit)
    result |= (value >> bit & 1) << (31 - bit);
  return result;
}

uint32_t extractUnsigned(uint32_t value, uint32_t offset, uint32_t width) {
  return value >> (offset & 31) & ((1u << (width & 31)) - 1);
}

uint32_t extractSigned(uint32_t value, uint32_t offset, uint32_t width) {
  width &= 31;
  if (width == 0)
    return 0;
  // Bits beyond bit 31 are copies of the sign.
  int64_t shifted = int64_t(int32_t(value)) >> (offset & 31);
  return uint32_t(shifted << (64 - width) >> (64 - width));
}

uint32_t averageBytes(uint32_t a, uint32_t b, uint32_t roundUp) {
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8)
    result |= ((a >> shift & 0xff) + (b >> shift & 0xff) + (roundUp >> shift & 1)) >> 1 << shift;
  return result;
}

uint32_t permuteBytes(uint32_t high, uint32_t low, uint32_t selectors) {
  uint64_t data = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    uint32_t selector = selectors >> shift & 0xff;
    uint32_t byte = 0xff;
    if (selector < 8)
      byte = uint32_t(data >> selector * 8) & 0xff;
    else if (selector < 12) // the sign of bytes 1, 3, 5, 7
      byte = (data >> ((selector - 8) * 16 + 15) & 1) != 0 ? 0xff : 0;
    else if (selector == 12)
      byte = 0;
    result |= byte << shift;
  }
  return result;
}

namespace {

uint32_t byteDifferences(uint32_t a, uint32_t b, bool masked) {
  uint32_t sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    int left = a >> shift & 0xff, right = b >> shift & 0xff;
    if (!masked || right != 0)
      sum += uint32_t(std::abs(left - right));
  }
  return sum;
}

} // namespace

uint32_t sumOfByteDifferences(uint32_t a, uint32_t b) {
  return byteDifferences(a, b, false);
}
uint32_t maskedSumOfByteDifferences(uint32_t a, uint32_t reference) {
  return byteDifferences(a, reference, true);
}

uint32_t sumOfWordDifferences(uint32_t a, uint32_t b) {
  return uint32_t(std::abs(int(a & 0xffff) - int(b & 0xffff)) + std::abs(int(a >> 16) - int(b >> 16)));
}

uint64_t quadSums(uint64_t a, uint32_t b, uint64_t sums, bool masked) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= uint64_t(uint16_t((sums >> i * 16) + byteDifferences(uint32_t(a >> i * 8), b, masked))) << i * 16;
  return result;
}

float cubeFace(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::X:
    return x < 0 ? 1 : 0;
  case Axis::Y:
    return y < 0 ? 3 : 2;
  default:
    return z < 0 ? 5 : 4;
  }
}

float cubeS(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::X:
    return x < 0 ? z : -z;
  case Axis::Y:
    return x;
  default:
    return z < 0 ? -x : x;
  }
}

float cubeT(float x, float y, float z) {
  if (majorAxis(x, y, z) == Axis::Y)
    return y < 0 ? -z : z;
  return -y;
}

float cubeMajor(float x, float y, float z) {
  switch (majorAxis(x, y, z)) {
  case Axis::X:
    return x * 2;
  case Axis::Y:
    return y * 2;
  default:
    return z * 2;
  }
}

Scaled<float> divScale(float value, float denominator, float numerator) {
  return scaleForDivision(value, denominator, numerator);
}
Scaled<double> divScale(double value, double denominator, double numerator) {
  return scaleForDivision(value, denominator, numerator);
}
// Rounded to f32 only after the scaling: the result may be denormal.
double divFmas(float a, float b, float c, bool flag) {
  int exponent = !flag ? 0 : std::fabs(c) >= 2 ? DivisionLimits<float>::Scale : -DivisionLimits<float>::Scale;
  return std::ldexp(multiplyAddExact(a, b, c), exponent);
}
double divFmas(double a, double b, double c, bool flag) {
  int exponent = !flag ? 0 : std::fabs(c) >= 2 ? DivisionLimits<double>::Scale : -DivisionLimits<double>::Scale;
  return std::ldexp(std::fma(a, b, c), exponent);
}
float divFixup(float quotient, float denominator, float numerator) {
  return fixQuotient(quotient, denominator, numerator);
}
double divFixup(double quotient, double denominator, double numerator) {
  return fixQuotient(quotient, denominator, numerator);
}
double divFixupHalf(double quotient, double denominator, double numerator) {
  return specialQuotient(quotient, denominator, numerator);
}

double twoOverPiPart(double value, uint32_t part) {
  unsigned exponent = unsigned(std::bit_cast<uint64_t>(value) >> 52 & 0x7ff);
  unsigned shift = (part & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  uint64_t bits = 0;
  for (unsigned i = 0; i < 53; ++i) {
    unsigned at = shift + i;
    uint64_t bit = at < TwoOverPiBits ? TwoOverPi[at / 64] >> (63 - at % 64) & 1 : 0;
    bits = bits << 1 | bit;
  }
  int scale = -53 - int(shift) + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(double(bits), scale);
}

} // namespace dovetail::emulator
