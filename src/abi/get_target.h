// SPDX-License-Identifier: MIT
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"

namespace dovetail {

// Errors: UnknownGpu, with the names that are known.
Result<const TargetInfo *> getTarget(std::string_view gpuName);

} // namespace dovetail
