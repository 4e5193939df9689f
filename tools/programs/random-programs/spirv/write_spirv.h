// SPDX-License-Identifier: MIT
//
// Writes a random shader as a SPIR-V module directly, so that it has constructs that glslang never writes: phis,
// selections of composites, exits of loops out of switches, case constructs that fall through.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// `stage`: one of Shader::stages(). `subgroups`: the spelling of subgroup operations.
std::vector<uint32_t> writeSpirv(const Shader &shader, Stage stage, SubgroupSpelling subgroups = SubgroupSpelling::Own);
// The vertex shader in front of fragment shaders: a triangle that covers the framebuffer.
std::vector<uint32_t> vertexSpirv();

} // namespace dovetail::random_programs
