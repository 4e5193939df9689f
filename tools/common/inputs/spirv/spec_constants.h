// SPDX-License-Identifier: MIT
//
// Reads specialisation constants from a command line.
#pragma once

#include "variants/shader.h"
#include <string>
#include <vector>

namespace dovetail {

// Gives a constant its value in all shaders that have it. An assignment is "ID=VALUE" or "NAME=VALUE". The value is a
// number of the constant's type, true or false for a bool, or the bits of any type as 0x…. Errors: InvalidInput for a
// malformed assignment, a constant that no shader has, and a value that does not fit its type; those of createShader(),
// because types may depend on constants.
Result<void> specialize(std::vector<ShaderRef> &shaders, const std::vector<std::string> &assignments);

} // namespace dovetail
