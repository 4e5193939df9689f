// SPDX-License-Identifier: MIT
//
// Measures the phases for which the first draw of a program waits.
#pragma once

#include "tools/bench/variant-bench/bench.h"

namespace dovetail {

// Validates and reflects the shaders again, and binds the first state of the grid, which must be new to the device.
// Errors: those of createShader() and of binding.
Result<FirstDraw> measureFirstDraw(Device &device, const BenchProgram &program);

} // namespace dovetail
