// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/hash.h"

namespace dovetail {

// Adds the versions of Dovetail and LLVM: parts that different versions made are different parts.
void addToolchainVersion(Hasher &hasher);

} // namespace dovetail
