// SPDX-License-Identifier: MIT
//
// IEEE half precision in software: every half is exact as a double, and double to half rounds once, in any of the four
// modes.
#pragma once

#include <bit>
#include <cstdint>

namespace dovetail::emulator {

// Numbered as in MODE's round fields.
enum class Rounding : uint8_t { NearestEven, TowardPositive, TowardNegative, TowardZero };

double fromHalf(uint16_t bits);
uint16_t toHalf(double value, Rounding rounding);

// toHalf() toward zero, without branches.
inline uint32_t toHalfTowardZero(float value) {
  constexpr uint32_t LeastNormal = 0x38800000, TooLarge = 0x47800000, ExponentOfInfinity = 0x7f800000,
                     BiasChange = 0x38000000;
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t magnitude = bits & 0x7fffffff, fraction = magnitude & 0x7fffff;
  const uint32_t normal = (magnitude - BiasChange) >> 13;
  const auto denormal = uint32_t(int32_t((magnitude < LeastNormal ? std::bit_cast<float>(magnitude) : 0) * 0x1p24f));
  const uint32_t special = fraction != 0 ? 0x7e00 | fraction >> 13 : 0x7c00;
  const uint32_t half = magnitude < LeastNormal          ? denormal
                        : magnitude < TooLarge           ? normal
                        : magnitude < ExponentOfInfinity ? 0x7bff
                                                         : special;
  return (bits >> 16 & 0x8000) | half;
}

// How the texture unit rounds results to halves (D16). Sources disagree. RADV and radeonsi of Mesa 22.3 tell
// nir_fold_16bit_tex_image() that this hardware rounds to nearest even; today's Mesa says that nobody may depend on it;
// LLVM folds both (AMDGPUInstCombineIntrinsic.cpp). So a function of the f32's bits decides whether it is rounded to
// nearest or toward zero (docs/hardware-facts.md).
Rounding unknownRounding(uint32_t bits);

// a * b + c for halves or floats, with extra precision, so that rounding the result to the same type is the only
// rounding. If double lacks bits, its lowest bit is set ("round to odd").
double multiplyAddExact(double a, double b, double c);

} // namespace dovetail::emulator
