// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail::spirv {

// SPIRV-Tools' validator walks through a structure as if it were a tree, at each place that uses its type: a structure
// of two structures of two structures and so on takes it a time that is exponential in the size of the module. This
// refuses such types beforehand. The words need not be valid; whatever else is wrong with them is left to the
// validator.
Result<void> checkTypeSizes(std::span<const uint32_t> words);

} // namespace dovetail::spirv
