// SPDX-License-Identifier: MIT
//
// Which uniforms are worth a compile of their own? Those that steer the shader: a branch, the number of turns of a
// loop, a choice between two values. If the value of such a uniform is known, whole blocks go; for other uniforms, only
// a load goes.
//
// The analysis simplifies a recorded shader and looks at every condition in it. A condition counts if it can be
// computed from constants and dwords of uniforms alone. The counter of a loop counts, too, if it starts and steps by
// such values. Each side of `a && b` counts alone. The weight of a condition is the number of instructions that it
// decides about; instructions in loops count more.
#pragma once

#include "src/state/stage_knowledge.h"
#include <functional>
#include <llvm/IR/Module.h>
#include <vector>

namespace lgc {

// Returns at most `limit` uniforms, those of the heaviest conditions first. A condition is taken with all of its
// uniforms or not at all. `isUniformBuffer` tells whether a set and binding is a uniform buffer. The module must be as
// a Builder recorded it; it is changed.
std::vector<dovetail::UniformPlace>
findInlinableUniforms(llvm::Module &module, unsigned limit,
                      const std::function<bool(uint32_t, uint32_t)> &isUniformBuffer);

} // namespace lgc
