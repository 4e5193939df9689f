// SPDX-License-Identifier: MIT
//
// What the expressions of the vector tables call: operations on one lane's values that have no C++ operator. Halves are
// doubles here. Sources: "Vega" ISA manual, sections 12.7 to 12.12;
// CLRadeonExtender, doc/GcnInstrsVop*.md, which agrees on cube maps, medians, bytes, lanes and bit fields, and
// describes the division steps in part only. Where it deviates from them, vector_math.cpp says so.
#pragma once

#include "tools/proof/emulator/numerics/half.h"
#include <bit>
#include <cmath>
#include <cstdint>

namespace dovetail::emulator {

// A NaN loses against a number; -0 is less than +0.
template <typename F> F minimum(F a, F b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <typename F> F maximum(F a, F b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a > b || (a == b && std::signbit(b)) ? a : b;
}
// The one between the others. With a NaN among them, the least of the numbers.
template <typename F> F medianFloat(F a, F b, F c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c))
    return minimum(minimum(a, b), c);
  return maximum(minimum(a, b), minimum(maximum(a, b), c));
}
template <typename I> I median(I a, I b, I c) {
  I low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : c > high ? high : c;
}

// Toward zero; out of range: the nearest; NaN: 0.
uint32_t toU32(double value);
int32_t toI32(double value);
uint16_t toU16(double value);
int16_t toI16(double value);

// Whatever the rounding mode is.
template <typename F> F roundEven(F value) {
  F low = std::floor(value);
  F rest = value - low, halfOfLow = low / 2;
  bool isEven = halfOfLow == std::floor(halfOfLow);
  F result = rest < F(0.5) || (rest == F(0.5) && isEven) ? low : low + 1;
  return std::isfinite(value) ? std::copysign(result, value) : value;
}
// Always less than 1.
template <typename F> F fraction(F value, F largest) {
  F result = value - std::floor(value);
  return result > largest ? largest : result;
}

// Angles in turns.
double sineOfTurns(double turns);
double cosineOfTurns(double turns);
// Of GPUs that give the result of 0 beyond a range: those before GFX9 (LLVM: FeatureTrigReducedRange; Mesa's compilers
// bring the operand into the range for these alone).
constexpr double SineRange = 256;
double sineWithinRange(double turns);
double cosineWithinRange(double turns);

// 0 for zeros, infinities and NaNs.
int frexpExponent(double value);
// In [0.5, 1); zeros, infinities and NaNs stay.
template <typename F> F frexpMantissa(F value) {
  int exponent = 0;
  return std::isfinite(value) ? std::frexp(value, &exponent) : value;
}
template <typename F> F scaleByPowerOf2(F value, int exponent) {
  return std::ldexp(value, exponent < -5000 ? -5000 : exponent > 5000 ? 5000 : exponent);
}

// The bit of v_cmp_class's mask that a value belongs to: 0 signalling NaN, 1 quiet NaN, 2 -infinity, 3 -normal,
// 4 -denormal, 5 -0, 6 +0, 7 +denormal, 8 +normal, 9 +infinity.
unsigned classBit(bool negative, unsigned exponent, unsigned maxExponent, uint64_t mantissa, uint64_t quietBit);
unsigned classOf(float value);
unsigned classOf(double value);
unsigned classOfHalf(uint16_t bits);

// The product of two halves rounded to a half, for multiply-adds that are not fused.
inline double roundToHalf(double value, Rounding rounding) {
  return fromHalf(toHalf(value, rounding));
}

inline uint32_t packWords(uint32_t low, uint32_t high) {
  return (low & 0xffff) | high << 16;
}
// [-1, 1] to [-32767, 32767] and [0, 1] to [0, 65535], to the nearest.
int16_t normalizedI16(double value);
uint16_t normalizedU16(double value);
// To the nearest of MODE, 0 to 255.
uint32_t toByte(float value);
inline uint32_t insertByte(uint32_t value, uint32_t index, uint32_t byte) {
  unsigned shift = (index & 3) * 8;
  return (value & ~(0xffu << shift)) | byte << shift;
}

// Integers.
inline int32_t signed24(uint32_t value) {
  return int32_t(value << 8) >> 8;
}
inline uint32_t unsigned24(uint32_t value) {
  return value & 0xffffff;
}
inline uint32_t findHighestBit(uint32_t value) {
  return value == 0 ? ~0u : uint32_t(std::countl_zero(value));
}
inline uint32_t findLowestBit(uint32_t value) {
  return value == 0 ? ~0u : uint32_t(std::countr_zero(value));
}
inline uint32_t findSignChange(int32_t value) {
  return findHighestBit(uint32_t(value < 0 ? ~value : value));
}
uint32_t reverseBits(uint32_t value);
uint32_t extractUnsigned(uint32_t value, uint32_t offset, uint32_t width);
uint32_t extractSigned(uint32_t value, uint32_t offset, uint32_t width);
uint32_t averageBytes(uint32_t a, uint32_t b, uint32_t roundUp);
uint32_t permuteBytes(uint32_t high, uint32_t low, uint32_t selectors);
// Sums of absolute differences; masked: of bytes whose reference is not 0.
uint32_t sumOfByteDifferences(uint32_t a, uint32_t b);
uint32_t maskedSumOfByteDifferences(uint32_t a, uint32_t reference);
uint32_t sumOfWordDifferences(uint32_t a, uint32_t b);
// Four sums, of the bytes from 0, 1, 2 and 3 on, each added to 16 bits.
uint64_t quadSums(uint64_t a, uint32_t b, uint64_t sums, bool masked);
// Bits of `mask` for lanes before `lane`, of lanes 0..31 and 32..63.
inline uint32_t countLow(uint32_t mask, unsigned lane) {
  return uint32_t(std::popcount(lane >= 32 ? mask : mask & ((1u << lane) - 1)));
}
inline uint32_t countHigh(uint32_t mask, unsigned lane) {
  return uint32_t(std::popcount(lane < 32 ? 0 : mask & ((1u << (lane - 32)) - 1)));
}

// Cube maps: the face, the coordinates on it and twice the major axis.
float cubeFace(float x, float y, float z);
float cubeS(float x, float y, float z);
float cubeT(float x, float y, float z);
float cubeMajor(float x, float y, float z);

// The steps of a division numerator / denominator that scale it away from overflow and denormals and put in the special
// cases. `value` is the one of the two that is scaled; `flag` tells v_div_fmas to undo it.
template <typename F> struct Scaled {
  F value;
  bool flag;
};
Scaled<float> divScale(float value, float denominator, float numerator);
Scaled<double> divScale(double value, double denominator, double numerator);
// a * b + c, unscaled if the flag says that divScale() scaled: up if it was the denominator, for a quotient near
// overflow, and down if it was the numerator, for a denormal one.
double divFmas(float a, float b, float c, bool flag);
double divFmas(double a, double b, double c, bool flag);
float divFixup(float quotient, float denominator, float numerator);
double divFixup(double quotient, double denominator, double numerator);
double divFixupHalf(double quotient, double denominator, double numerator);

// 53 bits of 2 / pi, from the bit that matters for arguments like `value`; `part` counts groups of 53.
double twoOverPiPart(double value, uint32_t part);

// The sum of the products of parts that have so many bits.
template <unsigned Bits, bool IsSigned> int64_t sumOfProducts(uint32_t a, uint32_t b) {
  auto part = [](uint32_t value, unsigned first) {
    const uint32_t atTop = value << (32 - Bits - first);
    return IsSigned ? int64_t(int32_t(atTop) >> (32 - Bits)) : int64_t(atTop >> (32 - Bits));
  };
  int64_t sum = 0;
  for (unsigned first = 0; first < 32; first += Bits)
    sum += part(a, first) * part(b, first);
  return sum;
}

// The sum of both products of halves and of a summand, which is added first (v_dot2_f32_f16).
inline float dotOfHalves(uint32_t a, uint32_t b, float sum) {
  auto half = [](uint32_t bits, unsigned shift) { return float(fromHalf(uint16_t(bits >> shift))); };
  return std::fma(half(a, 16), half(b, 16), std::fma(half(a, 0), half(b, 0), sum));
}

} // namespace dovetail::emulator
