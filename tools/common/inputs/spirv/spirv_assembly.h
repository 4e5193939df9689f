// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/environment.h"
#include <cstdint>
#include <string>
#include <vector>

namespace dovetail {

// Assembles SPIR-V for the version in a comment in front of the instructions, as spirv-dis writes it ("; Version:
// 1.3"). Without this comment, takes the oldest version for which the module is valid. name: the file's. Errors:
// InvalidInput, with name and line.
Result<std::vector<uint32_t>> assembleSpirv(const std::string &name, const std::string &text,
                                            spirv::Environment environment = spirv::Environment::Vulkan);

} // namespace dovetail
