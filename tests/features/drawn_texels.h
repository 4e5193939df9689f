// SPDX-License-Identifier: MIT
//
// Draws a program over the whole of a small target, on both generations, joined and monolithic.
#pragma once

#include "tools/proof/scene/scene.h"
#include "variants/shader.h"
#include <array>
#include <functional>
#include <string>
#include <vector>

namespace dovetail {

constexpr uint32_t DrawnSize = 8;
using DrawnTexel = std::array<float, 4>;

// Two triangles over the whole target, whose vertices have `vec2 at` from (0, 0) to (8, 8). `body` may write more
// outputs, which `declarations` declare from location 1 on.
std::string wholeTarget(const std::string &declarations = "", const std::string &body = "");

// Makes a program of GLSL without its first line, or of assembly, which begins with "OpCapability".
ShaderSet programOf(const std::vector<std::pair<lgc::ShaderStage, std::string>> &sources);

// Calls `visit` with the texels of the first target, which is of 32-bit floats, after each run. The running test fails
// if a run is not possible. `change`: changes the scene that is made up for the program.
void eachDrawnTexels(const ShaderSet &shaders, const std::function<void(const std::vector<DrawnTexel> &)> &visit,
                     const std::function<void(Scene &)> &change = {});
// The texels. The running test also fails if two runs give different ones.
std::vector<DrawnTexel> drawnTexels(const ShaderSet &shaders, const std::function<void(Scene &)> &change = {});

} // namespace dovetail
