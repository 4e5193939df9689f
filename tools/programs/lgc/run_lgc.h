// SPDX-License-Identifier: MIT
#pragma once

#include "tools/common/command/output.h"
#include "tools/programs/lgc/lgc_options.h"

namespace dovetail::lgc_tool {

Result<void> run(const Options &options);

} // namespace dovetail::lgc_tool
