// SPDX-License-Identifier: MIT
//
// Expressions as GLSL. Integers are unsigned; signed operations convert there and back.
#pragma once

#include "tools/random-programs/program/program.h"

namespace dovetail::random_programs {

std::string glslType(const Type &type);
std::string glslExpression(const Shader &shader, const SmallProgram &program, const Expression &expression);
std::string glslConstant(const Type &type, const std::vector<uint64_t> &words);
bool hasGlsl(const Expression &expression); // but for its arguments

// Where an element of a buffer is.
std::string glslPlace(const Shader &shader, const SmallProgram &program, Space space, Scalar scalar,
                      const std::string &index);

// Functions that the expressions call.
std::string glslFunctions();

} // namespace dovetail::random_programs
