// SPDX-License-Identifier: MIT
//
// The structures of random programs, and their layout in buffers.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// `structure`: Type::structure, from 1 to StructureCount.
const std::vector<Type> &membersOf(uint8_t structure);
// Whether it can lie in buffers; structures with booleans cannot.
bool hasLayout(uint8_t structure);

// std430's layout, in bytes.
unsigned alignmentOf(const Type &type);
unsigned sizeOf(const Type &type);
unsigned strideOf(const Type &type); // of the parts of an array or a matrix
unsigned offsetOfMember(uint8_t structure, unsigned member);
unsigned offsetOfComponent(const Type &type, unsigned component);

} // namespace dovetail::random_programs
