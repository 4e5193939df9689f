// SPDX-License-Identifier: MIT
//
// Guesses a variable's meaning from its name, because shaders give no other hint. A picture shows nothing if a normal
// is no unit vector, or if a matrix has arbitrary numbers.
#pragma once

#include <cstdint>
#include <string_view>

namespace dovetail {

enum class Meaning : uint8_t {
  Anything,
  Position,
  Direction,         // unit vectors
  TextureCoordinate, // 0 … a few
  Count,             // of elements; an integer
  Resolution,        // in pixels
  TexelSize,         // 1 / resolution
  Camera,            // matrices: to clip space
  Threshold,         // below it, pixels are discarded
};

Meaning meaningOf(std::string_view name);

// How much a name looks like that of the position attribute; 0: not at all.
unsigned positionLikeness(std::string_view name);

} // namespace dovetail
