// SPDX-License-Identifier: MIT
//
// The control shader that a program of OpenGL's does without (parts/kinds/pass_through_control.h).
#pragma once

#include "variants/shader.h"

namespace dovetail {

// What the shader copies is what the vertex shader writes and the evaluation shader reads. Errors: InvalidInput for
// inputs of the patch, which nobody would write.
Result<ShaderRef> passThroughControl(const Shader &vertex, const Shader &evaluation);

} // namespace dovetail
