// SPDX-License-Identifier: MIT
#include "variants/optimized_variant.h"
#include "gfx9-merged/stage_map.h"
#include "variants/check_topology.h"
#include "variants/get_parts.h"
#include "variants/join_programs.h"
#include "variants/program_cost.h"

namespace dovetail {

VariantKey makeOptimizedKey(const ShaderSet &shaders, const PipelineState &canonicalState,
                            const UniformValues *uniforms) {
  Hasher hasher;
  hasher.add(std::string_view("optimized")).add(makeVariantKey(shaders, canonicalState, {.monolithic = true}).hash);
  hasher.add(uniforms != nullptr);
  if (uniforms)
    hasher.add(uniforms->hash);
  return {hasher.finish()};
}

Result<OptimizedBuild> buildOptimizedVariant(const BuildContext &context, const VariantKey &key,
                                             const ShaderSet &shaders, const PipelineState &canonicalState,
                                             const UniformValues *, const Variant &joined,
                                             const std::function<bool()> &isCancelled) {
  StageMap stages = DOVETAIL_TRY(mapStages(shaders.stageMask(), context.joinTarget.hasMergedStages));
  DOVETAIL_CHECK(checkTopology(shaders, canonicalState));
  if (isCancelled && isCancelled())
    return makeError(ErrorCode::Cancelled, "nobody needs the optimised variant any more");
  std::vector<ProgramParts> programs =
      DOVETAIL_TRY(getMonolithicParts(context.partMaker, context.joinTarget, stages, shaders, canonicalState));

  // Beyond this point, no compiler runs.
  VariantRef variant = DOVETAIL_TRY(joinPrograms(context.joinTarget, key, std::move(programs), canonicalState,
                                                 /*isMonolithic=*/true, /*isOptimized=*/true));
  if (std::string loss = describeLoss(*joined.image, *variant->image); !loss.empty())
    return OptimizedBuild{nullptr, std::move(loss)};
  return OptimizedBuild{std::move(variant), {}};
}

} // namespace dovetail
