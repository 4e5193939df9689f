// SPDX-License-Identifier: MIT
//
// Runs SPIRV-Tools' passes, to get shaders as another compiler would have written them.
#pragma once

#include "variants/shader.h"
#include <string>

namespace dovetail {

// Runs SPIRV-Tools' optimiser, which may make an invalid module. Errors: InvalidInput for unknown passes, and if the
// optimiser fails.
Result<std::vector<uint32_t>> runSpirvPasses(const std::vector<uint32_t> &words, const std::string &passes);

// Runs SPIRV-Tools' optimiser on the shaders, with passes as spirv-opt takes them ("-O", "--merge-return
// --ssa-rewrite"). The shaders keep their meaning. Errors: those of runSpirvPasses() and createShader().
Result<ShaderSet> withSpirvPasses(const ShaderSet &shaders, const std::string &passes);

} // namespace dovetail
