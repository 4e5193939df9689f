// SPDX-License-Identifier: MIT
//
// Finds the addresses of physical storage buffers that a block holds as integers and of which shaders make pointers
// (GL_EXT_buffer_reference_uvec2, and casts of uint64_t).
#pragma once

#include "src/spirv/module/module.h"
#include <map>

namespace dovetail::spirv {

// Structure and member -> the type of the pointer that is made of the member, or of the elements of its array. The
// member is a 64-bit integer or a vector of two 32-bit ones. An address is only listed if it is traced back to a
// member, through arithmetic, variables and calls of functions.
using AddressMembers = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;
AddressMembers findAddressMembers(const Module &module);

} // namespace dovetail::spirv
