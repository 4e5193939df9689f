// SPDX-License-Identifier: MIT
//
// Inlinable uniforms: optimised variants are compiled for their values. This file finds the values of a driver that a
// shader uses, and the uniforms that are worth giving in the first place.
#pragma once

#include "src/state/stage_knowledge.h"
#include "variants/shader.h"
#include <span>
#include <vector>

namespace dovetail {

// The same number as in radeonsi.
constexpr unsigned DefaultInlinableUniforms = 4;

// The values that lie in a member of the shader's push constants or uniform buffers, in their order. Other values are
// left out, so that they do not change the shader's code.
std::vector<InlinableUniform> uniformsReachedBy(const spirv::Reflection &shader,
                                                std::span<const InlinableUniform> values);

// The dwords of uniforms that control the shader's branches and loops (src/lgc/optimize/find_inlinable_uniforms.h);
// those that decide about most code come first. A driver that sees them keep their values calls makeUniformValues()
// with them. Translates the shader, so call it once per shader. Thread-safe. Errors: those of the front end, with the
// shader's name.
Result<std::vector<UniformPlace>> inlinableUniforms(const Shader &shader, unsigned limit = DefaultInlinableUniforms);

} // namespace dovetail
