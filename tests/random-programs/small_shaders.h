// SPDX-License-Identifier: MIT
//
// Shaders that consist of one small program, written by hand.
#pragma once

#include "tools/programs/random-programs/interpret/interpret.h"

namespace dovetail::random_programs {

// 64 invocations; inputs are 0, 1, 2, …
Shader shaderOf(SmallProgram program);

// Variables of I32, all 0.
std::vector<Variable> words(unsigned count);

Expression lane();
Expression word(uint32_t value);
Expression binary(Op op, Expression x, Expression y);
Statement assign(uint32_t variable, Expression value);
Statement store(Expression value, uint32_t index = 0);
Statement when(Expression condition, Block then);
Statement jump(StatementKind kind);

// The first output word of each invocation. The running test fails if the program is undefined.
std::vector<uint32_t> firstWords(const Shader &shader);

} // namespace dovetail::random_programs
