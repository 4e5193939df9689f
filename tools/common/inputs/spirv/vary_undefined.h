// SPDX-License-Identifier: MIT
//
// A shader that says what another one leaves undefined: variables that hold nothing, OpUndef, components that a shuffle
// takes from nowhere, indices beyond an array, integer divisions by zero, shifts by too many bits, and clamps whose
// minimum is above the maximum. If another seed gives another picture, the picture depends on what is undefined.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Private, function and output variables without an initializer get one, OpUndef becomes a constant, a shuffle's
// undefined component one of its vectors', and an index that is beyond its array, vector or matrix becomes one that is
// not; likewise a sample beyond the fourth. What integers divide by zero, remainders of negative ones, and results of
// such shifts and clamps become others. A module that has nothing of that stays as it is. What has no type here that
// constants can be made of (or arrays of more than 64 elements) stays. Errors: those of parseModule().
Result<std::vector<uint32_t>> varyUndefined(std::span<const uint32_t> words, uint32_t seed);

} // namespace dovetail
