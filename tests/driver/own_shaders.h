// SPDX-License-Identifier: MIT
//
// The programs of tests/shaders: compute shaders, vertex and fragment shaders of one name together, and the others with
// the company that they need to be drawn.
#pragma once

#include "variants/shader.h"
#include <functional>
#include <string>
#include <vector>

namespace dovetail {

struct OwnProgram {
  std::string name; // "pbr.vert + pbr.frag"
  ShaderSet shaders;
};

// Sorted by name. Fails the running test if one of them cannot be read.
std::vector<OwnProgram> readOwnPrograms();

// Visits each shader with its program. A failure in `visit` names the shader. Returns how many there are.
size_t forEachOwnShader(const std::function<void(const ShaderSet &program, const Shader &shader)> &visit);

} // namespace dovetail
