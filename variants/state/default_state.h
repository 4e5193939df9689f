// SPDX-License-Identifier: MIT
//
// Makes a state for shaders that come without one: vertex buffers and colour targets that fit the shaders'
// declarations.
#pragma once

#include "src/spirv/reflect/reflection.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"

namespace dovetail {

// Each vertex attribute has a format of the shader's own type (32-bit, or 64-bit for doubles, with the components that
// it declares), and all lie tightly packed in binding 0. Each colour that the fragment shader writes goes to a target:
// R8G8B8A8_UNORM for floats, R32G32B32A32_SINT or _UINT for integers. A second source of colour 0 turns on blending
// with it. Either shader may be nullptr.
PipelineState defaultState(const spirv::Reflection *vertex, const spirv::Reflection *fragment);

// The same for shaders of all stages: with a topology that they take (check_state.h) and patches of the size that
// the control shader reads.
PipelineState defaultState(const ShaderSet &shaders);

} // namespace dovetail
