// SPDX-License-Identifier: MIT
//
// Parts for stores. Each is made from its number, so a test that finds one in a store can make it anew and compare.
#pragma once

#include "parts/part.h"
#include <string>

namespace dovetail::faults {

// Every fourth is a real one (a prolog, an epilog or a main part of a few small shaders) under a key of its own; the
// others have random code and random values in every field.
Part makeTestPart(uint64_t number);

// Compiles the real ones, if that has not happened yet. Call it before forking, so that children need not compile.
// Returns "" or the reason why it is not possible.
std::string prepareTestParts();

PartKey testPartKey(uint64_t number);

// "" if the parts are the same in every field, else the name of a field that differs.
std::string differenceOf(const Part &a, const Part &b);

} // namespace dovetail::faults
