// SPDX-License-Identifier: MIT
//
// The structures that random programs have, and how they lie in buffers.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// By Type::structure, from 1 to StructureCount.
const std::vector<Type> &membersOf(uint8_t structure);
// Structures with booleans cannot lie in buffers.
bool hasLayout(uint8_t structure);

// Where std430 puts things, in bytes.
unsigned alignmentOf(const Type &type);
unsigned sizeOf(const Type &type);
unsigned strideOf(const Type &type); // of the parts of an array or a matrix
unsigned offsetOfMember(uint8_t structure, unsigned member);
unsigned offsetOfComponent(const Type &type, unsigned component);

} // namespace dovetail::random_programs
