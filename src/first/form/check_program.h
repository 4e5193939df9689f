// SPDX-License-Identifier: MIT
//
// The rules of a program, for builds with assertions: a fault of a step is a refusal there, not wrong code.
#pragma once

#include "src/first/form/program.h"
#include <string>

namespace dovetail::first {

// Returns the first rule that does not hold, or nothing: operands are there and come before their users, bools and
// dwords stand where they belong, scalars are made of scalars, parts are within their node, and blocks name each other.
std::string checkProgram(const Program &program);

} // namespace dovetail::first
