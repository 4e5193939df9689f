// SPDX-License-Identifier: MIT
//
// Reads and validates a module before anything else looks at it.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/environment.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::spirv {

// Reads a file's bytes as SPIR-V words of either byte order; the magic number must be there.
Result<std::vector<uint32_t>> readWords(std::span<const uint8_t> bytes);

class ValidModuleStore;

// Checks a module with SPIRV-Tools' validator, in the Vulkan environment that fits its version, or by OpenGL's rules. A
// module that is known to be valid is not checked again (valid_modules.h). `store`: may be null.
Result<void> validate(std::span<const uint32_t> words, Environment environment = Environment::Vulkan,
                      ValidModuleStore *store = nullptr);

} // namespace dovetail::spirv
