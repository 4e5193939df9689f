// SPDX-License-Identifier: MIT
//
// What a variable's name says about its meaning. Shaders do not say it in any other way, and a picture of a normal that
// is no unit vector, or of a matrix of arbitrary numbers, shows nothing.
#pragma once

#include <cstdint>
#include <string_view>

namespace dovetail {

enum class Meaning : uint8_t {
  Anything,
  Position,
  Direction,         // unit vectors
  TextureCoordinate, // 0 … a few
  Count,             // of elements: integers
  Resolution,        // in pixels
  TexelSize,         // 1 / resolution
  Camera,            // matrices: to clip space
  Threshold,         // of what is thrown away
};

Meaning meaningOf(std::string_view name);

// How much a name looks like that of the attribute that becomes gl_Position; 0: not at all.
unsigned positionLikeness(std::string_view name);

} // namespace dovetail
