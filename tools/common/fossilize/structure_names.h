// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace dovetail::fossilize {

// The struct of a pNext chain that a VkStructureType stands for, of those that databases have; of others, the number.
std::string structureName(uint32_t type);

} // namespace dovetail::fossilize
