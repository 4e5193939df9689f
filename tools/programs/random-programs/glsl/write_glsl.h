// SPDX-License-Identifier: MIT
//
// Writes a random shader as GLSL, to test code that glslang makes. Leaves out small programs that GLSL cannot express:
// those with exits of loops out of switches, wide selectors, integer dots, insertions, functions of their own, or
// remainders. Execution modes of 16-bit and 64-bit floats are left out, too.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// Removes everything that GLSL cannot express.
void keepGlsl(Shader &shader);

// Writes a stage of a shader after keepGlsl().
std::string writeGlsl(const Shader &shader, Stage stage);

} // namespace dovetail::random_programs
