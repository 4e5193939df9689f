// SPDX-License-Identifier: MIT
//
// Finds out what the functions of a shader do with their inputs and blocks.
#pragma once

#include "src/spirv/module/module.h"
#include "src/spirv/reflect/value_flow.h"
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

namespace dovetail::spirv {

// The members of a block variable that an entry function and the functions that it calls access one by one. Nothing if
// a function does anything else with the variable, because that may reach every member. GLSL declares whole blocks of
// built-ins, of which a shader uses a part.
std::optional<std::set<uint32_t>> findAccessedMembers(const ValueFlow &flow, uint32_t variable);

// Finds the addresses of physical storage buffers that a block holds as integers and of which shaders make pointers
// (GL_EXT_buffer_reference_uvec2, and casts of uint64_t).
//
// Structure and member -> the type of the pointer that is made of the member, or of the elements of its array. The
// member is a 64-bit integer or a vector of two 32-bit ones. An address is only listed if it is traced back to a
// member, through arithmetic, variables and calls of functions.
using AddressMembers = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;
AddressMembers findAddressMembers(const Module &module);

// How many vertices an input patch must have for the inputs that a tessellation shader reads, in an entry function and
// in the functions that it calls. At least 1, and at least these:
// - If an input is declared for fewer vertices than patches can have: that number.
// - For other inputs read at a constant vertex: enough to reach that vertex.
// - For inputs read as a whole: all that they are declared for.
// - For inputs read at a vertex that is not constant (mostly gl_InvocationID): as many as the output patch has.
unsigned findPatchVertices(const ValueFlow &flow);

// The input variables that a vertex shader's position is computed from, in an entry function and in the functions that
// it calls. Values are followed through variables, whichever path stores them. Conditions are not followed: they choose
// between values, but are no part of them.
std::unordered_set<uint32_t> findPositionInputs(const ValueFlow &flow);

} // namespace dovetail::spirv
