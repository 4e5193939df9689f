// SPDX-License-Identifier: MIT
//
// The machine code of RADV's programs, with their constants and as it would run: RADV's null hardware keeps it in
// ordinary memory, where it is looked for by what the disassembly says of it.
#pragma once

#include "tools/proof/radv/radv_listing.h"
#include <span>

namespace dovetail {

struct OwnProgram {
  uint64_t offset = 0; // into the memory that the pipeline's programs share, a multiple of 4
  RadvListing listing;
};

// The bytes of each program of a pipeline that exists. Errors: CheckFailed if no place in memory has all of them.
Result<std::vector<std::vector<uint8_t>>> findOwnCode(std::span<const OwnProgram> programs);

} // namespace dovetail
