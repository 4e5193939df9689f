// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/run_passes.h"

namespace dovetail {

std::optional<std::vector<uint32_t>> runPasses(const std::vector<uint32_t> &words, spv_target_env environment,
                                               const std::function<void(spvtools::Optimizer &)> &registerPasses) {
  spvtools::Optimizer optimizer(environment);
  registerPasses(optimizer);
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> changed;
  if (!optimizer.Run(words.data(), words.size(), &changed, options))
    return std::nullopt;
  return changed;
}

} // namespace dovetail
