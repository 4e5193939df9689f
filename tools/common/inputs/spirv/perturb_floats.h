// SPDX-License-Identifier: MIT
//
// A shader whose floats are all a little off: results of float arithmetic, interpolated inputs and texels are
// multiplied by factors near one, by a seed, and places in images by factors a little further from one. Where such a
// shader gives another integer, a float of the program stands behind that integer. Where none does, the integer is
// exact.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// A shader without floats stays as it is. Errors: those of parseModule().
Result<std::vector<uint32_t>> perturbFloats(std::span<const uint32_t> words, uint32_t seed);

} // namespace dovetail
