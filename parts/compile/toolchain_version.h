// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/hash.h"
#include <string_view>

namespace dovetail {

// "0.2.0".
std::string_view dovetailVersion();
std::string_view llvmVersion();

// Which Dovetail and which LLVM this is: parts that different ones made are different parts. Versions are not enough
// for either: so it is the contents of the sources (make_build_id.py) and the build id of the loaded LLVM library,
// besides the versions.
const Hash128 &toolchainVersion();

} // namespace dovetail
