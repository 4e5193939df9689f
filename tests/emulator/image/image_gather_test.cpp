// SPDX-License-Identifier: MIT
//
// image_gather4, and cubes: faces, edges, corners.
#include "tests/emulator/image/image_run.h"
#include "tools/proof/emulator/image/cube_face.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

using Four = std::array<float, 4>;

Four gather(ImageRun &run, std::string_view instruction) {
  run.run(std::string(instruction) + "\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(!run.trap());
  return {run.vgprFloat(16, 0), run.vgprFloat(17, 0), run.vgprFloat(18, 0), run.vgprFloat(19, 0)};
}

constexpr const char *Gather = "image_gather4_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0x1";
constexpr const char *GatherCube = "image_gather4_lz v[16:19], v[0:2], s[0:7], s[8:11] dmask:0x1 da";
constexpr const char *SampleCube = "image_sample_lz v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da";

// 100 * face + 10 * y + x.
SceneImage cubeImage(uint32_t size, uint32_t faces = 6) {
  return floatImage(faces == 6 ? VK_IMAGE_VIEW_TYPE_CUBE : VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, size, size, faces, 1,
                    [](uint32_t, uint32_t face, uint32_t y, uint32_t x) { return float(100 * face + 10 * y + x); });
}

} // namespace

TEST_CASE("gather4 goes around the square from below left, against the clock") {
  ImageRun run(rampImage(4, 4), nearestSampler());
  run.addresses({0.5f, 0.5f});
  CHECK((gather(run, Gather) == Four{9, 10, 6, 5}));
}

TEST_CASE("gather4 takes the component that DMASK has, through DST_SEL") {
  SceneImage image;
  image.format = VK_FORMAT_B8G8R8A8_UNORM;
  image.bytes = {0, 51, 255, 102};
  ImageRun run(image, nearestSampler());
  run.addresses({0.5f, 0.5f});
  CHECK(gather(run, Gather)[0] == 1);
  CHECK(gather(run, "image_gather4_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0x4")[2] == 0);
  CHECK(gather(run, "image_gather4_lz v[16:19], v[0:1], s[0:7], s[8:11] dmask:0x8")[3] == doctest::Approx(0.4f));
}

TEST_CASE("gather4 wraps each texel on its own") {
  ImageRun repeat(rampImage(4), nearestSampler(VK_SAMPLER_ADDRESS_MODE_REPEAT));
  repeat.addresses({1, 0.5f});
  CHECK((gather(repeat, Gather) == Four{3, 0, 0, 3}));
  ImageRun clamp(rampImage(4), nearestSampler());
  clamp.addresses({0.05f, 0.5f});
  CHECK((gather(clamp, Gather) == Four{0, 0, 0, 0}));
  clamp.addresses({2, 0.5f});
  CHECK((gather(clamp, Gather) == Four{3, 3, 3, 3}));
  ImageRun mirror(rampImage(4), nearestSampler(VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT));
  mirror.addresses({-0.25f, 0.5f}); // between the mirror images of texels 1 and 0
  CHECK((gather(mirror, Gather) == Four{1, 0, 0, 1}));
  ImageRun once(rampImage(4), nearestSampler(VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE));
  once.addresses({-0.25f, 0.5f});
  CHECK((gather(once, Gather) == Four{1, 0, 0, 1}));
  ImageRun border(rampImage(4, 2), nearestSampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER));
  border.addresses({1, 0.5f});
  CHECK((gather(border, Gather) == Four{7, 0, 0, 3}));
}

TEST_CASE("gather4_o moves the square, gather4_c compares") {
  ImageRun run(rampImage(4, 4), nearestSampler());
  run.addresses({0, 0.5f, 0.5f});
  run.setup.vgprs[0] = allLanes(0x3f01u); // +1, -1
  CHECK((gather(run, "image_gather4_lz_o v[16:19], v[0:2], s[0:7], s[8:11] dmask:0x1") == Four{6, 7, 3, 2}));
  SceneSampler sampler = nearestSampler();
  sampler.compareEnable = true;
  sampler.compareOp = VK_COMPARE_OP_LESS;
  SceneImage depth = rampImage(4, 4);
  depth.format = VK_FORMAT_D32_SFLOAT;
  ImageRun compare(depth, sampler);
  compare.addresses({6, 0.5f, 0.5f});
  CHECK((gather(compare, "image_gather4_c_lz v[16:19], v[0:2], s[0:7], s[8:11] dmask:0x1") == Four{1, 1, 0, 0}));
}

TEST_CASE("gather4 with a level takes the nearest one, gather4_lz the base level in spite of the sampler") {
  SceneSampler sampler = nearestSampler();
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  sampler.minLod = 1;
  ImageRun run(floatImage(VK_IMAGE_VIEW_TYPE_2D, 8, 8, 1, 4,
                          [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); }),
               sampler);
  run.addresses({0.5f, 0.5f, 2.75f});
  CHECK(gather(run, "image_gather4_l v[16:19], v[0:2], s[0:7], s[8:11] dmask:0x1")[0] == 3);
  CHECK(gather(run, Gather)[0] == 0);
}

TEST_CASE("GFX8 gathers integers half a texel further on, other texels where they are") {
  SceneImage image = rampImage(4, 4);
  for (VkFormat format : {VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SINT, VK_FORMAT_R32_UINT})
    for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
      CAPTURE(int(format));
      CAPTURE(int(generation));
      image.format = format;
      ImageRun run(image, nearestSampler(), generation);
      run.addresses({0.5f, 0.5f});
      const bool isMisplaced = generation == Generation::Gfx8 && format != VK_FORMAT_R32_SFLOAT;
      CHECK((gather(run, Gather) == (isMisplaced ? Four{14, 15, 11, 10} : Four{9, 10, 6, 5})));
      run.addresses({0.375f, 0.375f}); // half a texel of 1 / 4 before that
      CHECK((gather(run, Gather) == (isMisplaced ? Four{9, 10, 6, 5} : gather(run, Gather))));
    }
}

TEST_CASE("GFX8 gathers integers half a texel further on in texel coordinates, too") {
  SceneImage image = rampImage(4, 4);
  image.format = VK_FORMAT_R32_UINT;
  SceneSampler sampler = nearestSampler();
  sampler.unnormalizedCoordinates = true;
  ImageRun run(image, sampler, Generation::Gfx8);
  run.addresses({1.5f, 1.5f});
  CHECK((gather(run, Gather) == Four{9, 10, 6, 5}));
}

TEST_CASE("GFX8 gathers cubes of 8-bit integers as scaled numbers only") {
  SceneImage image;
  image.viewType = VK_IMAGE_VIEW_TYPE_CUBE;
  image.format = VK_FORMAT_R8G8B8A8_UINT;
  image.layers = 6;
  image.bytes.assign(6 * 4, 7);
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    ImageRun run(image, nearestSampler(), generation);
    run.addresses({1.5f, 1.5f, 0});
    run.run(GatherCube);
    CHECK((run.trap() == (generation == Generation::Gfx8 ? std::optional(TrapKind::BadDescriptor) : std::nullopt)));
    constexpr uint32_t FromUintToUscaled = 2u << 26;
    run.setup.sgprs[1] = *run.setup.sgprs[1] - FromUintToUscaled;
    CHECK(gather(run, GatherCube)[3] == 7.0f);
  }
}

TEST_CASE("in front of the first cube of an array GFX8 takes face 0, GFX9 the wanted face") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    ImageRun run(cubeImage(4, 12), nearestSampler(), generation);
    run.addresses({1.375f, 1.625f, -8 + 3});
    CHECK(run.result(SampleCube) == (generation == Generation::Gfx8 ? 21 : 321));
  }
}

TEST_CASE("gather4 of several components traps") {
  ImageRun run(rampImage(2), nearestSampler());
  run.addresses({0.5f, 0.5f});
  run.run(".long 0xf11c0300, 0x00401000"); // image_gather4_lz of dmask 0x3, which the assembler refuses
  CHECK((run.trap() == TrapKind::Unsupported));
}

TEST_CASE("cubes take the place on the face in [1, 2], and the face") {
  ImageRun run(cubeImage(4), nearestSampler());
  run.addresses({1.375f, 1.625f, 3});
  CHECK(run.result(SampleCube) == 321);
  run.addresses({1.375f, 1.625f, 5});
  CHECK(run.result(SampleCube) == 521);
}

TEST_CASE("cube arrays count eight faces to a cube and clamp to the last cube") {
  ImageRun run(cubeImage(4, 12), nearestSampler());
  run.addresses({1.375f, 1.625f, 8 + 3});
  CHECK(run.result(SampleCube) == 921);
  run.addresses({1.375f, 1.625f, 40 + 3});
  CHECK(run.result(SampleCube) == 921);
  run.addresses({1.375f, 1.625f, 3});
  CHECK(run.result(SampleCube) == 321);
}

TEST_CASE("a filter beyond an edge takes texels of the neighbouring face") {
  ImageRun run(cubeImage(4), linearSampler());
  // Face +z, on its right edge: between its texel (3, 1) and texel (0, 1) of +x.
  run.addresses({2, 1.375f, 4});
  CHECK(run.result(SampleCube) == (413 + 10) / 2.0f);
  // On its upper edge: texel (1, 0) and texel (1, 3) of +y.
  run.addresses({1.375f, 1, 4});
  CHECK(run.result(SampleCube) == (401 + 231) / 2.0f);
  // The upper edge of +x is the right edge of +y, whose y runs against x.
  run.addresses({1.375f, 1, 0});
  CHECK(run.result(SampleCube) == (1 + 223) / 2.0f);
  // Wrap modes of the sampler do not matter.
  ImageRun border(cubeImage(4), linearSampler(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER));
  border.addresses({2, 1.375f, 4});
  CHECK(border.result(SampleCube) == (413 + 10) / 2.0f);
}

TEST_CASE("in a corner the fourth texel is the mean of the three that there are") {
  ImageRun run(cubeImage(4), linearSampler());
  // Upper right corner of +z: (3, 0) of it, (0, 0) of +x, (3, 3) of +y.
  run.addresses({2, 1, 4});
  CHECK(run.result(SampleCube) == doctest::Approx((403 + 0 + 233) / 3.0));
  Four texels = gather(run, GatherCube);
  CHECK(texels[0] == 403);
  CHECK(texels[1] == 0);
  CHECK(texels[2] == doctest::Approx((403 + 0 + 233) / 3.0));
  CHECK(texels[3] == 233);
}

TEST_CASE("across every edge of a cube lies the texel that is nearest in space") {
  constexpr int Size = 4;
  auto centre = [](const CubeTexel &texel) {
    return cubeDirection(CubePlace<double>{texel.face, (2 * texel.x + 1 - Size) / double(Size),
                                           (2 * texel.y + 1 - Size) / double(Size), 1});
  };
  for (unsigned face = 0; face < 6; ++face)
    for (int side = 0; side < 4; ++side)
      for (int along = 0; along < Size; ++along) {
        CubeTexel outside = side == 0   ? CubeTexel{face, -1, along}
                            : side == 1 ? CubeTexel{face, Size, along}
                            : side == 2 ? CubeTexel{face, along, -1}
                                        : CubeTexel{face, along, Size};
        CubeTexel found = cubeTexelAcrossEdge(outside, Size);
        std::array<double, 3> from = centre(outside); // in the plane of its face
        double best = 1e9;
        CubeTexel nearest = {};
        for (unsigned other = 0; other < 6; ++other)
          for (int y = 0; other != face && y < Size; ++y)
            for (int x = 0; x < Size; ++x) {
              std::array<double, 3> to = centre({other, x, y});
              double distance = std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
              if (distance < best - 1e-9) {
                best = distance;
                nearest = {other, x, y};
              }
            }
        CHECK(found.face == nearest.face);
        CHECK(found.x == nearest.x);
        CHECK(found.y == nearest.y);
      }
}

TEST_CASE("the derivatives of cubes are those of the face, across an edge too") {
  SceneSampler sampler = linearSampler();
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  SceneImage image = floatImage(VK_IMAGE_VIEW_TYPE_CUBE, 16, 16, 6, 5,
                                [](uint32_t level, uint32_t, uint32_t, uint32_t) { return float(level); });
  ImageRun run(image, sampler);
  auto lanes = [](float even, float odd) {
    return eachLane([=](unsigned lane) { return std::bit_cast<uint32_t>(lane & 1 ? odd : even); });
  };
  run.setup.vgprs = {lanes(1.375f, 1.625f), allLanes(1.5f), allLanes(4.0f)}; // four texels along +z
  CHECK(run.result("image_sample v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da") == 2);
  // From the middle of +z to the middle of +x: direction (0, 0, 1) to (1, 0, 0). Both see 1 along sc and -1 along the
  // major axis; in the middle of a face only the former counts: half a face, eight texels.
  run.setup.vgprs = {allLanes(1.5f), allLanes(1.5f), lanes(4, 0)};
  CHECK(run.result("image_sample v16, v[0:2], s[0:7], s[8:11] dmask:0x1 da") == 3);
  CHECK(run.vgprFloat(16, 1) == 3);
}

TEST_CASE("the directions that a cube is looked up with count as unit vectors") {
  SceneSampler sampler = linearSampler();
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  ImageRun run(
      floatImage(VK_IMAGE_VIEW_TYPE_CUBE, 16, 16, 6, 5, [](uint32_t, uint32_t, uint32_t, uint32_t) { return 0.0f; }),
      sampler);
  // Lane 0 looks along (-3, 0, 4) / 5, lane 1 along (0, 0, 1): sc changes by 0.6 and ma by 0.2. By the quotient rule
  // sc / (2 ma) changes by (0.6 + 0.75 * 0.2) / 1.6 = 0.46875, which are 7.5 texels; 7.5^2 = 32 * 1.7578125.
  run.setup.vgprs = {eachLane([](unsigned lane) { return std::bit_cast<uint32_t>(lane & 1 ? 1.5f : 1.125f); }),
                     allLanes(1.5f), allLanes(4.0f)};
  CHECK(run.result("image_get_lod v16, v[0:2], s[0:7], s[8:11] dmask:0x2 da") ==
        doctest::Approx((5 + 0.7578125) / 2).epsilon(1e-5));
}
