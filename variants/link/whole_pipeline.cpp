// SPDX-License-Identifier: MIT
#include "variants/link/whole_pipeline.h"
#include "merge/elf/pal_elf.h"
#include "variants/assemble/build_variant.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"

namespace dovetail {

Result<VariantRef> buildWholePipeline(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state) {
  const PipelineState canonical = canonicalize(state, shaders);
  VariantRef joined = DOVETAIL_TRY(buildVariant(maker, makeVariantKey(shaders, canonical, {}), shaders, canonical, {}));
  OptimizedBuild optimized = DOVETAIL_TRY(buildOptimizedVariant(maker, makeOptimizedKey(shaders, canonical, nullptr),
                                                                shaders, canonical, nullptr, *joined, {}));
  return optimized.variant ? optimized.variant : joined;
}

Result<std::vector<uint8_t>> compileWholePipeline(PartMaker &maker, const ShaderSet &shaders,
                                                  const PipelineState &state) {
  return writePalElf(*DOVETAIL_TRY(buildWholePipeline(maker, shaders, state))->image);
}

} // namespace dovetail
