// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/ways/code_cost.h"
#include "src/abi/target_info.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/optimize/program_cost.h"
#include "variants/state/canonicalize.h"

namespace dovetail {

namespace {

void note(const Image &image, const TargetInfo &target, CodeKind kind, std::vector<ShaderCost> &shaders) {
  const std::vector<ProgramCost> costs = programCosts(image);
  for (size_t i = 0; i < image.stages.size(); ++i) {
    const ImageStage &stage = image.stages[i];
    const double waves = wavesPerSimd(target, stage.usage.sgprs, stage.usage.vgprs);
    for (ShaderCost &shader : shaders)
      if (shader.stage == stage.stage)
        shader.costs[unsigned(kind)] = {double(costs[i].instructions), double(stage.usage.vgprs), waves,
                                        double(stage.size)};
  }
}

} // namespace

std::string_view toString(CodeKind kind) {
  constexpr std::string_view Names[CodeKindCount] = {"joined", "monolithic", "optimised", "RADV ACO", "RADV LLVM"};
  return Names[unsigned(kind)];
}

std::string_view toWord(CodeKind kind) {
  constexpr std::string_view Words[CodeKindCount] = {"joined", "monolithic", "optimized", "radvAco", "radvLlvm"};
  return Words[unsigned(kind)];
}

Result<std::vector<ShaderCost>> measureOwnCode(Device &device, const BenchProgram &program) {
  const PipelineState &state = program.grid.states.front();
  const VariantRef joined = DOVETAIL_TRY(device.bind(program.set, state));
  const VariantRef monolithic = DOVETAIL_TRY(device.bind(program.set, state, {.monolithic = true}));
  const PipelineState canonical = canonicalize(state, program.set);
  const OptimizedBuild optimized =
      DOVETAIL_TRY(buildOptimizedVariant(device.partMaker(), makeOptimizedKey(program.set, canonical, nullptr),
                                         program.set, canonical, nullptr, *joined, [] { return false; }));
  std::vector<ShaderCost> shaders;
  for (const ImageStage &stage : joined->image->stages)
    shaders.push_back({program.name, stage.stage, {}});
  note(*joined->image, device.target(), CodeKind::Joined, shaders);
  note(*monolithic->image, device.target(), CodeKind::Monolithic, shaders);
  note(*(optimized.variant ? optimized.variant : joined)->image, device.target(), CodeKind::Optimized, shaders);
  return shaders;
}

} // namespace dovetail
