// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// SPIRV-Tools' validator makes a record for each location of an input or output, so an array of billions of them costs
// it hours and all memory. This refuses such types beforehand. The words need not be valid; whatever else is wrong with
// them is left to the validator.
Result<void> checkInterfaceSize(std::span<const uint32_t> words);

} // namespace dovetail::spirv
