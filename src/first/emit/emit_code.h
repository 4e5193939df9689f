// SPDX-License-Identifier: MIT
//
// Last step of first code: encodes the instructions, with the waits and wait states that they need between them.
#pragma once

#include "src/abi/target_info.h"
#include "src/first/emit/spill.h"
#include "src/first/form/machine.h"
#include "src/isa/encoder.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail::first {

// A dword of the code that the join fills in.
struct CodeField {
  // Table…: halves of the distance to a table of constants, from where s_getpc_b64 counts.
  enum Kind : uint8_t { Literal, ScalarOffset, TableLow, TableHigh };

  uint32_t offset; // of the dword, from the start of the code
  Kind kind;
  RelocatedConstant constant = {}; // Literal, ScalarOffset
  uint32_t addend = 0; // Table…: bytes into FirstCode::constants, and from where s_getpc_b64 counts to the dword
};

struct FirstCode {
  isa::Encoder encoder;
  std::vector<CodeField> fields;           // sorted by offset
  std::vector<uint8_t> constants;          // that the code loads; aligned to 16 bytes
  uint32_t ldsBytes = 0, scratchBytes = 0; // of a group, of a lane
  Spills spills;
  unsigned minVgprs = 0; // beside those that the instructions name
};

// Returns a reason to refuse, or nothing.
std::string emitCode(const Program &program, Machine &machine, const TargetInfo &target, FirstCode &code);

} // namespace dovetail::first
