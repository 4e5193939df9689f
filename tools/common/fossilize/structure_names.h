// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace dovetail::fossilize {

// The name of the pNext struct for a VkStructureType, if databases have that struct; otherwise the number.
std::string structureName(uint32_t type);

} // namespace dovetail::fossilize
