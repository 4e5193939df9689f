// SPDX-License-Identifier: MIT
//
// Linked into test programs that draw with the reference: it is not beside them, as it is beside the programs that are
// installed, so this tells them where the build put it.
#include <cstdlib>

namespace {

[[maybe_unused]] const int Told = setenv("DOVETAIL_REFERENCE", DOVETAIL_REFERENCE_PROGRAM, 0);

} // namespace
