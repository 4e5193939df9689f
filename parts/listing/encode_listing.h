// SPDX-License-Identifier: MIT
//
// A listing as machine code, without a compiler: one walk over the steps, in which registers are given out, loads are
// waited for where their values are used, and branches and exports end the program.
//
// Registers: what arrives in a register stays there until its last use; what a contract gives is computed where it has
// to be; anything else takes a register that is free, preferably one of those that are given later.
#pragma once

#include "parts/listing/listing.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/isa/encoder.h"

namespace dovetail {

// Errors: Unsupported if registers do not suffice.
Result<isa::Encoder> encodeListing(const Listing &listing, const TargetInfo &target);

} // namespace dovetail
