// SPDX-License-Identifier: MIT
//
// Texels: from the bits in memory to four values and back. Used for colour targets, images, texel buffers and for
// comparing pictures.
#pragma once

#include "src/base/error.h"
#include <array>
#include <cstdint>
#include <span>
#include <vulkan/vulkan_core.h>

namespace dovetail {

enum class TexelNumeric : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float, Ufloat, Srgb, SharedExponent };

struct TexelComponent {
  uint8_t shift = 0; // first bit, counted from bit 0 of byte 0
  uint8_t bits = 0;  // 0: the component does not exist
};

struct TexelLayout {
  uint8_t bytes = 0;
  TexelNumeric numeric = TexelNumeric::Unorm;
  std::array<TexelComponent, 4> components = {}; // r, g, b, a

  bool isInteger() const { return numeric == TexelNumeric::Uint || numeric == TexelNumeric::Sint; }
};

// Errors: Unsupported, naming the format (64-bit, compressed and combined depth-stencil formats). D16_UNORM,
// X8_D24_UNORM_PACK32, D32_SFLOAT and S8_UINT are formats with an r component; R64_UINT and R64_SINT have the low half
// of their texels as r, the high half as g.
Result<TexelLayout> texelLayout(VkFormat format);

// r, g, b, a as f32 bits, or as integers for Uint and Sint. Components that are not there are 0, 0, 0, 1.
using TexelValue = std::array<uint32_t, 4>;
TexelValue decodeTexel(const TexelLayout &layout, const uint8_t *bytes);

// The same value in memory. Normalised values are clamped and rounded to the nearest, f16 and smaller floats are
// rounded toward zero (as v_cvt_pkrtz and lavapipe do), scaled values too, shared exponents as the Vulkan specification
// says (to the nearest). Integers are clamped to what fits. NaN becomes 0 where there is none. Components whose bit in
// `mask` is clear keep their bits (those with a shared exponent are always written together).
void encodeTexel(const TexelLayout &layout, const TexelValue &value, uint8_t *bytes, unsigned mask = 0xf);

} // namespace dovetail
