// SPDX-License-Identifier: MIT
//
// Variables. The shader's own memory (Function, Private, Output, Workgroup) becomes an alloca or an LDS global. Other
// variables, and outputs of control shaders, become symbolic pointers.
//
// A variable of images or samplers in a function is written by front ends that pass images by value. If it has a single
// store, it stands for the stored value from there on. Otherwise it is memory that holds descriptors.
#pragma once

#include "src/spirv/translate/ops/services.h"

namespace dovetail::spirv {

// Translates what the module declares: types, constants, and the variables that the entry point's call tree uses.
// Errors are Unsupported, for example for too much memory.
Result<void> translateGlobals(Services &s);
Result<void> translateLocalVariable(Services &s, const Instruction &inst);

} // namespace dovetail::spirv
