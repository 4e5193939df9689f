// SPDX-License-Identifier: MIT
//
// Runs a compute shader on the words of its first storage buffer, on both generations, joined and monolithic.
#pragma once

#include "tools/proof/scene/scene.h"
#include "variants/shader.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dovetail {

// A compute shader of one workgroup of 64, with `uint data[]` at binding 0 and `uint i`, the invocation's index.
// `extensions` are names with spaces between them.
ShaderSet computeOf(const std::string &extensions, const std::string &declarations, const std::string &body);
ShaderSet computeOfAssembly(const std::string &text);
// The same shaders, to be compiled at the given level instead of level 2.
ShaderSet atLevel(unsigned optimizationLevel, const ShaderSet &shaders);

// The words after a run that began with `words`. The running test fails if a run is not possible, or if two runs give
// different words.
// `change`: changes the scene that is made up around the shaders.
std::vector<uint32_t> computedWords(const ShaderSet &shaders, const std::vector<uint32_t> &words,
                                    const std::function<void(Scene &)> &change = {});

// The reason why the shaders cannot be compiled for GFX9; empty if they can.
std::string compileError(const ShaderSet &shaders);

} // namespace dovetail
