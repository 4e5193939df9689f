// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <spirv-tools/optimizer.hpp>
#include <vector>

namespace dovetail {

// Runs the passes of SPIRV-Tools that `registerPasses` names on a module; nothing if one of them fails. The result is
// not validated.
std::optional<std::vector<uint32_t>> runPasses(const std::vector<uint32_t> &words, spv_target_env environment,
                                               const std::function<void(spvtools::Optimizer &)> &registerPasses);

} // namespace dovetail
