// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// Refuses types over which SPIRV-Tools' validator takes hours and all memory. It makes a record for each location of an
// input or output, and arrays have billions. It also walks through a structure as a tree, at each place that uses its
// type: for a structure of two structures of two structures and so on, its time is exponential in the size of the
// module. The words need not be valid; the validator finds everything else that is wrong with them.
Result<void> checkSizes(std::span<const uint32_t> words);

} // namespace dovetail::spirv
