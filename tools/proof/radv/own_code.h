// SPDX-License-Identifier: MIT
//
// Finds the machine code of RADV's programs, with their constants, as it would run. RADV's null hardware keeps the code
// in ordinary memory; the disassembly says what to look for.
#pragma once

#include "tools/proof/radv/radv_listing.h"
#include <span>

namespace dovetail {

struct OwnProgram {
  uint64_t offset = 0; // in the memory that the pipeline's programs share; a multiple of 4
  RadvListing listing;
};

// The bytes of each program of an existing pipeline. Errors: CheckFailed if no place in memory has all of them.
Result<std::vector<std::vector<uint8_t>>> findOwnCode(std::span<const OwnProgram> programs);

} // namespace dovetail
