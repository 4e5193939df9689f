// SPDX-License-Identifier: MIT
//
// Reads facts from the printed NIR of a shader that RADV writes into no register.
#pragma once

#include <set>
#include <string_view>

namespace dovetail {

// Locations of the vertex inputs that the shader reads: each has a V# in RADV's table, in ascending order.
std::set<unsigned> vertexLocations(std::string_view nir);

} // namespace dovetail
