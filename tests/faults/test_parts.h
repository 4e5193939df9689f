// SPDX-License-Identifier: MIT
//
// Parts to be stored: each is made from its number, so that whoever finds one in a store can make it anew and compare.
#pragma once

#include "parts/part.h"
#include <string>

namespace dovetail::faults {

// Every fourth is a real one (a prolog, an epilog or a main part of a few small shaders) under a key of its own; the
// others have random code and random values in every field.
Part makeTestPart(uint64_t number);

// Compiles the real ones, if that has not happened yet. Call it before forking, so that children need not.
// "" or why it is not possible.
std::string prepareTestParts();

PartKey testPartKey(uint64_t number);

// "" if they are the same in every field, else which is not.
std::string differenceOf(const Part &a, const Part &b);

} // namespace dovetail::faults
