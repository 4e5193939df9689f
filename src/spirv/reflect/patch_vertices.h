// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/reflect/value_flow.h"

namespace dovetail::spirv {

// How many vertices an input patch must have for the inputs that a tessellation shader reads, in an entry function and
// in the functions that it calls. At least 1, and at least these:
// - If an input is declared for fewer vertices than patches can have: that number.
// - For other inputs read at a constant vertex: enough to reach that vertex.
// - For inputs read as a whole: all that they are declared for.
// - For inputs read at a vertex that is not constant (mostly gl_InvocationID): as many as the output patch has.
unsigned findPatchVertices(const ValueFlow &flow);

} // namespace dovetail::spirv
