// SPDX-License-Identifier: MIT
//
// The optimised monolithic recompile: every stage is compiled as a whole, under this state, knowing its neighbours. The
// fragment shader comes first, because what it reads is all that the stages before it need to write.
#pragma once

#include "variants/assemble/build_variant.h"
#include "variants/state/state.h"
#include <functional>

namespace dovetail {

struct OptimizedBuild {
  // nullptr: none of its programs gets by with less than in the joined variant, unless another then needs more; the
  // joined variant stays.
  VariantRef variant;
  std::string rejection; // why there is none, in words
};

// Everything that makes one optimised variant differ from another. uniforms may be nullptr. `joined`: the key of the
// variant that is joined for the same state.
VariantKey makeOptimizedKey(const ShaderSet &shaders, const VariantKey &joined, const UniformValues *uniforms);
VariantKey makeOptimizedKey(const ShaderSet &shaders, const PipelineState &canonicalState,
                            const UniformValues *uniforms);

// Takes as long as a compiler does; thread-safe. `joined`: what is drawn with meanwhile, for comparison. `isCancelled`
// is asked between stages. Errors: those of buildVariant(); Cancelled.
Result<OptimizedBuild> buildOptimizedVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                             const PipelineState &canonicalState, const UniformValues *uniforms,
                                             const Variant &joined, const std::function<bool()> &isCancelled);

} // namespace dovetail
