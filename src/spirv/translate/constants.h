// SPDX-License-Identifier: MIT
//
// Constants. Specialisation constants have their values already (specialize.h). OpSpecConstantOp runs through the same
// handlers as an instruction of a function, and LLVM's constant folder makes a constant of it. Declarations evaluates
// the sizes and other numbers that the translation itself needs.
#pragma once

#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// Binds a constant or an undefined value of the module's scope. Error: Unsupported for types without values.
Result<void> translateConstant(Services &s, const Instruction &inst);

} // namespace dovetail::spirv
