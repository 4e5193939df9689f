// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/module/module.h"

namespace dovetail::spirv {

// How many vertices an input patch must have for what a tessellation shader reads of it, in an entry function and all
// that it calls: all that an input is declared for, if those are fewer than patches can have. Else as many as reach the
// highest vertex that is read at a constant place, all if they are read at once, and at least as many as its output
// patch if one is read at a place that is not constant (mostly gl_InvocationID). At least 1.
unsigned findPatchVertices(const Module &module, uint32_t function);

} // namespace dovetail::spirv
