// SPDX-License-Identifier: MIT
//
// Proofs that integer divisions are right for very many operands. A shader makes up the operands itself, in loops, and
// writes down only how many pairs it has tried, how many were wrong, and one that was. It trusts no division: the
// quotient q and the remainder r of a by b are right if q * b does not overflow, q * b + r = a, |r| < |b|, and all
// signs are as they have to be. The compiler cannot know q and r to be that, as they are xor'ed with words of a buffer
// first; words other than 0 are planted faults.
//
// For a divisor, an expansion estimates all quotients with one inverse, and its estimate does not fall where the
// dividend grows. So few dividends speak for all:
//
//   A floored estimate is right for all dividends if it is right for all multiples k * b, all k * b - 1 and the largest
//   dividend: the ends of all runs of dividends with the same quotient.
//
//   An estimate floor(a * z / 2^n) that is then raised at most twice ends right only if it was too small by 0, 1 or 2.
//   The error of z counts the more, the larger a is. So the estimate is nearest to being too large at the last k * b -
//   1 or at the largest dividend, and nearest to being too small at the last k * b. These three prove the divisor.
//
// The compiler must not know more of an operand than its form says, or another expansion is proved: it forgets masks
// where a loop or a condition has said as much. So a zero from the buffer is added to each operand.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

// What is divided: values of `type`, made of a 32- or 64-bit number (x) by `dividend` and `divisor`, which say how many
// of its bits there are.
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

// Where it runs.
struct DivisionSetting {
  std::string gpu = "gfx900";
  int reciprocalUlps = 0; // Variation::reciprocalUlps
  unsigned rounding = 0;  // of f32, as in MODE: to the nearest, up, down, toward zero
};

struct DivisionOutcome {
  uint64_t pairs = 0, wrong = 0;
  std::string failure; // one that is wrong
};

// XOR'ed with quotients, remainders (of the dividend's sign), and signed remainders of the divisor's sign.
using PlantedFaults = std::array<uint32_t, 3>;

// The running test fails if it cannot be done.
DivisionOutcome proveDivisions(const DividedForm &form, DivisionWalk walk, const std::vector<DivisionPass> &passes,
                               const DivisionSetting &setting, const PlantedFaults &faults = {});

} // namespace dovetail
