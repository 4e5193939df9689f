// SPDX-License-Identifier: MIT
#pragma once

#include "tests/divisions/division_proof.h"

namespace dovetail {

// The words of the buffer, which the shader and the program share.
enum DivisionWord : uint8_t {
  FaultWords = 0,     // three, and a zero
  ParameterWords = 4, // seven, as in DivisionPass
  PairsWords = 11,    // two, the low one first
  WrongWord = 13,
  FailureWords = 14, // dividend, divisor, quotient, remainder, modulo, two each
  DivisionWordCount = 24,
};

std::string divisionShader(const DividedForm &form, DivisionWalk walk);

} // namespace dovetail
