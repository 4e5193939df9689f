// SPDX-License-Identifier: MIT
//
// Proves a finished image a second time, without any code of the join that made it.
#pragma once

#include "merge/check/defect.h"
#include "merge/image.h"
#include "src/base/error.h"
#include <vector>

namespace dovetail {

// Returns every defect; a sound image has none. Thread-safe; takes milliseconds.
std::vector<Defect> findImageDefects(const Image &image);

// Returns the same defects as an Error: CheckFailed with all of them, one per line.
Result<void> checkImage(const Image &image);

} // namespace dovetail
