// SPDX-License-Identifier: MIT
//
// Level of detail: derivatives of quads, biases, clamps, filters between levels, image_get_lod.
#include "tests/emulator/image/image_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// Texels are their level's number.
SceneImage levelImage(uint32_t size = 64, uint32_t levels = 7) {
  return floatImage(VK_IMAGE_VIEW_TYPE_2D, size, size, 1, levels,
                    [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); });
}

SceneSampler trilinear() {
  SceneSampler sampler = linearSampler();
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  return sampler;
}

// Lanes of quads that are `dx` apart along x in s and `dy` along y in t.
void quads(ImageRun &run, float dx, float dy) {
  run.setup.vgprs = {eachLane([=](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) * dx); }),
                     eachLane([=](unsigned lane) { return std::bit_cast<uint32_t>(float(lane >> 1 & 1) * dy); })};
}

constexpr const char *Sample = "image_sample v16, v[0:1], s[0:7], s[8:11] dmask:0x1";
constexpr const char *SampleLevel = "image_sample_l v16, v[0:2], s[0:7], s[8:11] dmask:0x1";

} // namespace

TEST_CASE("the level is the logarithm of the longer gradient in texels") {
  ImageRun run(levelImage(), trilinear());
  quads(run, 4.0f / 64, 1.0f / 64);
  CHECK(run.result(Sample, 3) == 2);
  quads(run, 1.0f / 64, 8.0f / 64);
  CHECK(run.result(Sample, 0) == 3);
  quads(run, 3.0f / 64, 0); // rho squared is 9 = 8 * 1.125: half of 3.125
  CHECK(run.result(Sample, 0) == 1.5625f);
  quads(run, 0, 0);
  CHECK(run.result(Sample, 0) == 0);
}

TEST_CASE("a gradient's length is Euclidean") {
  ImageRun run(levelImage(), trilinear());
  run.setup.vgprs = {eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) * 3 / 64); }),
                     eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) * 4 / 64); })};
  CHECK(run.result(Sample, 0) == 2.28125f); // 25 = 16 * 1.5625
}

TEST_CASE("derivatives come from lanes that are off, too") {
  ImageRun run(levelImage(), trilinear());
  quads(run, 4.0f / 64, 0);
  run.setup.exec = 4;
  CHECK(run.result(Sample, 2) == 2);
}

TEST_CASE("each quad has a level of its own") {
  ImageRun run(levelImage(), trilinear());
  run.setup.vgprs = {
      eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) * float(1 << lane / 4) / 64); }),
      allLanes(0.0f)};
  CHECK(run.result(Sample, 0) == 0);
  CHECK(run.vgprFloat(16, 5) == 1);
  CHECK(run.vgprFloat(16, 15) == 3);
}

TEST_CASE("the level's fraction weighs two levels, and the last level stays alone") {
  ImageRun run(levelImage(4, 3), trilinear());
  for (auto [level, expected] : std::initializer_list<std::pair<float, float>>{
           {-1, 0}, {0.25f, 0.25f}, {1.5f, 1.5f}, {2.5f, 2}, {100, 2}, {-100, 0}}) {
    CAPTURE(level);
    run.addresses({0.5f, 0.5f, level});
    CHECK(run.result(SampleLevel) == expected);
  }
}

TEST_CASE("the nearest level: halves of explicit levels go to the even one") {
  ImageRun run(levelImage(), linearSampler());
  for (auto [level, expected] :
       std::initializer_list<std::pair<float, float>>{{0.5f, 0}, {0.51f, 1}, {1.5f, 2}, {2.5f, 2}, {2.6f, 3}}) {
    CAPTURE(level);
    run.addresses({0.5f, 0.5f, level});
    CHECK(run.result(SampleLevel) == expected);
  }
}

TEST_CASE("_lz takes level 0 and the sampler's bias") {
  SceneSampler sampler = trilinear();
  ImageRun plain(levelImage(), sampler);
  quads(plain, 4.0f / 64, 0);
  CHECK(plain.result("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1") == 0);
  sampler.mipLodBias = 1.5f;
  ImageRun biased(levelImage(), sampler);
  quads(biased, 4.0f / 64, 0);
  CHECK(biased.result("image_sample_lz v16, v[0:1], s[0:7], s[8:11] dmask:0x1") == 1.5f);
}

TEST_CASE("the instruction's and the sampler's bias add up before the sampler's limits") {
  SceneSampler sampler = trilinear();
  sampler.mipLodBias = -0.5f;
  sampler.maxLod = 4;
  ImageRun run(levelImage(), sampler);
  run.setup.vgprs = {allLanes(1.25f),
                     eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) * 4 / 64); }),
                     allLanes(0.0f)};
  CHECK(run.result("image_sample_b v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 2.75f);
  run.setup.vgprs[0] = allLanes(7.0f);
  CHECK(run.result("image_sample_b v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 4);
}

TEST_CASE("the level is limited by the sampler, the instruction and the T#") {
  SceneSampler sampler = trilinear();
  sampler.minLod = 1.5f;
  ImageRun run(levelImage(), sampler);
  quads(run, 0, 0);
  CHECK(run.result(Sample) == 1.5f);
  run.setup.vgprs.push_back(allLanes(2.25f));
  CHECK(run.result("image_sample_cl v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 2.25f);
  run.setup.vgprs[2] = allLanes(1.0f);
  CHECK(run.result("image_sample_cl v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 1.5f);
  run.setup.sgprs[1] = *run.setup.sgprs[1] | 0x380 << 8; // MIN_LOD 3.5
  CHECK(run.result(Sample) == 3.5f);
}

TEST_CASE("levels count from BASE_LEVEL, whose size makes the gradients") {
  ImageRun run(levelImage(), trilinear());
  run.setup.sgprs[3] = *run.setup.sgprs[3] | 2 << 12;
  run.addresses({0.5f, 0.5f, 1});
  CHECK(run.result(SampleLevel) == 3);
  quads(run, 8.0f / 64, 0); // two texels of level 2
  CHECK(run.result(Sample) == 3);
}

TEST_CASE("the magnification filter is for levels up to 0, the minification filter above") {
  SceneImage image =
      floatImage(VK_IMAGE_VIEW_TYPE_2D, 4, 1, 1, 1, [](uint32_t, uint32_t, uint32_t, uint32_t x) { return float(x); });
  SceneSampler sampler = linearSampler();
  sampler.magFilter = VK_FILTER_NEAREST;
  ImageRun run(image, sampler);
  run.addresses({0.45f, 0.5f, 0});
  CHECK(run.result(SampleLevel) == 1);
  run.addresses({0.45f, 0.5f, 0.001f});
  CHECK(run.result(SampleLevel) == doctest::Approx(1.3));
}

TEST_CASE("image_get_lod gives the level that would be sampled and the LOD without limits") {
  SceneSampler sampler = trilinear();
  sampler.maxLod = 2;
  sampler.mipLodBias = 0.5f;
  ImageRun run(levelImage(), sampler);
  quads(run, 8.0f / 64, 0);
  CHECK(run.result("image_get_lod v[16:17], v[0:1], s[0:7], s[8:11] dmask:0x3") == 2);
  CHECK(run.vgprFloat(17, 0) == 3.5f);
  quads(run, 0.5f / 64, 0);
  CHECK(run.result("image_get_lod v[16:17], v[0:1], s[0:7], s[8:11] dmask:0x3") == 0);
  CHECK(run.vgprFloat(17, 0) == -0.5f);
  ImageRun nearest(levelImage(), linearSampler());
  quads(nearest, 3.0f / 64, 0); // 1.58
  CHECK(nearest.result("image_get_lod v16, v[0:1], s[0:7], s[8:11] dmask:0x1") == 2);
}

TEST_CASE("image_get_lod has no use for the slice of an array") {
  auto level = [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); };
  ImageRun run(floatImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 8, 8, 8, 4, level), trilinear());
  quads(run, 2.0f / 8, 0); // v2 would be the slice, and nothing wrote it
  CHECK(run.result("image_get_lod v16, v[0:1], s[0:7], s[8:11] dmask:0x1 da") == 1);
}

TEST_CASE("gradients along z count in 3D images, and the slice of arrays does not") {
  auto level = [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); };
  ImageRun volume(floatImage(VK_IMAGE_VIEW_TYPE_3D, 8, 8, 8, 4, level), trilinear());
  auto alongX = eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(float(lane & 1) / 2); });
  volume.setup.vgprs = {allLanes(0.0f), allLanes(0.0f), alongX};
  CHECK(volume.result("image_sample v16, v[0:2], s[0:7], s[8:11] dmask:0x1") == 2);
  ImageRun array(floatImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 8, 8, 8, 4, level), trilinear());
  array.setup.vgprs = {allLanes(0.0f), allLanes(0.0f), alongX};
  CHECK(array.result("image_sample v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da") == 0);
}
