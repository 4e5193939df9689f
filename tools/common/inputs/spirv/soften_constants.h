// SPDX-License-Identifier: MIT
//
// A shader whose picture is chaos, made calm: noise like fract(sin(x) * 43758.5453) turns the last bit of x into
// another number altogether. With a small factor it is the same code, and pictures of it can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// 32-bit floats of magnitude 16 and more, also in vectors, by which something is multiplied (dot products included) get
// a magnitude from 4 to 8 there; where else they are used, they stay what they are. The same words if there are none.
std::vector<uint32_t> softenConstants(std::span<const uint32_t> words);

} // namespace dovetail
