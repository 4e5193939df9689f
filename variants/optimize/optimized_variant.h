// SPDX-License-Identifier: MIT
//
// The optimised monolithic recompile: the stages are compiled again, for this state and with knowledge of their
// neighbours. The fragment shader comes first, because the stages before it need to write only what it reads.
#pragma once

#include "variants/assemble/build_variant.h"
#include "variants/state/state.h"
#include <functional>

namespace dovetail {

struct OptimizedBuild {
  // nullptr: the joined variant stays, because no program gets by with less, or because another program would then need
  // more.
  VariantRef variant;
  std::string rejection; // why there is no variant, in words
};

// Everything that makes optimised variants differ. uniforms may be nullptr. `joined`: the key of the joined variant for
// the same state.
VariantKey makeOptimizedKey(const ShaderSet &shaders, const VariantKey &joined, const UniformValues *uniforms);
VariantKey makeOptimizedKey(const ShaderSet &shaders, const PipelineState &canonicalState,
                            const UniformValues *uniforms);

// Takes as long as a compiler does; thread-safe. `joined`: the current variant, for comparison. `isCancelled` is asked
// between stages. Errors: those of buildVariant(); Cancelled.
Result<OptimizedBuild> buildOptimizedVariant(PartMaker &maker, const VariantKey &key, const ShaderSet &shaders,
                                             const PipelineState &canonicalState, const UniformValues *uniforms,
                                             const Variant &joined, const std::function<bool()> &isCancelled);

} // namespace dovetail
