// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace dovetail {

// Identifies the LLVM of this process: the GNU build id of the loaded library, because distributions patch LLVM without
// changing its version number. If the library has no build id: the version number. Hexadecimal digits or "19.1.7".
// Thread-safe.
std::string llvmBuildId();

} // namespace dovetail
