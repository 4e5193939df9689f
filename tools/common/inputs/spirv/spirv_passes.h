// SPDX-License-Identifier: MIT
//
// Shaders as another compiler would have written them.
#pragma once

#include "variants/shader.h"
#include <string>

namespace dovetail {

// A module after SPIRV-Tools' optimiser, which may make an invalid one. Errors: InvalidInput for unknown passes and
// where the optimiser fails.
Result<std::vector<uint32_t>> runSpirvPasses(const std::vector<uint32_t> &words, const std::string &passes);

// The shaders after SPIRV-Tools' optimiser, with passes as spirv-opt takes them ("-O", "--merge-return --ssa-rewrite").
// What the shaders mean stays. Errors: those of runSpirvPasses() and createShader().
Result<ShaderSet> withSpirvPasses(const ShaderSet &shaders, const std::string &passes);

} // namespace dovetail
