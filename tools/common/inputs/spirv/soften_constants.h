// SPDX-License-Identifier: MIT
//
// Calms a shader whose picture is chaos. Noise like fract(sin(x) * 43758.5453) turns a change in the last bit of x into
// an unrelated number. With a small factor, the code stays the same and its pictures can be compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Replaces 32-bit float constants of magnitude 16 and more, also in vectors, where something is multiplied by them (dot
// products included): there they get a magnitude from 4 to 8. Other uses keep the constant. Returns the same words if
// there is no such constant.
std::vector<uint32_t> softenConstants(std::span<const uint32_t> words);

} // namespace dovetail
