// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// SPIRV-Tools' validator walks through a structure as a tree, at each place that uses its type. For a structure of two
// structures of two structures and so on, its time is exponential in the size of the module. This function refuses such
// types beforehand. The words need not be valid; the validator finds everything else that is wrong with them.
Result<void> checkTypeSizes(std::span<const uint32_t> words);

} // namespace dovetail::spirv
