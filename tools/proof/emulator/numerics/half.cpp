// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/numerics/half.h"
#include <bit>
#include <cmath>

namespace dovetail::emulator {

double fromHalf(uint16_t bits) {
  uint64_t sign = uint64_t(bits & 0x8000) << 48;
  unsigned exponent = bits >> 10 & 0x1f;
  uint64_t mantissa = bits & 0x3ff;
  if (exponent == 0) {
    double magnitude = double(mantissa) * 0x1p-24;
    return sign != 0 ? -magnitude : magnitude;
  }
  uint64_t wideExponent = exponent == 31 ? 0x7ff : exponent - 15 + 1023;
  return std::bit_cast<double>(sign | wideExponent << 52 | mantissa << 42);
}

uint16_t toHalf(double value, Rounding rounding) {
  constexpr uint16_t Infinity = 0x7c00, Largest = 0x7bff;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  bool negative = bits >> 63 != 0;
  uint16_t sign = negative ? 0x8000 : 0;
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  uint64_t fraction = bits & 0xfffffffffffff;
  if (exponent == 1024)
    return uint16_t(sign | Infinity | (fraction != 0 ? 0x200 | fraction >> 42 : 0));
  if ((bits << 1) == 0)
    return sign;

  bool isDenormal = exponent < -14;
  unsigned drop = 42 + (isDenormal ? unsigned(-14 - exponent) : 0);
  drop = drop > 63 ? 63 : drop;
  uint64_t significand = fraction | uint64_t(1) << 52;
  uint64_t kept = significand >> drop;
  uint64_t rest = significand & ((uint64_t(1) << drop) - 1);
  uint64_t half = uint64_t(1) << (drop - 1);
  switch (rounding) {
  case Rounding::NearestEven:
    kept += rest > half || (rest == half && (kept & 1) != 0);
    break;
  case Rounding::TowardPositive:
    kept += rest != 0 && !negative;
    break;
  case Rounding::TowardNegative:
    kept += rest != 0 && negative;
    break;
  case Rounding::TowardZero:
    break;
  }

  // A carry out of the significand needs no care: it makes the exponent one greater.
  if (exponent > 15 || (!isDenormal && kept + (uint64_t(exponent + 14) << 10) >= Infinity)) {
    bool awayFromZero = rounding == Rounding::NearestEven ||
                        rounding == (negative ? Rounding::TowardNegative : Rounding::TowardPositive);
    return uint16_t(sign | (awayFromZero ? Infinity : Largest));
  }
  return uint16_t(sign | (isDenormal ? kept : kept + (uint64_t(exponent + 14) << 10)));
}

Rounding unknownRounding(uint32_t bits) {
  constexpr uint32_t GoldenRatio = 0x9e3779b9; // gives neighbouring numbers different results
  return bits * GoldenRatio >> 31 != 0 ? Rounding::NearestEven : Rounding::TowardZero;
}

double multiplyAddExact(double a, double b, double c) {
  double product = a * b; // at most 48 bits: exact
  double sum = product + c;
  if (!std::isfinite(sum))
    return sum;
  double productPart = sum - c;
  double error = (product - productPart) + (c - (sum - productPart));
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0)
    return sum;
  // Step toward the exact value, which lies between two doubles; one of the two is odd.
  return std::bit_cast<double>((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

} // namespace dovetail::emulator
