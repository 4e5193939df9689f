// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/fields.h"
#include <cstdint>

namespace dovetail::spirv {

// The API whose rules a module follows.
enum class Environment : uint8_t {
  Vulkan, // 1.0 to 1.3
  OpenGl, // 4.6: GL_ARB_gl_spirv
};

DOVETAIL_LAST(Environment, OpenGl)

} // namespace dovetail::spirv
