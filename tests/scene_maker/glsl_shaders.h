// SPDX-License-Identifier: MIT
//
// Shader sets from GLSL without its first line.
#pragma once

#include "variants/shader.h"
#include <string>

namespace dovetail {

ShaderSet shadersOf(const std::string &vertex, const std::string &fragment);
// With workgroups of 64 × 1 × 1.
ShaderSet computeOf(const std::string &text);

} // namespace dovetail
