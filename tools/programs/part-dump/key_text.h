// SPDX-License-Identifier: MIT
//
// Describes the key of a part in words.
#pragma once

#include "parts/part.h"
#include <string>
#include <vector>

namespace dovetail::part_dump {

// A text for each field that is not the default: "sgprCount 8". Empty if the part has no key that this build can read:
// keys of another build may have other fields.
std::vector<std::string> keyItems(const Part &part);

} // namespace dovetail::part_dump
