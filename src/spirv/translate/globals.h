// SPDX-License-Identifier: MIT
//
// What a module declares: types, constants, variables and the entry point's execution modes.
#pragma once

#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// Errors are Unsupported, for example for too much memory.

// Adds all types and binds all constants.
Result<void> translateConstants(Services &s);
// Turns the execution modes into the Builder's shader modes, and into facts of the Services. Comes behind the
// constants: one may be the size of the workgroup.
Result<void> translateExecutionModes(Services &s);
// Binds all variables. Those that the entry point's call tree does not use are left out.
Result<void> translateVariables(Services &s);

Result<void> translateLocalVariable(Services &s, const Instruction &inst);

} // namespace dovetail::spirv
