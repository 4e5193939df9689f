// SPDX-License-Identifier: MIT
//
// What a compute shader makes of the words of its first storage buffer, on both generations, joined and monolithic.
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
// The same, to be compiled at another level than 2.
ShaderSet atLevel(unsigned optimizationLevel, const ShaderSet &shaders);

// The words after a run that began with `words`. All runs must give the same; the running test fails if one cannot be
// done.
// `change`: of the scene that is made up around them.
std::vector<uint32_t> computedWords(const ShaderSet &shaders, const std::vector<uint32_t> &words,
                                    const std::function<void(Scene &)> &change = {});

// Why they cannot be compiled for GFX9; empty if they can.
std::string compileError(const ShaderSet &shaders);

} // namespace dovetail
