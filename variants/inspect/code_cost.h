// SPDX-License-Identifier: MIT
//
// A static estimate of the cost of code, for comparing builds of a compiler: instructions by class, and the cycles in
// which they are issued.
//
// The estimate counts each instruction once, even in a loop or behind a branch, with the cycles that a SIMD needs to
// issue it for one wave (src/isa/issue_cycles.h). It ignores waits for memory, LDS or other waves, and resources that
// several waves share. It tells whether code has become longer or slower to issue, not how long a draw takes.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <vector>

namespace dovetail {

struct CodeCost {
  uint32_t instructions = 0;
  uint32_t cycles = 0;                  // to issue one wave's instructions
  uint32_t vector = 0, interpolate = 0; // instructions; v_interp is not among the vector ones
  uint32_t scalar = 0;                  // with branches, waits and other SOPP
  uint32_t scalarLoads = 0;
  uint32_t vectorMemory = 0, lds = 0, exports = 0;

  bool operator==(const CodeCost &) const = default;
  CodeCost &operator+=(const CodeCost &other);
};

// In the order of image.parts, without the s_nops in front of them. Thread-safe; decodes all code. Errors: those of the
// disassembler.
Result<std::vector<CodeCost>> costsOfParts(const Image &image);
// In the order of image.stages, with the s_nops between parts.
Result<std::vector<CodeCost>> costsOfPrograms(const Image &image);

} // namespace dovetail
