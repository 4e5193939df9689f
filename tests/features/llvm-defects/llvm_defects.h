// SPDX-License-Identifier: MIT
//
// Small shaders that provoke the defects in LLVM's reports of wrong code (docs/llvm-defects.md). Each test's name
// begins with the numbers of the reports. The tests compute the expected results in C++, so they ask no other driver.
#pragma once

#include "tests/features/computed_words.h"
#include <cstdint>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

namespace dovetail {

// The words that a shader reads.
struct DefectInputs {
  static constexpr size_t WordCount = 256, UniformCount = 64;

  std::vector<uint32_t> words;    // `data[k]`, of lanes: LLVM holds it in VGPRs
  std::vector<uint32_t> uniforms; // `u[k / 4][k % 4]`, of a uniform buffer: LLVM holds it in SGPRs
};

// Numbers without a pattern, small and negative ones among them.
DefectInputs noise();

// Runs a compute shader of one wave. Its body reads `data` and `u`, and writes `r(n)`, the wave's nth row of results.
// `expected` gives row `row` for `lane`; all rows below `rowCount` are compared, on all GPUs, in all modes, at levels 0
// and 2.
using Expectation = std::function<uint32_t(uint32_t lane, uint32_t row)>;
void checkDefect(const std::string &extensions, const std::string &declarations, const std::string &body,
                 const DefectInputs &inputs, uint32_t rowCount, const Expectation &expected);

// The same for a shader in SPIR-V assembly. `%i` is the lane's number and `%x` a float with its bits from the lane's
// word; `results` names the words that are the rows, which `body` computes.
void checkDefectOfAssembly(const std::string &constants, const std::string &body,
                           const std::vector<std::string> &results, const DefectInputs &inputs,
                           const Expectation &expected);

} // namespace dovetail
