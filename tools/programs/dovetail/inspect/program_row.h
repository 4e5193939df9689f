// SPDX-License-Identifier: MIT
//
// The costs of a hardware program, and the resource that limits how many of its waves run at once.
#pragma once

#include "merge/image.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include <string>
#include <vector>

namespace dovetail {

struct ProgramRow {
  std::string stage; // "vs", "ps", …
  uint32_t instructions = 0, bytes = 0;
  uint32_t sgprs = 0, vgprs = 0, scratchBytes = 0, ldsBytes = 0;
  uint32_t waves = 0;  // per SIMD
  std::string limit;   // "VGPRs, 2 more than for 5 waves"; "" if the hardware's maximum of waves can run
  uint32_t cycles = 0; // issue cycles of one wave's instructions (variants/inspect/code_cost.h)
  uint32_t spilledSgprs = 0, spilledVgprs = 0;
  uint32_t missing = 0; // bit N: the list from which the row was read lacks number N of ProgramFigures

  bool operator==(const ProgramRow &) const = default;
};

struct ProgramFigure {
  const char *name; // in JSON
  const char *title;
  uint32_t ProgramRow::*value;
  bool isOptional = false; // lists of earlier versions lack it
  bool moreIsBetter = false;
};
inline constexpr ProgramFigure ProgramFigures[] = {
    {"instructions", "instructions", &ProgramRow::instructions},
    {"cycles", "cycles", &ProgramRow::cycles, true},
    {"bytes", "bytes", &ProgramRow::bytes},
    {"sgprs", "SGPRs", &ProgramRow::sgprs},
    {"vgprs", "VGPRs", &ProgramRow::vgprs},
    {"scratchBytes", "scratch bytes", &ProgramRow::scratchBytes},
    {"spilledSgprs", "spilled SGPRs", &ProgramRow::spilledSgprs, true},
    {"spilledVgprs", "spilled VGPRs", &ProgramRow::spilledVgprs, true},
    {"ldsBytes", "LDS bytes", &ProgramRow::ldsBytes},
    {"waves", "waves", &ProgramRow::waves, false, true},
};

constexpr bool isMissing(const ProgramRow &row, const ProgramFigure &figure) {
  return row.missing >> (&figure - ProgramFigures) & 1;
}

// The rows, in the order of the image's programs. `threads`: of a compute shader's workgroup, whose LDS counts then;
// else 0. Errors: those of the disassembler.
Result<std::vector<ProgramRow>> programRows(const Image &image, const TargetInfo &target, uint32_t threads);

// Whether a developer would look at `first` before `second`: fewer waves, then more scratch memory, then more
// instructions.
bool isWorse(const ProgramRow &first, const ProgramRow &second);

} // namespace dovetail
