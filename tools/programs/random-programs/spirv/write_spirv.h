// SPDX-License-Identifier: MIT
//
// A random shader as a SPIR-V module, written directly, so that there is what glslang never writes: phis, selections of
// composites, exits of loops out of switches, case constructs that fall through.
#pragma once

#include "tools/programs/random-programs/program/program.h"

namespace dovetail::random_programs {

// Of one of Shader::stages(). `subgroups`: how subgroup operations are spelled.
std::vector<uint32_t> writeSpirv(const Shader &shader, Stage stage, SubgroupSpelling subgroups = SubgroupSpelling::Own);
// Of fragment shaders: a triangle that covers the framebuffer.
std::vector<uint32_t> vertexSpirv();

} // namespace dovetail::random_programs
