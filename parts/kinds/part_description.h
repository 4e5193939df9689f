// SPDX-License-Identifier: MIT
#pragma once

#include "parts/part.h"

namespace dovetail {

// A part's purpose in words: "attr0.xyz 32_32_32 float +12 binding 0, …". Prologs and epilogs are made while a draw
// waits, so their words are made from their keys only when somebody asks. Empty for parts that were made without a key.
std::string partDescription(const Part &part);

} // namespace dovetail
