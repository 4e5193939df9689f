// SPDX-License-Identifier: MIT
//
// Calculates an operation for one component of one invocation, by SPIR-V's rules. Components are 64-bit words; bits
// above the type's are zero.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <optional>

namespace dovetail::random_programs {

int64_t signExtended(uint64_t word, unsigned bits);
uint64_t truncated(uint64_t word, unsigned bits);

// A row's operation on operands of `scalar`. Nothing if SPIR-V, Vulkan or floating-point hardware leaves the result
// open: a division by zero, a shift too far, a NaN; denormals, infinities and negative zeros, as far as the mode leaves
// them open.
std::optional<uint64_t> calculate(Op op, Scalar scalar, const uint64_t *operands, const FloatMode &mode = {});

// For the ops that convert components; `mode`: that of the result, if it is a float.
std::optional<uint64_t> convert(Op op, Scalar from, Scalar to, uint64_t word, const FloatMode &mode = {});

// Floats as numbers. `encodeFloat` rounds as the mode says, by default to nearest even. It gives nothing where
// `calculate` gives nothing.
double decodeFloat(Scalar scalar, uint64_t word);
std::optional<uint64_t> encodeFloat(Scalar scalar, double value, const FloatMode &mode = {});
// Whether the mode allows this float at all.
bool isUsual(Scalar scalar, uint64_t word, const FloatMode &mode);

} // namespace dovetail::random_programs
