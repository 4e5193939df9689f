// SPDX-License-Identifier: MIT
//
// Makes the control shader for OpenGL's programs that have none (parts/kinds/pass_through_control.h).
#pragma once

#include "variants/shader.h"

namespace dovetail {

// The shader copies the outputs that the vertex shader writes and the evaluation shader reads. Errors: InvalidInput for
// inputs of the patch, which no shader would write.
Result<ShaderRef> passThroughControl(const Shader &vertex, const Shader &evaluation);

} // namespace dovetail
