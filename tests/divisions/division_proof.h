// SPDX-License-Identifier: MIT
//
// Proofs that integer divisions are right for very many operands. A shader makes up the operands itself, in loops, and
// writes down only the number of pairs, the number of wrong ones, and one wrong pair. It trusts no division: the
// quotient q and the remainder r of a by b are right if q * b does not overflow, q * b + r = a, |r| < |b|, and all
// signs are as they have to be. The compiler must not know q and r as quotient and remainder. So the shader first XORs
// them with words of a buffer; words other than 0 are planted faults.
//
// An expansion estimates all quotients of a divisor with one inverse, and its estimate does not fall where the dividend
// grows. So few dividends prove all:
//
//   A floored estimate is right for all dividends if it is right for all multiples k * b, all k * b - 1 and the largest
//   dividend: the ends of all runs of dividends with the same quotient.
//
//   An estimate floor(a * z / 2^n) that is then raised at most twice ends right only if it was too small by 0, 1 or 2.
//   The larger a is, the more the error of z counts. So the estimate is nearest to being too large at the last k * b -
//   1 or at the largest dividend, and nearest to being too small at the last k * b. These three prove the divisor.
//
// The compiler must not know more about an operand than its form says. It drops a mask where a loop or a condition says
// the same, and then the test proves another expansion. So the shader adds a zero from the buffer to each operand.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

// The operands: values of `type`. The expressions `dividend` and `divisor` make them from a 32- or 64-bit number (x),
// and say how many of its bits they have.
struct DividedForm {
  std::string name;
  unsigned width; // of the number: 32 or 64
  bool isSigned;
  std::string type, dividend, divisor;
  uint64_t mostDividend, mostDivisor; // magnitudes, of the negative numbers if there are any
  bool smallestOverflows = false;     // divided by -1, it has no quotient of the type
};

enum class DivisionWalk : uint8_t {
  AllPairs,  // each invocation: a divisor, and all dividends from 0 to the largest
  Multiples, // divisors, and the multiples k * b and k * b - 1 of each; and the largest dividend
  Divisors,  // divisors, and the last k * b and k * b - 1, and the largest dividend
  Pairs,     // random pairs of all lengths; half of the dividends are near multiples of the divisor
};

// One dispatch. Invocation i of n takes the divisors first + (i + j * n) * step + {-spread..spread} up to the largest
// one, for j from 0 to `turns` - 1. In Multiples, k is from firstFactor to lastFactor.
struct DivisionPass {
  uint32_t workgroups = 1, turns = 1;
  uint32_t first = 1, step = 1, spread = 0;
  uint32_t firstFactor = 1, lastFactor = ~0u;
  uint32_t seed = 0; // not 0: divisors are random
};

// The GPU that runs it, and its rounding.
struct DivisionSetting {
  std::string gpu = "gfx900";
  int reciprocalUlps = 0; // Variation::reciprocalUlps
  unsigned rounding = 0;  // of f32, as in MODE: to the nearest, up, down, toward zero
};

struct DivisionOutcome {
  uint64_t pairs = 0, wrong = 0;
  std::string failure; // one wrong pair
};

// XOR'ed with quotients, remainders (of the dividend's sign), and signed remainders of the divisor's sign.
using PlantedFaults = std::array<uint32_t, 3>;

// The running test fails if the shader cannot run.
DivisionOutcome proveDivisions(const DividedForm &form, DivisionWalk walk, const std::vector<DivisionPass> &passes,
                               const DivisionSetting &setting, const PlantedFaults &faults = {});

} // namespace dovetail
