// SPDX-License-Identifier: MIT
//
// Constant arrays lie behind the code, and there may be no memory behind them. A read beyond the end would then be a
// page fault, which ends the application. Vulkan leaves such an index undefined, with robust buffer access or without.
// But translators of Direct3D's bytecode count on a draw that goes on, and other drivers read through a buffer with
// bounds. So this pass replaces an index that may be too large by the last one.
#pragma once

#include "src/lgc/codegen/defects/pass_kinds.h"

namespace lgc {

// Must run after all passes that move loads: a moved load may be where its index cannot be bounded.
LGC_IR_PASS(BoundTables)

} // namespace lgc
