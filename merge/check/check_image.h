// SPDX-License-Identifier: MIT
//
// Re-proves a finished image without the code that made it.
#pragma once

#include "merge/check/defect.h"
#include "merge/image.h"
#include "src/base/error.h"
#include <vector>

namespace dovetail {

// Every defect; none of a sound image. Thread-safe; takes milliseconds.
std::vector<Defect> findImageDefects(const Image &image);

// The same as an Error: CheckFailed with all defects, one per line.
Result<void> checkImage(const Image &image);

} // namespace dovetail
