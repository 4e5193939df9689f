// SPDX-License-Identifier: MIT
//
// Writes expressions as GLSL. Integers are unsigned; signed operations convert to signed and back.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <span>

namespace dovetail::random_programs {

std::string glslType(const Type &type);
std::string glslExpression(const Shader &shader, const SmallProgram &program, const Expression &expression);
std::string glslConstant(const Type &type, const std::vector<uint64_t> &words);
bool hasGlsl(const Expression &expression); // without regard to its arguments

// The text of an element in a buffer; `element`: its type.
std::string glslPlace(const Shader &shader, const SmallProgram &program, Space space, const Type &element,
                      const std::string &index);
// The steps to a part, to be put behind the name of the whole. `indices`: those of the path.
std::string glslPath(const Type &whole, const Path &path, std::span<const std::string> indices);

std::string glslStructures();

// The functions that the expressions call.
std::string glslFunctions();

} // namespace dovetail::random_programs
