// SPDX-License-Identifier: MIT
//
// Shaders as another compiler would have written them.
#pragma once

#include "variants/shader.h"
#include <string>

namespace dovetail {

// The shaders after SPIRV-Tools' optimiser, with passes as spirv-opt takes them ("-O", "--merge-return --ssa-rewrite").
// What the shaders mean stays. Errors: InvalidInput for unknown passes and where the optimiser fails; those of
// createShader().
Result<ShaderSet> withSpirvPasses(const ShaderSet &shaders, const std::string &passes);

} // namespace dovetail
