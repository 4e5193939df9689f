// SPDX-License-Identifier: MIT
//
// Re-proves a finished image without the code that made it.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <string>
#include <vector>

namespace dovetail {

// Every defect as a sentence that names the offset and the part; empty for a sound image. Thread-safe; takes
// milliseconds.
std::vector<std::string> findImageDefects(const Image &image);

// The same as a value: CheckFailed with all defects, one per line.
Result<void> checkImage(const Image &image);

} // namespace dovetail
