// SPDX-License-Identifier: MIT
//
// Makes a copy of a shader whose floats are all a little off. Results of float arithmetic, interpolated inputs and
// texels are multiplied by factors near one, chosen by a seed; texture coordinates by factors a little further from
// one. If such a copy gives another integer, a float of the program stands behind that integer. If no copy does, the
// integer is exact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// A shader without floats stays unchanged.
std::vector<uint32_t> perturbFloats(std::span<const uint32_t> words, uint32_t seed);

} // namespace dovetail
