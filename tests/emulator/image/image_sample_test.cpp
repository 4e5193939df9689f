// SPDX-License-Identifier: MIT
//
// image_sample: filters, wrap modes, borders, offsets, comparison, arrays, depth, operand order.
#include "tests/emulator/image/image_run.h"
#include "tools/proof/emulator/image/texel_footprint.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr const char *Sample = "image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1";

float sampleAt(const SceneImage &image, const SceneSampler &sampler, float s, float t = 0.5f) {
  ImageRun run(image, sampler);
  run.addresses({s, t});
  float value = run.result(Sample);
  INFO(run.trapText());
  CHECK(!run.trap());
  return value;
}

struct Wrapped {
  VkSamplerAddressMode mode;
  float s;
  float nearest, linear;
};

// 0.25 f for each texel f.
SceneImage depthImage() {
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_2D, 4, 1, 1, 1,
                                [](uint32_t, uint32_t, uint32_t, uint32_t x) { return 0.25f * float(x); });
  image.format = VK_FORMAT_D32_SFLOAT;
  return image;
}

SceneSampler compareSampler(VkCompareOp op, VkFilter filter = VK_FILTER_NEAREST) {
  SceneSampler sampler = filter == VK_FILTER_NEAREST ? nearestSampler() : linearSampler();
  sampler.compareEnable = true;
  sampler.compareOp = op;
  return sampler;
}

} // namespace

TEST_CASE("the nearest texel is the one whose square the coordinates hit") {
  SceneImage image = rampImage(4, 2);
  CHECK(sampleAt(image, nearestSampler(), 0.24f, 0.49f) == 0);
  CHECK(sampleAt(image, nearestSampler(), 0.26f, 0.49f) == 1);
  CHECK(sampleAt(image, nearestSampler(), 0.99f, 0.51f) == 7);
}

TEST_CASE("the linear filter weighs by the distance to texel centres") {
  SceneImage image = rampImage(4, 2);
  CHECK(sampleAt(image, linearSampler(), 1.5f / 4, 0.25f) == 1);
  CHECK(sampleAt(image, linearSampler(), 2.25f / 4, 0.25f) == 1.75f);
  CHECK(sampleAt(image, linearSampler(), 2.25f / 4, 0.5f) == 3.75f); // half a row of 4 down
}

TEST_CASE("wrap modes") {
  SceneImage image = rampImage(4);
  for (const Wrapped &each : std::initializer_list<Wrapped>{
           {VK_SAMPLER_ADDRESS_MODE_REPEAT, 1.375f, 1, 1},
           {VK_SAMPLER_ADDRESS_MODE_REPEAT, -0.125f, 3, 3},
           {VK_SAMPLER_ADDRESS_MODE_REPEAT, 1.0f, 0, 1.5f}, // between texels 3 and 0
           {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, 1.5f, 3, 3},
           {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, -7, 0, 0},
           {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, 1.125f, 3, 3},
           {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, 1.625f, 1, 1},
           {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, -0.375f, 1, 1},
           {VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, 2.375f, 1, 1},
           {VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, -0.375f, 1, 1},
           {VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, 1.125f, 3, 3},
           {VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE, -1.375f, 3, 3},
           {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, 1.125f, 1, 1}, // the white border
           {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, 1.0f, 1, 2},   // between 3 and the border
           {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, -0.03125f, 1, 0.625f},
       }) {
    CAPTURE(each.mode);
    CAPTURE(each.s);
    for (bool isLinear : {false, true}) {
      SceneSampler sampler = isLinear ? linearSampler(each.mode) : nearestSampler(each.mode);
      sampler.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
      sampler.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
      CHECK(sampleAt(image, sampler, each.s) == (isLinear ? each.linear : each.nearest));
    }
  }
}

TEST_CASE("widths that are no powers of two wrap alike") {
  SceneImage image = rampImage(3);
  CHECK(sampleAt(image, nearestSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT), 1.5f) == 1);
  CHECK(sampleAt(image, nearestSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT), -0.1f) == 2);
  CHECK(sampleAt(image, linearSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT), 2) == 1); // between 2 and 0
  CHECK(sampleAt(image, linearSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT), 0.5f) == 1);
}

TEST_CASE("the modes with half a border clamp to the edge of the image, and filter with the border there") {
  ImageRun run(rampImage(4), linearSampler());
  run.addresses({2, 0.5f});
  for (uint32_t wrap : {4u, 5u}) { // CLAMP_HALF_BORDER, MIRROR_ONCE_HALF_BORDER
    run.setup.sgprs[8] = wrap | 2 << 3;
    CHECK(run.result(Sample) == 1.5f); // half of texel 3, half of transparent black
  }
  run.addresses({-2, 0.5f});
  run.setup.sgprs[8] = 7 | 2 << 3; // MIRROR_ONCE_BORDER
  CHECK(run.result(Sample) == 0);
  run.addresses({-0.375f, 0.5f});
  CHECK(run.result(Sample) == 1);
}

TEST_CASE("border colours, and the alpha that a format does not have") {
  SceneImage image;
  image.bytes = {9, 9, 9, 9};
  SceneSampler sampler = nearestSampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  sampler.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_A8B8G8R8_UNORM_PACK32}) {
    image.format = format;
    ImageRun run(image, sampler);
    run.addresses({2, 0.5f});
    run.run("image_sample_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0xf\ns_waitcnt vmcnt(0)");
    CHECK(run.vgprFloat(16, 0) == 0);
    CHECK(run.vgprFloat(18, 0) == 0);
    CHECK(run.vgprFloat(19, 0) == 1);
  }
  image.format = VK_FORMAT_R8_UNORM;
  image.bytes = {255};
  sampler.borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  ImageRun run(image, sampler);
  run.addresses({2, 0.5f});
  run.run("image_sample_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0xf\ns_waitcnt vmcnt(0)");
  CHECK(run.vgprFloat(16, 0) == 0);
  CHECK(run.vgprFloat(19, 0) == 1);
}

TEST_CASE("alpha in the lowest bits has the border's alpha") {
  SceneImage image;
  image.format = VK_FORMAT_R5G5B5A1_UNORM_PACK16;
  image.bytes = {0, 0};
  SceneSampler sampler = nearestSampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  sampler.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
  ImageRun run(image, sampler);
  run.addresses({2, 0.5f});
  run.run("image_sample_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0xf\ns_waitcnt vmcnt(0)");
  CHECK(run.vgprFloat(16, 0) == 0);
  CHECK(run.vgprFloat(19, 0) == 1);
}

TEST_CASE("integers are not filtered, and their border is an integer") {
  SceneImage image;
  image.format = VK_FORMAT_R8G8B8A8_UINT;
  image.width = 2;
  image.bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  SceneSampler sampler = linearSampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
  sampler.borderColor = VK_BORDER_COLOR_INT_OPAQUE_WHITE;
  ImageRun run(image, sampler);
  run.addresses({0.45f, 0.5f});
  CHECK(run.bits(Sample) == 1);
  run.addresses({1.45f, 0.5f});
  CHECK(run.bits(Sample) == 1);
  run.addresses({0.75f, 0.5f});
  CHECK(run.bits("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x8") == 8);
}

TEST_CASE("sRGB texels are made linear before they are filtered") {
  SceneImage image;
  image.format = VK_FORMAT_R8G8B8A8_SRGB;
  image.width = 2;
  image.bytes = {0, 0, 0, 0, 255, 255, 255, 255};
  CHECK(sampleAt(image, linearSampler(), 0.5f) == 0.5f);
  image.bytes[0] = 188; // 0.5029 linear
  CHECK(sampleAt(image, nearestSampler(), 0.25f) == doctest::Approx(0.50289f).epsilon(1e-4));
}

TEST_CASE("unnormalised coordinates count texels") {
  SceneSampler sampler = nearestSampler();
  sampler.unnormalizedCoordinates = true;
  CHECK(sampleAt(rampImage(4), sampler, 2.5f) == 2);
  ImageRun run(rampImage(4), linearSampler()); // UNORM of the instruction does the same
  run.addresses({2.25f, 0.5f});
  CHECK(run.result("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1 unorm") == 1.75f);
}

TEST_CASE("offsets are six bits with a sign for each coordinate") {
  for (VkFilter filter : {VK_FILTER_NEAREST, VK_FILTER_LINEAR}) {
    SceneSampler sampler = filter == VK_FILTER_NEAREST ? nearestSampler() : linearSampler();
    ImageRun run(rampImage(4, 4), sampler);
    run.addresses({0, 1.5f / 4, 1.5f / 4});
    run.setup.vgprs[0] = allLanes(0x013fu); // -1, +1
    CHECK(run.result("image_sample_lz_o v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 8);
    run.setup.vgprs[0] = allLanes(0x3f02u); // +2, -1
    CHECK(run.result("image_sample_lz_o v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 3);
  }
  ImageRun run(rampImage(4), nearestSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT));
  run.addresses({0, 0.125f, 0.5f});
  run.setup.vgprs[0] = allLanes(0x3fu);
  CHECK(run.result("image_sample_lz_o v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 3);
}

TEST_CASE("every function compares the reference value with the texel, in this order") {
  struct Case {
    VkCompareOp op;
    float below, equal, above; // the reference value
  };
  for (const Case &each : {Case{VK_COMPARE_OP_NEVER, 0, 0, 0}, Case{VK_COMPARE_OP_LESS, 1, 0, 0},
                           Case{VK_COMPARE_OP_EQUAL, 0, 1, 0}, Case{VK_COMPARE_OP_LESS_OR_EQUAL, 1, 1, 0},
                           Case{VK_COMPARE_OP_GREATER, 0, 0, 1}, Case{VK_COMPARE_OP_NOT_EQUAL, 1, 0, 1},
                           Case{VK_COMPARE_OP_GREATER_OR_EQUAL, 0, 1, 1}, Case{VK_COMPARE_OP_ALWAYS, 1, 1, 1}}) {
    CAPTURE(each.op);
    ImageRun run(depthImage(), compareSampler(each.op));
    std::array<float, 3> expected = {each.below, each.equal, each.above};
    for (unsigned i = 0; i < 3; ++i) {
      run.addresses({0.25f * float(i), 0.375f, 0.5f}); // texel 1 is 0.25
      CHECK(run.result("image_sample_c_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == expected[i]);
    }
  }
}

TEST_CASE("the results of comparisons are filtered, not the texels") {
  ImageRun run(depthImage(), compareSampler(VK_COMPARE_OP_LESS, VK_FILTER_LINEAR));
  run.addresses({0.3f, 1.75f / 4, 0.5f}); // 3/4 texel 1, 1/4 texel 2; only 0.5 is above 0.3
  CHECK(run.result("image_sample_c_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 0.25f);
}

TEST_CASE("reference values are clamped for normalised depth and not for floating-point depth") {
  SceneImage image;
  image.format = VK_FORMAT_D16_UNORM;
  image.bytes = {0xff, 0xff};
  ImageRun normalised(image, compareSampler(VK_COMPARE_OP_EQUAL));
  normalised.addresses({1.5f, 0.5f, 0.5f});
  CHECK(normalised.result("image_sample_c_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 1);
  SceneImage floating = rampImage(2); // 0, 1
  floating.format = VK_FORMAT_D32_SFLOAT;
  ImageRun run(floating, compareSampler(VK_COMPARE_OP_EQUAL));
  run.addresses({1.5f, 0.75f, 0.5f});
  CHECK(run.result("image_sample_c_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 0);
}

TEST_CASE("layers are rounded to the nearest, halves to even, and clamped") {
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 2, 2, 4, 1,
                                [](uint32_t, uint32_t slice, uint32_t, uint32_t) { return float(slice); });
  ImageRun run(image, nearestSampler());
  for (auto [layer, expected] : std::initializer_list<std::pair<float, float>>{
           {0, 0}, {0.5f, 0}, {0.6f, 1}, {1.5f, 2}, {2.5f, 2}, {-3, 0}, {17, 3}}) {
    CAPTURE(layer);
    run.addresses({0.5f, 0.5f, layer});
    CHECK(run.result("image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da") == expected);
  }
  CHECK(run.result(Sample) == 0); // without DA there is no layer
}

TEST_CASE("a view of one layer can be addressed as an array") {
  ImageRun run(rampImage(2, 2), nearestSampler());
  run.addresses({0.75f, 0.75f, 5});
  CHECK(run.result("image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da") == 3);
}

TEST_CASE("3D images are filtered between slices, too") {
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_3D, 2, 2, 4, 1, [](uint32_t, uint32_t z, uint32_t y, uint32_t x) {
    return float(x + 10 * y + 100 * z);
  });
  ImageRun linear(image, linearSampler());
  linear.addresses({0.5f, 0.5f, 1.75f / 4});
  CHECK(linear.result("image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 130.5f);
  ImageRun nearest(image, nearestSampler());
  nearest.addresses({0.9f, 0.1f, 0.74f});
  CHECK(nearest.result("image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 201);
  linear.setup.sgprs[10] = *linear.setup.sgprs[10] | 1 << 24; // Z_FILTER: point
  CHECK(linear.result("image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 105.5f);
}

TEST_CASE("the operands come as offset, bias, reference value, coordinates, clamp") {
  SceneImage image =
      floatImage(VK_IMAGE_VIEW_TYPE_2D, 4, 4, 1, 3, [](uint32_t level, uint32_t, uint32_t y, uint32_t x) {
        return level == 1 && y == 0 && x == 1 ? 0.5f : 2.0f;
      });
  ImageRun run(image, compareSampler(VK_COMPARE_OP_GREATER));
  // No derivatives: the bias alone makes the level, and without it the clamp does.
  run.addresses({0, 0, 1, 0.25f, 0.25f, 1});
  run.setup.vgprs[0] = allLanes(1u); // one texel to the right
  CHECK(run.result("image_sample_c_b_cl_o v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 1);
  run.setup.vgprs[0] = allLanes(0u);
  CHECK(run.result("image_sample_c_b_cl_o v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 0);
  run.addresses({0, 100, 1, 0.75f, 0.25f, 0}); // the bias leads to level 2
  run.setup.vgprs[0] = allLanes(0u);
  CHECK(run.result("image_sample_c_b_cl_o v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 0);
}

TEST_CASE("gradients come before coordinates: of x, then of y") {
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_2D, 8, 2, 1, 4,
                                [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); });
  SceneSampler sampler = nearestSampler();
  ImageRun run(image, sampler);
  run.addresses({0.25f, 0, 0, 0, 0.5f, 0.5f}); // ds/dx of two texels
  CHECK(run.result("image_sample_d v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 1);
  run.addresses({0, 0.25f, 0, 0, 0.5f, 0.5f}); // dt/dx of half a texel
  CHECK(run.result("image_sample_d v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 0);
  run.addresses({0, 0, 0.5f, 0, 0.5f, 0.5f}); // ds/dy of four texels
  CHECK(run.result("image_sample_cd v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 2);
  run.addresses({0, 0, 0, 4, 0.5f, 0.5f}); // dt/dy of eight texels
  CHECK(run.result("image_sample_d v16, v[0:5], s[0:7], s[8:11] dmask:0x1") == 3);
}

TEST_CASE("A16 packs gradients by direction and the level with the coordinates") {
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_2D, 8, 8, 1, 4,
                                [](uint32_t level, uint32_t, uint32_t, uint32_t x) { return float(10 * level + x); });
  ImageRun run(image, nearestSampler());
  run.integers({0x34000000, 0, 0x38003a00}); // dt/dx 0.25; s 0.75, t 0.5
  CHECK(run.result("image_sample_d v16, v[0:2], s[0:7], s[8:11] dmask:0x1 a16") == 13);
  run.integers({0x38003a00, 0x4000}); // level 2
  CHECK(run.result("image_sample_l v16, v[0:1], s[0:7], s[8:11] dmask:0x1 a16") == 21);
}

TEST_CASE("D16 gives halves, two to a register") {
  SceneImage image;
  image.bytes = {255, 0, 51, 255};
  ImageRun run(image, nearestSampler());
  run.addresses({0.5f, 0.5f});
  run.run("image_sample_lz v[16:17], v[0:1], s[0:7], s[8:11] dmask:0xd d16\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.vgpr(16, 0) == 0x32663c00); // 1, and 51 / 255 = 2^-3 * (1 + 614.4 / 1024)
  CHECK(run.vgpr(17, 0) == 0x3c00);
}

// Nobody knows which of the two halves around a value the hardware takes.
TEST_CASE("D16 rounds some values to the nearest half and others toward zero, and keeps halves") {
  unsigned up = 0, down = 0;
  for (uint32_t i = 0; i != 64; ++i) {
    const float half = 1 + float(i) / 1024, between = half + 0.75f / 1024;
    for (float value : {half, between}) {
      ImageRun run(floatImage(VK_IMAGE_VIEW_TYPE_2D, 1, 1, 1, 1, [&](auto...) { return value; }), nearestSampler());
      run.addresses({0.5f, 0.5f});
      const uint32_t result = run.bits("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1 d16");
      const uint32_t below = 0x3c00 + i;
      if (value == half)
        CHECK(result == below);
      else
        CHECK((result == below || result == below + 1));
      up += result == below + 1;
      down += value == between && result == below;
    }
  }
  CHECK(up > 16);
  CHECK(down > 16);
}

TEST_CASE("anisotropic filters, reductions and border colours in memory trap") {
  for (auto [word, bits] :
       std::initializer_list<std::pair<unsigned, uint32_t>>{{10, 2u << 20}, {8, 1u << 29}, {11, 3u << 30}}) {
    ImageRun run(rampImage(2), nearestSampler());
    run.setup.sgprs[word] = *run.setup.sgprs[word] | bits;
    run.addresses({0.5f, 0.5f});
    run.run(Sample);
    CHECK((run.trap() == TrapKind::Unsupported));
  }
}

TEST_CASE("a load's result is in flight while a second one goes to the same register") {
  ImageRun run(rampImage(2), nearestSampler());
  run.addresses({0.75f, 0.5f});
  run.run("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1\n"
          "image_sample_lz v17, v[0:1], s[0:7], s[8:11] dmask:0x1\n"
          "s_waitcnt vmcnt(1)\nv_mov_b32_e32 v18, v16");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.vgprFloat(18, 0) == 1);
}

TEST_CASE("what a wave has written to an image is what it samples afterwards") {
  ImageRun run(rampImage(4), linearSampler());
  run.setup.vgprs = {allLanes(0.375f), allLanes(0.5f), allLanes(1u), allLanes(0u), allLanes(42.0f)};
  run.setup.vgprs.resize(20);
  run.run(std::string(Sample) + R"(
s_waitcnt vmcnt(0)
v_mov_b32 v17, v16
image_store v4, v[2:3], s[0:7] dmask:0x1 unorm
s_waitcnt vmcnt(0)
image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1
s_waitcnt vmcnt(0))");
  CHECK(run.trapText() == "");
  CHECK(run.vgprFloat(17, 0) == 1);
  CHECK(run.vgprFloat(16, 0) == 42);
}

TEST_CASE("the footprints of all lanes are those of each lane") {
  uint32_t random = 1;
  auto next = [&] { return random = random * 1664525 + 1013904223; };
  for (unsigned wrap = 0; wrap != 8; ++wrap)
    for (unsigned kind = 0; kind != 4; ++kind) {
      Axis axis;
      axis.wrap = WrapMode(wrap);
      axis.isPowerOfTwo = (kind & 1) != 0;
      axis.isNormalized = (kind & 2) != 0;
      LaneAxis lanes;
      lanes.common = axis;
      LaneFloats coordinates;
      for (unsigned lane = 0; lane != FootprintLanes; ++lane) {
        lanes.offsets[lane] = kind + wrap % 2 == 0 ? 0 : int32_t(next() >> 26) - 32;
        lanes.sizes[lane] = axis.isPowerOfTwo ? 1 << (next() >> 29) : int32_t(1 + (next() >> 26));
        const float place = (float(next() >> 8) * 0x1p-22f - 2) * (axis.isNormalized ? 1.0f : 64.0f);
        coordinates[lane] = lane % 8 == 0 ? std::bit_cast<float>(next()) : place; // any bits, too
      }
      LaneFootprints together;
      linearFootprints(lanes, coordinates, together);
      for (unsigned lane = 0; lane != FootprintLanes; ++lane) {
        axis.size = lanes.sizes[lane];
        axis.offset = lanes.offsets[lane];
        const LinearFootprint alone = linearFootprint(axis, coordinates[lane]);
        CAPTURE(wrap);
        CAPTURE(coordinates[lane]);
        CHECK(together.texel[0][lane] == alone.texel[0]);
        CHECK(together.texel[1][lane] == alone.texel[1]);
        CHECK(std::bit_cast<uint32_t>(together.weight[lane]) == std::bit_cast<uint32_t>(alone.weight));
      }
    }
}
