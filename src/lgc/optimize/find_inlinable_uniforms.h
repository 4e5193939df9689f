// SPDX-License-Identifier: MIT
//
// Inlinable uniforms: which are worth a compile of their own? Those that steer: a branch, the number of turns of a
// loop, a choice between two values. When such a one is known, whole blocks go; of others only a load does.
//
// The analysis simplifies a recorded shader and looks at every condition in it. A condition counts if it can be
// computed from constants and dwords of uniforms alone; the counter of a loop, too, if it starts and steps by such
// values. Of `a && b` either side counts alone. The weight of a condition is the number of instructions that it decides
// about; instructions in loops count more.
#pragma once

#include "src/state/stage_knowledge.h"
#include <functional>
#include <llvm/IR/Module.h>
#include <vector>

namespace lgc {

// At most `limit`, those of the heaviest conditions first; a condition is taken with all of its uniforms or not at all.
// `isUniformBuffer` says of a set and binding whether it is one. The module is one that a Builder has recorded; it is
// changed.
std::vector<dovetail::UniformPlace>
findInlinableUniforms(llvm::Module &module, unsigned limit,
                      const std::function<bool(uint32_t, uint32_t)> &isUniformBuffer);

} // namespace lgc
