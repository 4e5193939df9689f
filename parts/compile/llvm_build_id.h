// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace dovetail {

// Which LLVM this process runs: the GNU build id of the loaded library, because distributions patch LLVM without
// changing its version number; the version number if it has none. Hexadecimal digits or "19.1.7". Thread-safe.
std::string llvmBuildId();

} // namespace dovetail
