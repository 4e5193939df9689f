// SPDX-License-Identifier: MIT
//
// What of a module's declarations is supported.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/module.h"

namespace dovetail::spirv {

// An Error that names the first capability or addressing model that is not supported.
Result<void> checkModule(const Module &module);

} // namespace dovetail::spirv
