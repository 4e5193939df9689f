// SPDX-License-Identifier: MIT
//
// Converts texels: from the bits in memory to four values and back, for colour targets, images, texel buffers and the
// comparison of pictures.
#pragma once

#include "src/base/error.h"
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vulkan/vulkan_core.h>

namespace dovetail {

enum class TexelNumeric : uint8_t { Unorm, Snorm, Uscaled, Sscaled, Uint, Sint, Float, Ufloat, Srgb, SharedExponent };

struct TexelComponent {
  uint8_t shift = 0; // first bit, counted from bit 0 of byte 0
  uint8_t bits = 0;  // 0: the component does not exist

  bool operator==(const TexelComponent &) const = default;
};

struct TexelLayout {
  uint8_t bytes = 0;
  TexelNumeric numeric = TexelNumeric::Unorm;
  std::array<TexelComponent, 4> components = {}; // r, g, b, a

  bool isInteger() const { return numeric == TexelNumeric::Uint || numeric == TexelNumeric::Sint; }
  bool isNormalized() const {
    return numeric == TexelNumeric::Unorm || numeric == TexelNumeric::Snorm || numeric == TexelNumeric::Srgb;
  }
  bool operator==(const TexelLayout &) const = default;
};

// Errors: Unsupported, naming the format (64-bit, compressed and combined depth-stencil formats). D16_UNORM,
// X8_D24_UNORM_PACK32, D32_SFLOAT and S8_UINT have one component, r. R64_UINT and R64_SINT have the low half of their
// texels as r, the high half as g.
Result<TexelLayout> texelLayout(VkFormat format);

// r, g, b, a as f32 bits, or as integers for Uint and Sint. Missing components are 0, 0, 0, 1.
using TexelValue = std::array<uint32_t, 4>;
TexelValue decodeTexel(const TexelLayout &layout, const uint8_t *bytes);

// The bits of an f32 with a half's value. The multiplication by the difference of the exponents' biases also makes
// denormals right.
inline uint32_t widenHalf(uint32_t half) {
  constexpr uint32_t Exponent = 0x7c00, ExponentOfInfinity = 0x7f800000;
  const uint32_t sign = (half & 0x8000) << 16;
  const float magnitude = std::bit_cast<float>((half & 0x7fff) << 13) * 0x1p112f;
  const uint32_t special = (half & Exponent) == Exponent ? ExponentOfInfinity : 0;
  return sign | special | std::bit_cast<uint32_t>(magnitude);
}

// decodeTexel() for many texels of one layout: does everything beforehand that depends only on the layout.
class TexelDecoder {
public:
  TexelDecoder() = default; // without a layout
  explicit TexelDecoder(const TexelLayout &layout);

  TexelValue operator()(const uint8_t *bytes) const {
    TexelValue value;
    if (m_way == Way::Tables) {
      uint32_t word = 0;
      if (m_layout.bytes == sizeof(word))
        std::memcpy(&word, bytes, sizeof(word));
      else
        for (unsigned i = 0; i != m_layout.bytes; ++i)
          word |= uint32_t(bytes[i]) << 8 * i;
      for (unsigned i = 0; i != 4; ++i)
        value[i] = m_tables[i].values[word >> m_tables[i].shift & m_tables[i].mask];
      return value;
    }
    if (m_way == Way::Other)
      return decodeTexel(m_layout, bytes);
    value = {0, 0, 0, m_one};
    if (m_way == Way::Words)
      for (unsigned i = 0; i != m_count; ++i)
        std::memcpy(&value[i], bytes + 4 * i, 4);
    else
      for (unsigned i = 0; i != m_count; ++i)
        value[i] = widenHalf(uint32_t(bytes[2 * i] | bytes[2 * i + 1] << 8));
    return value;
  }

private:
  enum class Way : uint8_t {
    Tables, // at most 32 bits; each component has at most 8 bits, or is missing
    Words,  // components of 32 bits, unchanged
    Halves,
    Other,
  };
  struct Table {
    const uint32_t *values = nullptr;
    uint32_t mask = 0;
    uint8_t shift = 0;
  };

  TexelLayout m_layout;
  Way m_way = Way::Other;
  uint8_t m_count = 0; // number of components for Words and Halves
  uint32_t m_one = 0;
  std::array<Table, 4> m_tables;
};

// Writes the value to memory. Normalised values are clamped and rounded to nearest. f16 and smaller floats are rounded
// toward zero (as v_cvt_pkrtz and lavapipe do), and so are scaled values. Shared exponents follow the Vulkan
// specification (to nearest). Integers are clamped to the format's range. NaN becomes 0 if the format has none.
// Components whose bit in `mask` is clear keep their bits (components with a shared exponent are always written
// together).
void encodeTexel(const TexelLayout &layout, const TexelValue &value, uint8_t *bytes, unsigned mask = 0xf);

} // namespace dovetail
