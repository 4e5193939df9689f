// SPDX-License-Identifier: MIT
//
// For test programs that draw with the reference. An installed program has the reference beside it, and a test program
// has not. So this file tells where the build put it.
#include <cstdlib>

namespace {

[[maybe_unused]] const int Told = setenv("DOVETAIL_REFERENCE", DOVETAIL_REFERENCE_PROGRAM, 0);

} // namespace
