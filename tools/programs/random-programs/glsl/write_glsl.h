// SPDX-License-Identifier: MIT
//
// A random shader as GLSL, for what glslang makes of such programs. Small programs that GLSL has no words for are left
// out: those with exits of loops out of switches, wide selectors, integer dots, insertions, functions of their own, or
// remainders. Execution modes of floats of 16 and 64 bits are left out, too.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// Takes what cannot be said out of the shader.
void keepGlsl(Shader &shader);

// A stage of a shader that keepGlsl() has seen.
std::string writeGlsl(const Shader &shader, Stage stage);

} // namespace dovetail::random_programs
