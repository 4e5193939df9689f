// SPDX-License-Identifier: MIT
#pragma once

#include "tools/command/output.h"
#include "tools/lgc/lgc_options.h"

namespace dovetail::lgc_tool {

Result<void> run(const Options &options);

} // namespace dovetail::lgc_tool
