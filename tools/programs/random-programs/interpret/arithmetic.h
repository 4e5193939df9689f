// SPDX-License-Identifier: MIT
//
// What an operation gives for one component of one invocation, by SPIR-V's rules. Components are 64 bits, of which
// those above the type's are zero.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <optional>

namespace dovetail::random_programs {

int64_t signExtended(uint64_t word, unsigned bits);
uint64_t truncated(uint64_t word, unsigned bits);

// A row's operation on operands of `scalar`. Nothing: SPIR-V, Vulkan or floating-point hardware leaves it open (a
// division by zero, a shift too far, a NaN; what the mode leaves open of denormals, infinities and negative zeros).
std::optional<uint64_t> calculate(Op op, Scalar scalar, const uint64_t *operands, const FloatMode &mode = {});

// Of the ops that convert components; `mode`: of the result, if it is a float.
std::optional<uint64_t> convert(Op op, Scalar from, Scalar to, uint64_t word, const FloatMode &mode = {});

// Floats as numbers. `encodeFloat` rounds, to nearest even if the mode does not say, and gives nothing for what
// `calculate` does not give either.
double decodeFloat(Scalar scalar, uint64_t word);
std::optional<uint64_t> encodeFloat(Scalar scalar, double value, const FloatMode &mode = {});
// Whether a float may be there at all.
bool isUsual(Scalar scalar, uint64_t word, const FloatMode &mode);

} // namespace dovetail::random_programs
