// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/hash.h"
#include <string>
#include <string_view>

namespace dovetail {

// "0.2.0".
std::string_view dovetailVersion();
std::string_view llvmVersion();

// Identifies the LLVM of this process: the GNU build id of the loaded library, because distributions patch LLVM without
// changing its version number. If the library has no build id: the version number. Hexadecimal digits or "19.1.7".
// Thread-safe.
std::string llvmBuildId();

// Identifies this Dovetail and this LLVM, because different toolchains make different parts. Version numbers do not
// suffice for either. So the hash also covers the contents of the sources (make_build_id.py) and the build id of the
// loaded LLVM library.
const Hash128 &toolchainVersion();

} // namespace dovetail
