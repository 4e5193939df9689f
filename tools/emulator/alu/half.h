// SPDX-License-Identifier: MIT
//
// IEEE half precision by hand: every half is exact in double, and double to half rounds once, in any of the four modes.
#pragma once

#include <cstdint>

namespace dovetail::emulator {

// As MODE's round fields count them.
enum class Rounding : uint8_t { NearestEven, TowardPositive, TowardNegative, TowardZero };

double fromHalf(uint16_t bits);
uint16_t toHalf(double value, Rounding rounding);

// a * b + c, where a, b and c are halves or floats, so that rounding the result to one is the only rounding: what
// double has no bits for is kept as its lowest bit ("round to odd").
double multiplyAddExact(double a, double b, double c);

} // namespace dovetail::emulator
