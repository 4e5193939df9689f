// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <string>
#include <string_view>

namespace dovetail {

// Mesa's name of a GPU, for selectRadv(); `gpu`: LLVM's name. Errors: UnknownGpu, with the name. Source: Mesa 22.3,
// amd_family.c and radv_null_winsys.c.
Result<std::string> radvFamilyOf(std::string_view gpu);

} // namespace dovetail
