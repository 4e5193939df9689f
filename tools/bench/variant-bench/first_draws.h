// SPDX-License-Identifier: MIT
//
// What the first draw of a program waits for.
#pragma once

#include "tools/bench/variant-bench/bench.h"

namespace dovetail {

// Validates and reflects the shaders again and binds the first state of the grid, of which the device knows nothing
// yet. Errors: those of createShader() and of binding.
Result<FirstDraw> measureFirstDraw(Device &device, const BenchProgram &program);

} // namespace dovetail
