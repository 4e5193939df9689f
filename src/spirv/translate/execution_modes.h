// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// Turns the entry point's execution modes into the shader modes that travel with the IR, and into facts of the
// Services. The module's constants must be bound: one of them may be the size of the workgroup. Errors: Unsupported
// modes and sizes.
Result<void> translateExecutionModes(Services &s);

} // namespace dovetail::spirv
