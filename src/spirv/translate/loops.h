// SPDX-License-Identifier: MIT
//
// Finds the loops of a function from its merge instructions.
#pragma once

#include "src/spirv/module/module.h"
#include <functional>
#include <unordered_map>

namespace dovetail::spirv {

struct Loop {
  uint32_t head = 0; // labels
  uint32_t merge = 0;
};

// Labels of the blocks that are in a loop, and the innermost loop of each.
using LoopsOfBlocks = std::unordered_map<uint32_t, Loop>;

using VisitTarget = std::function<void(uint32_t)>;

// `visitTargets` visits the labels that a block can go to.
LoopsOfBlocks findLoops(const Function &function,
                        const std::function<void(const Block &, const VisitTarget &)> &visitTargets);

} // namespace dovetail::spirv
