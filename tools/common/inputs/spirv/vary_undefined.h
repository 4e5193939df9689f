// SPDX-License-Identifier: MIT
//
// Makes a copy of a shader that defines the values that the shader leaves undefined: variables that nobody wrote,
// OpUndef, undefined components of a shuffle, indices beyond an array, integer divisions by zero, shifts by too many
// bits, and clamps whose minimum is above the maximum. If another seed gives another picture, the picture depends on an
// undefined value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Private, function and output variables without an initializer get one. OpUndef becomes a constant. An undefined
// component of a shuffle becomes one of its vectors'. An index beyond its array, vector or matrix becomes one within
// it; so does a sample beyond the fourth. Integer divisions by zero, remainders of negative numbers, and such shifts
// and clamps get other results. A module without any of these stays unchanged. Values stay if no constant of their type
// can be made here, or if they are arrays of more than 64 elements.
std::vector<uint32_t> varyUndefined(std::span<const uint32_t> words, uint32_t seed);

} // namespace dovetail
