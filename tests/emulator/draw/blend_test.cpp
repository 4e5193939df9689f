// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/draw/output/blend.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

constexpr ColorValue Source = {0.5f, 0.25f, 1, 0.75f}, Second = {0.125f, 0.5f, 0.25f, 0.625f};
constexpr ColorValue Destination = {0.25f, 1, 0.5f, 0.5f}, Constants = {1, 0.5f, 0.25f, 0.375f};

ColorTarget withFactors(VkBlendFactor source, VkBlendFactor destination, VkBlendOp op = VK_BLEND_OP_ADD) {
  ColorTarget target;
  target.blendEnable = true;
  target.srcColorBlendFactor = target.srcAlphaBlendFactor = source;
  target.dstColorBlendFactor = target.dstAlphaBlendFactor = destination;
  target.colorBlendOp = target.alphaBlendOp = op;
  return target;
}

TexelLayout layoutOf(VkFormat format) {
  Result<TexelLayout> layout = texelLayout(format);
  REQUIRE(layout);
  return *layout;
}

ColorValue run(const ColorTarget &target) {
  return blend(target, layoutOf(VK_FORMAT_R32G32B32A32_SFLOAT), Source, Second, Destination, Constants);
}

} // namespace

TEST_CASE("each factor weighs the source") {
  const struct {
    VkBlendFactor factor;
    ColorValue expected; // source * factor, by hand
  } rows[] = {
      {VK_BLEND_FACTOR_ZERO, {0, 0, 0, 0}},
      {VK_BLEND_FACTOR_ONE, {0.5f, 0.25f, 1, 0.75f}},
      {VK_BLEND_FACTOR_SRC_COLOR, {0.25f, 0.0625f, 1, 0.5625f}},
      {VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, {0.25f, 0.1875f, 0, 0.1875f}},
      {VK_BLEND_FACTOR_DST_COLOR, {0.125f, 0.25f, 0.5f, 0.375f}},
      {VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR, {0.375f, 0, 0.5f, 0.375f}},
      {VK_BLEND_FACTOR_SRC_ALPHA, {0.375f, 0.1875f, 0.75f, 0.5625f}},
      {VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, {0.125f, 0.0625f, 0.25f, 0.1875f}},
      {VK_BLEND_FACTOR_DST_ALPHA, {0.25f, 0.125f, 0.5f, 0.375f}},
      {VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA, {0.25f, 0.125f, 0.5f, 0.375f}},
      {VK_BLEND_FACTOR_CONSTANT_COLOR, {0.5f, 0.125f, 0.25f, 0.28125f}},
      {VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR, {0, 0.125f, 0.75f, 0.46875f}},
      {VK_BLEND_FACTOR_CONSTANT_ALPHA, {0.1875f, 0.09375f, 0.375f, 0.28125f}},
      {VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA, {0.3125f, 0.15625f, 0.625f, 0.46875f}},
      {VK_BLEND_FACTOR_SRC_ALPHA_SATURATE, {0.25f, 0.125f, 0.5f, 0.75f}},
      {VK_BLEND_FACTOR_SRC1_COLOR, {0.0625f, 0.125f, 0.25f, 0.46875f}},
      {VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR, {0.4375f, 0.125f, 0.75f, 0.28125f}},
      {VK_BLEND_FACTOR_SRC1_ALPHA, {0.3125f, 0.15625f, 0.625f, 0.46875f}},
      {VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA, {0.1875f, 0.09375f, 0.375f, 0.28125f}},
  };
  for (const auto &row : rows) {
    CAPTURE(int(row.factor));
    CHECK(run(withFactors(row.factor, VK_BLEND_FACTOR_ZERO)) == row.expected);
  }
}

TEST_CASE("a factor weighs the destination") {
  CHECK(run(withFactors(VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_SRC_ALPHA)) ==
        ColorValue{0.1875f, 0.75f, 0.375f, 0.375f});
}

TEST_CASE("each operation") {
  const struct {
    VkBlendOp op;
    ColorValue expected;
  } rows[] = {
      {VK_BLEND_OP_ADD, {0.75f, 1.25f, 1.5f, 1.25f}},
      {VK_BLEND_OP_SUBTRACT, {0.25f, -0.75f, 0.5f, 0.25f}},
      {VK_BLEND_OP_REVERSE_SUBTRACT, {-0.25f, 0.75f, -0.5f, -0.25f}},
      {VK_BLEND_OP_MIN, {0.25f, 0.25f, 0.5f, 0.5f}},
      {VK_BLEND_OP_MAX, {0.5f, 1, 1, 0.75f}},
  };
  for (const auto &row : rows) {
    CAPTURE(int(row.op));
    CHECK(run(withFactors(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, row.op)) == row.expected);
  }
}

TEST_CASE("minimum and maximum ignore the factors") {
  CHECK(run(withFactors(VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_MAX)) == ColorValue{0.5f, 1, 1, 0.75f});
}

TEST_CASE("colour and alpha have equations of their own") {
  ColorTarget target = withFactors(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO);
  target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
  target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  target.alphaBlendOp = VK_BLEND_OP_SUBTRACT;
  CHECK(run(target) == ColorValue{0.5f, 0.25f, 1, -0.5f});
}

TEST_CASE("inputs are clamped to what a normalised target holds") {
  const ColorTarget add = withFactors(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO);
  const ColorValue wide = {3, -3, -0.5f, 0.6f};
  CHECK(blend(add, layoutOf(VK_FORMAT_R8G8B8A8_UNORM), wide, {}, {}, {}) == ColorValue{1, 0, 0, 0.6f});
  CHECK(blend(add, layoutOf(VK_FORMAT_R8G8B8A8_SNORM), wide, {}, {}, {}) == ColorValue{1, -1, -0.5f, 0.6f});
  CHECK(blend(add, layoutOf(VK_FORMAT_R32G32B32A32_SFLOAT), wide, {}, {}, {}) == wide);
}

TEST_CASE("normalised targets are blended in their steps") {
  // 0.3 and 0.7 are 76.5 and 178.5 of 255 steps, rounded to even; 76 * 178 / 255 = 53.05, 178 * 178 / 255 = 124.25.
  const ColorTarget target = withFactors(VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE);
  const ColorValue source = {0.3f, 0.3f, 0.3f, 0.7f}, destination = {0, 10 / 255.0f, 1, 0};
  CHECK(blend(target, layoutOf(VK_FORMAT_R8G8B8A8_UNORM), source, {}, destination, {}) ==
        ColorValue{53 / 255.0f, 63 / 255.0f, 1, 124 / 255.0f});
  // 19660.5 and 45874.5 of 65535: 19660 * 45874 / 65535 = 13762.06.
  CHECK(blend(target, layoutOf(VK_FORMAT_R16_UNORM), source, {}, {}, {})[0] == 13762 / 65535.0f);
}

TEST_CASE("what a component of 5, 6 or 10 bits has no room for is cut off after blending") {
  const ColorTarget target = withFactors(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE);
  // 0.5 is 128 of 255; 3 of 31 and 5 of 63 become 24 and 20 of 255; 152 and 148 without the last 3 and 2 bits.
  CHECK(blend(target, layoutOf(VK_FORMAT_R5G6B5_UNORM_PACK16), {0.5f, 0.5f, 0, 1}, {}, {3 / 31.0f, 5 / 63.0f, 1, 1},
              {}) == ColorValue{19 / 31.0f, 37 / 63.0f, 1, 0});
  // 0.3 is 19660 of 65535, and 100 of 1023 become 6406; 26066 without the last 6 bits. Alpha is rounded: 1/3 + 0.3.
  const ColorValue sum = blend(target, layoutOf(VK_FORMAT_A2B10G10R10_UNORM_PACK32), {0.3f, 0, 0, 0.3f}, {},
                               {100 / 1023.0f, 0, 0, 1 / 3.0f}, {});
  CHECK(sum == ColorValue{407 / 1023.0f, 0, 0, 2 / 3.0f});
}
