// SPDX-License-Identifier: MIT
//
// Inlinable uniforms, whose values optimised variants are compiled for: which of a driver's values concern a shader,
// and which are worth giving in the first place.
#pragma once

#include "src/state/stage_knowledge.h"
#include "variants/shader.h"
#include <span>
#include <vector>

namespace dovetail {

// As many as radeonsi inlines.
constexpr unsigned DefaultInlinableUniforms = 4;

// Those of the values that lie in a member of the shader's push constants or uniform buffers, in their order, so that
// values that a shader does not have make no other code of it.
std::vector<InlinableUniform> uniformsReachedBy(const spirv::Reflection &shader,
                                                std::span<const InlinableUniform> values);

// The dwords of uniforms that steer the shader's branches and loops (src/lgc/optimize/find_inlinable_uniforms.h), those
// that decide about most first: a driver that sees them keep their values calls makeUniformValues() with them.
// Translates the shader: call it once for each. Thread-safe. Errors: those of the front end, with the shader's name.
Result<std::vector<UniformPlace>> inlinableUniforms(const Shader &shader, unsigned limit = DefaultInlinableUniforms);

} // namespace dovetail
