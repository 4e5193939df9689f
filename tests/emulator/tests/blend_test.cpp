// SPDX-License-Identifier: MIT
#include "tests/emulator/draw/blend.h"
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

ColorValue run(const ColorTarget &target, TexelNumeric numeric = TexelNumeric::Float) {
  return blend(target, numeric, Source, Second, Destination, Constants);
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
  const ColorValue wide = {3, -3, -0.5f, 0.5f};
  CHECK(blend(add, TexelNumeric::Unorm, wide, {}, {}, {}) == ColorValue{1, 0, 0, 0.5f});
  CHECK(blend(add, TexelNumeric::Snorm, wide, {}, {}, {}) == ColorValue{1, -1, -0.5f, 0.5f});
  CHECK(blend(add, TexelNumeric::Float, wide, {}, {}, {}) == wide);
}
