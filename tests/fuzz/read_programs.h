// SPDX-License-Identifier: MIT
#pragma once

#include "variants/shader.h"
#include <map>
#include <string>
#include <vector>

namespace dovetail::fuzz {

// Reads programs of SPIR-V modules from files. Modules whose names begin alike, up to the first dot, make one program,
// under this beginning.
Result<std::map<std::string, ShaderSet>> readPrograms(const std::vector<std::string> &paths);

} // namespace dovetail::fuzz
