// SPDX-License-Identifier: MIT
#pragma once

#include "variants/shader.h"
#include <map>
#include <string>
#include <vector>

namespace dovetail::fuzz {

// Programs of SPIR-V modules in files: those whose names begin alike, up to the first dot, make one, under this
// beginning.
Result<std::map<std::string, ShaderSet>> readPrograms(const std::vector<std::string> &paths);

} // namespace dovetail::fuzz
