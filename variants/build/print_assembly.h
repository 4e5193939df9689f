// SPDX-License-Identifier: MIT
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <string>

namespace dovetail {

// The whole text of the image as assembly, with the border of each part and its contract. Thread-safe; takes
// milliseconds. Errors: those of the disassembler.
Result<std::string> printAssembly(const Image &image);

} // namespace dovetail
