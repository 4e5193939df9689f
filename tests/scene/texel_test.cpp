// SPDX-License-Identifier: MIT
//
// Texels against bytes worked out by hand from the Vulkan specification. Every format is decoded and encoded again.
#include "src/state/format_table.h"
#include "tools/proof/scene/texel.h"
#include <bit>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

using namespace dovetail;

namespace {

uint32_t f(float value) {
  return std::bit_cast<uint32_t>(value);
}

TexelLayout layoutOf(VkFormat format) {
  Result<TexelLayout> layout = texelLayout(format);
  REQUIRE_MESSAGE(layout, formatName(format));
  return *layout;
}

TexelValue decode(VkFormat format, std::vector<uint8_t> bytes) {
  TexelLayout layout = layoutOf(format);
  REQUIRE(layout.bytes == bytes.size());
  return decodeTexel(layout, bytes.data());
}

std::vector<uint8_t> encode(VkFormat format, const TexelValue &value, unsigned mask = 0xf, uint8_t before = 0) {
  TexelLayout layout = layoutOf(format);
  std::vector<uint8_t> bytes(layout.bytes, before);
  encodeTexel(layout, value, bytes.data(), mask);
  return bytes;
}

using Bytes = std::vector<uint8_t>;

TEST_CASE("Normalised components") {
  CHECK(decode(VK_FORMAT_R8G8B8A8_UNORM, {0, 255, 51, 102}) == TexelValue{f(0), f(1), f(0.2f), f(0.4f)});
  CHECK(decode(VK_FORMAT_B8G8R8A8_UNORM, {0, 255, 51, 102}) == TexelValue{f(0.2f), f(1), f(0), f(0.4f)});
  CHECK(decode(VK_FORMAT_R8G8_SNORM, {0x81, 0x80}) == TexelValue{f(-1), f(-1), 0, f(1)});
  CHECK(decode(VK_FORMAT_R16_UNORM, {0x33, 0x33}) == TexelValue{f(0.2f), 0, 0, f(1)});
  CHECK(encode(VK_FORMAT_R8G8B8A8_UNORM, {f(-3), f(0.5f), f(7), f(NAN)}) == Bytes{0, 128, 255, 0});
  CHECK(encode(VK_FORMAT_R8G8_SNORM, {f(-1), f(0.5f), 0, 0}) == Bytes{0x81, 64});
  CHECK(encode(VK_FORMAT_R16_SNORM, {f(-2), 0, 0, 0}) == Bytes{0x01, 0x80});
}

TEST_CASE("Packed layouts name components from the high bits down") {
  // 0xc0000005: a = 3, b = 0, g = 0, r = 5, or with r and b swapped
  CHECK(decode(VK_FORMAT_A2B10G10R10_UINT_PACK32, {5, 0, 0, 0xc0}) == TexelValue{5, 0, 0, 3});
  CHECK(decode(VK_FORMAT_A2R10G10B10_UINT_PACK32, {5, 0, 0, 0xc0}) == TexelValue{0, 0, 5, 3});
  // r = -512 of 511, a = -2 of 1: both below -1
  CHECK(decode(VK_FORMAT_A2B10G10R10_SNORM_PACK32, {0, 2, 0, 0x80}) == TexelValue{f(-1), 0, 0, f(-1)});
  CHECK(encode(VK_FORMAT_A2B10G10R10_UNORM_PACK32, {f(1), 0, 0, f(1)}) == Bytes{0xff, 0x03, 0, 0xc0});
  CHECK(encode(VK_FORMAT_A2B10G10R10_SINT_PACK32, {600, uint32_t(-600), 1, uint32_t(-9)}) ==
        Bytes{0xff, 0x01, 0x18, 0x80}); // 511, -512, 1, -2: 0x1ff | 0x200 << 10 | 1 << 20 | 2 << 30
  // 0xf801: r = 31, g = 0, b = 1
  CHECK(decode(VK_FORMAT_R5G6B5_UNORM_PACK16, {0x01, 0xf8}) == TexelValue{f(1), 0, f(1 / 31.0f), f(1)});
  CHECK(decode(VK_FORMAT_B5G6R5_UNORM_PACK16, {0x01, 0xf8}) == TexelValue{f(1 / 31.0f), 0, f(1), f(1)});
  CHECK(encode(VK_FORMAT_R5G6B5_UNORM_PACK16, {0, f(1), 0, 0}) == Bytes{0xe0, 0x07});
  // 0x8421: one bit in each nibble
  CHECK(decode(VK_FORMAT_R4G4B4A4_UNORM_PACK16, {0x21, 0x84}) ==
        TexelValue{f(8 / 15.0f), f(4 / 15.0f), f(2 / 15.0f), f(1 / 15.0f)});
  CHECK(decode(VK_FORMAT_A4R4G4B4_UNORM_PACK16, {0x21, 0x84}) ==
        TexelValue{f(4 / 15.0f), f(2 / 15.0f), f(1 / 15.0f), f(8 / 15.0f)});
  CHECK(decode(VK_FORMAT_A4B4G4R4_UNORM_PACK16, {0x21, 0x84}) ==
        TexelValue{f(1 / 15.0f), f(2 / 15.0f), f(4 / 15.0f), f(8 / 15.0f)});
  CHECK(decode(VK_FORMAT_B4G4R4A4_UNORM_PACK16, {0x21, 0x84}) ==
        TexelValue{f(2 / 15.0f), f(4 / 15.0f), f(8 / 15.0f), f(1 / 15.0f)});
  // 0x8001
  CHECK(decode(VK_FORMAT_A1R5G5B5_UNORM_PACK16, {0x01, 0x80}) == TexelValue{0, 0, f(1 / 31.0f), f(1)});
  CHECK(decode(VK_FORMAT_R5G5B5A1_UNORM_PACK16, {0x01, 0x80}) == TexelValue{f(16 / 31.0f), 0, 0, f(1)});
  CHECK(decode(VK_FORMAT_B5G5R5A1_UNORM_PACK16, {0x01, 0x80}) == TexelValue{0, 0, f(16 / 31.0f), f(1)});
  CHECK(decode(VK_FORMAT_R4G4_UNORM_PACK8, {0x1f}) == TexelValue{f(1 / 15.0f), f(1), 0, f(1)});
  CHECK(decode(VK_FORMAT_A8B8G8R8_UINT_PACK32, {1, 2, 3, 4}) == TexelValue{1, 2, 3, 4});
}

TEST_CASE("Integers are clamped to what fits and sign-extended from it") {
  CHECK(encode(VK_FORMAT_R8G8B8A8_UINT, {256, 255, 7, 0xffffffff}) == Bytes{255, 255, 7, 255});
  CHECK(encode(VK_FORMAT_R8G8B8A8_SINT, {128, uint32_t(-129), uint32_t(-1), 127}) == Bytes{127, 0x80, 0xff, 127});
  CHECK(decode(VK_FORMAT_R16G16_SINT, {0xff, 0xff, 0xff, 0x7f}) == TexelValue{~0u, 0x7fff, 0, 1});
  CHECK(decode(VK_FORMAT_R32G32_UINT, {1, 2, 3, 4, 0xff, 0xff, 0xff, 0xff}) ==
        TexelValue{0x04030201, 0xffffffff, 0, 1});
  CHECK(encode(VK_FORMAT_R32_SINT, {0x80000000, 0, 0, 0}) == Bytes{0, 0, 0, 0x80});
}

TEST_CASE("Scaled components are numbers") {
  CHECK(decode(VK_FORMAT_R8G8_SSCALED, {0xfe, 100}) == TexelValue{f(-2), f(100), 0, f(1)});
  CHECK(decode(VK_FORMAT_R16_USCALED, {0xff, 0xff}) == TexelValue{f(65535), 0, 0, f(1)});
  CHECK(encode(VK_FORMAT_R8G8_SSCALED, {f(-200), f(2.9f), 0, 0}) == Bytes{0x80, 2});
}

TEST_CASE("Floats of 16 bits") {
  // 1, -2, the smallest denormal, infinity
  CHECK(decode(VK_FORMAT_R16G16B16A16_SFLOAT, {0, 0x3c, 0, 0xc0, 1, 0, 0, 0x7c}) ==
        TexelValue{f(1), f(-2), f(std::ldexp(1.0f, -24)), f(INFINITY)});
  // Toward zero: 1.9999 stays below 2, 1e6 becomes 65504, half of the smallest denormal becomes 0.
  CHECK(encode(VK_FORMAT_R16G16B16A16_SFLOAT, {f(1.9999f), f(-1e6f), f(std::ldexp(1.0f, -25)), f(-INFINITY)}) ==
        Bytes{0xff, 0x3f, 0xff, 0xfb, 0, 0, 0, 0xfc});
  // 1.5 * 2^-15 is a denormal of 0x300 * 2^-24.
  CHECK(encode(VK_FORMAT_R16_SFLOAT, {f(std::ldexp(1.5f, -15)), 0, 0, 0}) == Bytes{0x00, 0x03});
  CHECK(std::isnan(
      std::bit_cast<float>(decode(VK_FORMAT_R16_SFLOAT, encode(VK_FORMAT_R16_SFLOAT, {f(NAN), 0, 0, 0}))[0])));
}

TEST_CASE("Unsigned floats of 11 and 10 bits") {
  // r = 1.0: exponent 15 of 5 bits, mantissa of 6: 0x3c0; g = 1.5: 0x3e0 << 11; b = 2: (16 << 5) << 22
  uint32_t word = 0x3c0 | 0x3e0 << 11 | 0x200u << 22;
  Bytes bytes = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
  CHECK(decode(VK_FORMAT_B10G11R11_UFLOAT_PACK32, bytes) == TexelValue{f(1), f(1.5f), f(2), f(1)});
  CHECK(encode(VK_FORMAT_B10G11R11_UFLOAT_PACK32, {f(1), f(1.5f), f(2), 0}) == bytes);
  // Negative values become 0, too large ones the largest: 0x7bf and 0x3df.
  CHECK(encode(VK_FORMAT_B10G11R11_UFLOAT_PACK32, {f(-1), f(1e9f), f(1e9f), 0}) ==
        Bytes{0x00, 0xf8, 0xfd, 0xf7}); // 0x7bf << 11 | 0x3df << 22 = 0xf7fdf800
}

TEST_CASE("A shared exponent") {
  // exponent 16 (so 2^(16-24) = 1/256), r = 256, g = 128, b = 511
  uint32_t word = 16u << 27 | 511u << 18 | 128 << 9 | 256;
  Bytes bytes = {uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)};
  CHECK(decode(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, bytes) == TexelValue{f(1), f(0.5f), f(511 / 256.0f), f(1)});
  CHECK(encode(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {f(1), f(0.5f), f(511 / 256.0f), 0}) == bytes);
  // 1.9999 would need a mantissa of 512, so the exponent goes up: 17, 256, and 1 becomes 128.
  word = 17u << 27 | 128 << 9 | 256;
  CHECK(encode(VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, {f(1.9999f), f(1), f(-5), 0}) ==
        Bytes{uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16), uint8_t(word >> 24)});
}

TEST_CASE("sRGB has a linear alpha") {
  TexelValue value = decode(VK_FORMAT_R8G8B8A8_SRGB, {10, 255, 188, 51});
  // 10 is on the straight part: 10 / 255 / 12.92. 188 is near to one half.
  CHECK(std::bit_cast<float>(value[0]) == doctest::Approx(10 / 255.0 / 12.92));
  CHECK(value[1] == f(1));
  CHECK(std::bit_cast<float>(value[2]) == doctest::Approx(0.5028865));
  CHECK(value[3] == f(0.2f));
  CHECK(encode(VK_FORMAT_B8G8R8A8_SRGB, {f(0.5f), 0, f(1), f(0.2f)}) == Bytes{255, 0, 188, 51});
}

TEST_CASE("Depth and stencil have one component") {
  CHECK(decode(VK_FORMAT_D16_UNORM, {0xff, 0xff}) == TexelValue{f(1), 0, 0, f(1)});
  CHECK(encode(VK_FORMAT_D16_UNORM, {f(0.5f), 0, 0, 0}) == Bytes{0x00, 0x80});
  // The upper byte of X8 has no meaning.
  CHECK(decode(VK_FORMAT_X8_D24_UNORM_PACK32, {0xff, 0xff, 0xff, 0x12})[0] == f(1));
  CHECK(encode(VK_FORMAT_X8_D24_UNORM_PACK32, {f(1), 0, 0, 0}, 0xf, 0x12) == Bytes{0xff, 0xff, 0xff, 0x12});
  CHECK(encode(VK_FORMAT_D32_SFLOAT, {f(0.25f), 0, 0, 0}) == Bytes{0, 0, 0x80, 0x3e});
  CHECK(decode(VK_FORMAT_S8_UINT, {200}) == TexelValue{200, 0, 0, 1});
}

TEST_CASE("Masked components keep their bits") {
  CHECK(encode(VK_FORMAT_R8G8B8A8_UINT, {1, 2, 3, 4}, 0b0101, 0xaa) == Bytes{1, 0xaa, 3, 0xaa});
  CHECK(encode(VK_FORMAT_R5G6B5_UNORM_PACK16, {0, 0, 0, 0}, 0b010, 0xff) == Bytes{0x1f, 0xf8});
  CHECK(encode(VK_FORMAT_R5G6B5_UNORM_PACK16, {0, 0, 0, 0}, 0, 0xff) == Bytes{0xff, 0xff});
}

TEST_CASE("What has no layout is an Error that names the format") {
  for (VkFormat format :
       {VK_FORMAT_R64_SFLOAT, VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_UNDEFINED}) {
    Result<TexelLayout> layout = texelLayout(format);
    REQUIRE(!layout);
    CHECK((layout.error().code == ErrorCode::Unsupported));
    CHECK(layout.error().text.find(formatName(format)) != std::string::npos);
  }
}

// Every bit pattern of a component must come back if its value has only one pattern (no NaN, no second -1, no shared
// exponent).
TEST_CASE("Every format comes back from decoding and encoding") {
  size_t formats = 0;
  for (const FormatInfo &info : allFormats()) {
    Result<TexelLayout> layout = texelLayout(info.format);
    if (!layout)
      continue;
    ++formats;
    uint64_t random = 0x9e3779b97f4a7c15 * uint64_t(info.format);
    for (unsigned repeat = 0; repeat != 500; ++repeat) {
      Bytes bytes(layout->bytes), again(layout->bytes, 0x5a);
      for (uint8_t &byte : bytes) {
        random = random * 6364136223846793005 + 1442695040888963407;
        byte = uint8_t(random >> 56);
      }
      TexelValue value = decodeTexel(*layout, bytes.data());
      encodeTexel(*layout, value, again.data());
      // If two patterns have one meaning, encoding has chosen one of them, which must have that meaning.
      TexelValue valueAgain = decodeTexel(*layout, again.data());
      CHECK_MESSAGE(value == valueAgain, formatName(info.format));
      bool isUnique = layout->numeric != TexelNumeric::Snorm && layout->numeric != TexelNumeric::Float &&
                      layout->numeric != TexelNumeric::Ufloat && layout->numeric != TexelNumeric::SharedExponent;
      if (isUnique)
        CHECK_MESSAGE(bytes == again, formatName(info.format));
    }
  }
  CHECK(formats >= 100);
}

TEST_CASE("A decoder of many texels gives what single texels are") {
  for (const FormatInfo &info : allFormats()) {
    Result<TexelLayout> layout = texelLayout(info.format);
    if (!layout)
      continue;
    const TexelDecoder decode(*layout);
    uint64_t random = 0x9e3779b97f4a7c15 * uint64_t(info.format);
    for (unsigned repeat = 0; repeat != 500; ++repeat) {
      Bytes bytes(layout->bytes);
      for (uint8_t &byte : bytes) {
        random = random * 6364136223846793005 + 1442695040888963407;
        byte = uint8_t(random >> 56);
      }
      CHECK_MESSAGE(decode(bytes.data()) == decodeTexel(*layout, bytes.data()), formatName(info.format));
    }
  }
}

TEST_CASE("A decoder of halves knows denormals, infinities and NaNs") {
  const TexelLayout layout = texelLayout(VK_FORMAT_R16_SFLOAT).value();
  const TexelDecoder decode(layout);
  for (uint32_t half = 0; half != 0x10000; ++half) {
    const Bytes bytes = {uint8_t(half), uint8_t(half >> 8)};
    CHECK(decode(bytes.data()) == decodeTexel(layout, bytes.data()));
  }
}

} // namespace
