// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// Refuses inputs and outputs with too many locations. SPIRV-Tools' validator makes a record for each location, so an
// array of billions of them takes hours and all memory. The words need not be valid; the validator finds everything
// else that is wrong with them.
Result<void> checkInterfaceSize(std::span<const uint32_t> words);

} // namespace dovetail::spirv
