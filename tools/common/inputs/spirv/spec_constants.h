// SPDX-License-Identifier: MIT
//
// Specialisation constants as a command line gives them.
#pragma once

#include "variants/shader.h"
#include <string>
#include <vector>

namespace dovetail {

// Gives constants their values in all of the shaders that have them. An assignment is "ID=VALUE" or "NAME=VALUE"; the
// value is a number of the constant's type, true or false for a bool, or the bits of any type as 0x…. Errors:
// InvalidInput for what is no assignment, a constant that no shader has, and a value that its type does not have; those
// of createShader(), because types may depend on constants.
Result<void> specialize(std::vector<ShaderRef> &shaders, const std::vector<std::string> &assignments);

} // namespace dovetail
