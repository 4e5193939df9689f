// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <string>
#include <string_view>

namespace dovetail {

// What Mesa calls a GPU of this name of LLVM's, as selectRadv() takes it. Errors: UnknownGpu, with the name. Source:
// Mesa 22.3, amd_family.c and radv_null_winsys.c.
Result<std::string> radvFamilyOf(std::string_view gpu);

} // namespace dovetail
