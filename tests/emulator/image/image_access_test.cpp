// SPDX-License-Identifier: MIT
//
// image_load, image_store, image_atomic_* and image_get_resinfo.
#include "tests/emulator/image/image_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// 1000 * level + 100 * slice + 10 * y + x.
SceneImage numberedImage(VkImageViewType type, uint32_t width, uint32_t height, uint32_t slices, uint32_t levels = 1) {
  return floatImage(type, width, height, slices, levels, [](uint32_t level, uint32_t slice, uint32_t y, uint32_t x) {
    return float(1000 * level + 100 * slice + 10 * y + x);
  });
}

SceneImage imageOf(VkFormat format, std::vector<uint8_t> bytes, uint32_t width = 1) {
  SceneImage image;
  image.format = format;
  image.width = width;
  image.bytes = std::move(bytes);
  return image;
}

SceneImage wordImage(std::initializer_list<uint32_t> words) {
  SceneImage image = imageOf(VK_FORMAT_R32_UINT, {}, uint32_t(words.size()));
  for (uint32_t word : words)
    for (unsigned i = 0; i < 4; ++i)
      image.bytes.push_back(uint8_t(word >> 8 * i));
  return image;
}

} // namespace

TEST_CASE("image_load takes x and y, each lane its own") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D, 4, 4, 1));
  run.setup.vgprs = {eachLane([](unsigned lane) { return lane % 4; }),
                     eachLane([](unsigned lane) { return lane / 4; })};
  CHECK(run.result("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm", 0) == 0);
  CHECK(run.vgprFloat(16, 5) == 11);
  CHECK(run.vgprFloat(16, 14) == 32);
}

TEST_CASE("image_load returns the components of DMASK, packed") {
  ImageRun run(imageOf(VK_FORMAT_R8G8B8A8_UINT, {1, 2, 3, 4}));
  run.integers({0, 0});
  run.run("image_load v[16:17], v[0:1], s[0:7] dmask:0xa unorm\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.vgpr(16, 0) == 2);
  CHECK(run.vgpr(17, 0) == 4);
}

TEST_CASE("DST_SEL gives constants to the components that a format does not have") {
  ImageRun run(imageOf(VK_FORMAT_R8G8_UINT, {1, 2}));
  run.integers({0, 0});
  run.run("image_load v[16:19], v[0:1], s[0:7] dmask:0xf unorm\ns_waitcnt vmcnt(0)");
  CHECK(run.vgpr(17, 0) == 2);
  CHECK(run.vgpr(18, 0) == 0);
  CHECK(run.vgpr(19, 0) == 1);
}

TEST_CASE("what image_load loads must be waited for") {
  ImageRun run(rampImage(4));
  run.integers({0, 0});
  run.run("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm\nv_mov_b32_e32 v17, v16");
  CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
}

TEST_CASE("lanes that are off keep their registers") {
  ImageRun run(rampImage(4));
  run.setup.vgprs.resize(17, allLanes(1u));
  run.setup.exec = 2;
  CHECK(run.bits("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm", 0) == 1);
  CHECK(run.vgprFloat(16, 1) == 0); // (1, 1) is outside of 4 x 1
}

TEST_CASE("outside of the image loads are 0, and 1 where the format has no alpha") {
  ImageRun run(imageOf(VK_FORMAT_R8G8_UNORM, {255, 255}));
  run.integers({0, 1});
  run.run("image_load v[16:19], v[0:1], s[0:7] dmask:0xf unorm\ns_waitcnt vmcnt(0)");
  CHECK(run.vgprFloat(16, 0) == 0);
  CHECK(run.vgprFloat(17, 0) == 0);
  CHECK(run.vgprFloat(19, 0) == 1);
  run.integers({~0u, 0});
  CHECK(run.result("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm") == 0);
}

TEST_CASE("image_load of an array takes the slice only with DA") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 4, 4, 3));
  run.integers({1, 2, 2});
  CHECK(run.result("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da") == 221);
  CHECK(run.result("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm") == 21);
  run.integers({1, 2, 3});
  CHECK(run.result("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da") == 0);
}

TEST_CASE("slices of a view begin at BASE_ARRAY") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 4, 4, 3));
  run.setup.sgprs[5] = *run.setup.sgprs[5] | 1;
  run.integers({1, 2, 1});
  CHECK(run.result("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da") == 221);
  run.integers({1, 2, ~0u}); // slice 0 of the resource is not in the view
  CHECK(run.result("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da") == 0);
}

TEST_CASE("image_load of 3D images takes z, which shrinks from level to level") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_3D, 4, 4, 4, 2));
  run.integers({3, 2, 3, 0});
  CHECK(run.result("image_load_mip v16, v[0:3], s[0:7] dmask:0x1 unorm") == 323);
  run.integers({1, 0, 1, 1});
  CHECK(run.result("image_load_mip v16, v[0:3], s[0:7] dmask:0x1 unorm") == 1101);
  run.integers({1, 0, 2, 1});
  CHECK(run.result("image_load_mip v16, v[0:3], s[0:7] dmask:0x1 unorm") == 0);
}

TEST_CASE("the slices of a cube are faces") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 2, 2, 12));
  run.integers({1, 0, 7});
  CHECK(run.result("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da") == 701);
}

TEST_CASE("image_load_mip counts levels from BASE_LEVEL, and none after LAST_LEVEL") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D, 8, 8, 1, 4));
  run.integers({1, 1, 2});
  CHECK(run.result("image_load_mip v16, v[0:2], s[0:7] dmask:0x1 unorm") == 2011);
  run.setup.sgprs[3] = *run.setup.sgprs[3] | 1 << 12;
  CHECK(run.result("image_load_mip v16, v[0:2], s[0:7] dmask:0x1 unorm") == 0); // (1, 1) of the 1 x 1 level 3
  run.integers({1, 1, 1});
  CHECK(run.result("image_load_mip v16, v[0:2], s[0:7] dmask:0x1 unorm") == 2011);
  run.integers({0, 0, 3});
  CHECK(run.result("image_load_mip v16, v[0:2], s[0:7] dmask:0x1 unorm") == 0);
  run.integers({0, 0, ~0u});
  CHECK(run.result("image_load_mip v16, v[0:2], s[0:7] dmask:0x1 unorm") == 0);
}

TEST_CASE("multisampled images take the sample behind the coordinates") {
  SceneImage image = imageOf(VK_FORMAT_R8_UINT, {6}, 2);
  image.samples = 4;
  ImageRun run(image);
  run.gpu.memory().at(run.address + 4 + 3, 1)[0] = 77; // sample 3 of texel 1
  run.integers({1, 0, 3});
  CHECK(run.bits("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm") == 77);
  run.integers({1, 0, 2});
  CHECK(run.bits("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm") == 6);
  run.integers({1, 0, 4});
  CHECK(run.bits("image_load v16, v[0:2], s[0:7] dmask:0x1 unorm") == 0);
}

TEST_CASE("multisampled arrays take slice and sample") {
  SceneImage image = imageOf(VK_FORMAT_R8_UINT, {5, 6});
  image.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  image.layers = 2;
  image.samples = 2;
  ImageRun run(image);
  run.integers({0, 0, 1, 1});
  CHECK(run.bits("image_load v16, v[0:3], s[0:7] dmask:0x1 unorm da") == 6);
}

TEST_CASE("A16 packs coordinates, D16 packs results, an odd one alone") {
  ImageRun run(imageOf(VK_FORMAT_R16G16B16A16_SFLOAT, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3c, 0, 0x40, 0, 0xc0, 0, 0x38}, 2));
  run.integers({0x00000001});
  run.run("image_load v[16:17], v0, s[0:7] dmask:0xf unorm a16 d16\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.vgpr(16, 0) == 0x40003c00);
  CHECK(run.vgpr(17, 0) == 0x3800c000);
  run.run("image_load v[16:17], v0, s[0:7] dmask:0x7 unorm a16 d16\ns_waitcnt vmcnt(0)");
  CHECK(run.vgpr(17, 0) == 0xc000);
}

TEST_CASE("GFX8 gives each half of D16 a register, and addresses 1D images with one coordinate") {
  SceneImage image = imageOf(VK_FORMAT_R16G16_UINT, {1, 0, 2, 0, 3, 0, 4, 0}, 2);
  image.viewType = VK_IMAGE_VIEW_TYPE_1D;
  ImageRun run(image, {}, Generation::Gfx8);
  run.integers({1});
  run.run("image_load v[16:17], v0, s[0:7] dmask:0x3 unorm d16\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.vgpr(16, 0) == 3);
  CHECK(run.vgpr(17, 0) == 4);
}

TEST_CASE("with TFE one more dword says that the texels were there") {
  ImageRun run(rampImage(4));
  run.integers({2, 0});
  run.setup.vgprs.resize(18, allLanes(7u));
  CHECK(run.result("image_load v[16:17], v[0:1], s[0:7] dmask:0x1 unorm tfe") == 2);
  CHECK(run.vgpr(17, 0) == 0);
}

TEST_CASE("image_load_pck gives the dwords of a texel as they are, _sgn extends small ones") {
  ImageRun run(imageOf(VK_FORMAT_R8G8B8A8_UNORM, {1, 2, 3, 0x84}));
  run.integers({0, 0});
  CHECK(run.bits("image_load_pck v16, v[0:1], s[0:7] dmask:0x1 unorm") == 0x84030201);
  ImageRun small(imageOf(VK_FORMAT_R8G8_UNORM, {1, 0x80}));
  small.integers({0, 0});
  CHECK(small.bits("image_load_pck v16, v[0:1], s[0:7] dmask:0x1 unorm") == 0x8001);
  CHECK(small.bits("image_load_pck_sgn v16, v[0:1], s[0:7] dmask:0x1 unorm") == 0xffff8001);
}

TEST_CASE("image_store converts to the format and keeps the other texels") {
  ImageRun run(imageOf(VK_FORMAT_R8G8B8A8_UNORM, {9, 9, 9, 9, 9, 9, 9, 9}, 2));
  run.addresses({0, 0, 0, 0.5f, 2.0f, -1.0f});
  run.setup.vgprs[0] = allLanes(1u);
  run.setup.exec = 1;
  run.run("v_mov_b32_e32 v6, 1.0\nimage_store v[3:6], v[0:1], s[0:7] dmask:0xf unorm");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.word(0) == 0x09090909);
  CHECK(run.word(1) == 0xff00ff80);
}

TEST_CASE("image_store undoes DST_SEL") {
  ImageRun run(imageOf(VK_FORMAT_B8G8R8A8_UNORM, {9, 9, 9, 9}));
  run.addresses({0, 0, 1, 0, 0, 1});
  run.run("image_store v[2:5], v[0:1], s[0:7] dmask:0xf unorm");
  CHECK(run.word(0) == 0xffff0000);
}

TEST_CASE("components that DMASK leaves out are stored as 0") {
  ImageRun run(imageOf(VK_FORMAT_R8G8B8A8_UINT, {9, 9, 9, 9}));
  run.integers({0, 0, 5, 6});
  run.run("image_store v[2:3], v[0:1], s[0:7] dmask:0x5 unorm");
  CHECK(run.word(0) == 0x00060005);
}

TEST_CASE("image_store of D16 integers extends their signs") {
  ImageRun run(imageOf(VK_FORMAT_R32G32_SINT, std::vector<uint8_t>(8)));
  run.integers({0, 0, 0x0002fffe});
  run.run("image_store v2, v[0:1], s[0:7] dmask:0x3 unorm d16");
  INFO(run.trapText());
  CHECK(run.word(0) == 0xfffffffe);
  CHECK(run.word(1) == 2);
}

TEST_CASE("image_store outside of the image is dropped") {
  ImageRun run(wordImage({1, 2}));
  run.integers({2, 0, 99});
  run.run("image_store v2, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK(!run.trap());
  CHECK(run.word(0) == 1);
  CHECK(run.word(1) == 2);
}

TEST_CASE("image_store_mip stores into a level") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D, 2, 2, 1, 2));
  run.integers({0, 0, 1, 42});
  run.run("image_store_mip v3, v[0:2], s[0:7] dmask:0x1 unorm");
  CHECK(run.word(4) == 42);
}

TEST_CASE("image atomics change memory and return what was there only with GLC") {
  struct Case {
    const char *name;
    uint32_t memory, data, expected;
  };
  for (const Case &each : std::initializer_list<Case>{
           {"swap", 5, 9, 9},
           {"add", 0xffffffff, 2, 1},
           {"sub", 1, 2, 0xffffffff},
           {"smin", 1, 0xfffffffe, 0xfffffffe},
           {"umin", 1, 0xfffffffe, 1},
           {"smax", 1, 0xfffffffe, 1},
           {"umax", 1, 0xfffffffe, 0xfffffffe},
           {"and", 0xc, 0xa, 0x8},
           {"or", 0xc, 0xa, 0xe},
           {"xor", 0xc, 0xa, 0x6},
           {"inc", 4, 5, 5},
           {"inc", 5, 5, 0},
           {"dec", 4, 5, 3},
           {"dec", 0, 5, 5},
           {"dec", 6, 5, 5},
       }) {
    CAPTURE(each.name);
    CAPTURE(each.memory);
    ImageRun run(wordImage({each.memory}));
    run.integers({0, 0, each.data});
    run.setup.exec = 1;
    run.run(std::string("image_atomic_") + each.name + " v2, v[0:1], s[0:7] dmask:0x1 unorm glc\ns_waitcnt vmcnt(0)");
    INFO(run.trapText());
    CHECK(run.word(0) == each.expected);
    CHECK(run.vgpr(2, 0) == each.memory);
  }
  ImageRun run(wordImage({5}));
  run.integers({0, 0, 1});
  run.run("image_atomic_add v2, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK(run.word(0) == 5 + 16); // all lanes one after the other
  CHECK(run.vgpr(2, 0) == 1);
}

TEST_CASE("image_atomic_cmpswap stores if the second operand is what is there") {
  ImageRun run(wordImage({5}));
  run.integers({0, 0, 9, 5});
  run.setup.exec = 1;
  run.run("image_atomic_cmpswap v[2:3], v[0:1], s[0:7] dmask:0x3 unorm glc\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.word(0) == 9);
  CHECK(run.vgpr(2, 0) == 5);
  run.run("image_atomic_cmpswap v[2:3], v[0:1], s[0:7] dmask:0x3 unorm glc\ns_waitcnt vmcnt(0)");
  CHECK(run.word(0) == 9); // 9 is not 5
  CHECK(run.vgpr(2, 0) == 9);
}

TEST_CASE("two dwords of data make a 64-bit atomic") {
  ImageRun run(imageOf(VK_FORMAT_R32G32_UINT, {0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0}));
  run.integers({0, 0, 1, 0});
  run.setup.exec = 1;
  run.run("image_atomic_add v[2:3], v[0:1], s[0:7] dmask:0x3 unorm glc\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.word(0) == 0);
  CHECK(run.word(1) == 2);
  CHECK(run.vgpr(2, 0) == 0xffffffff);
  CHECK(run.vgpr(3, 0) == 1);
}

TEST_CASE("image atomics outside of the image do nothing and return 0") {
  ImageRun run(wordImage({5}));
  run.integers({1, 0, 1});
  run.run("image_atomic_add v2, v[0:1], s[0:7] dmask:0x1 unorm glc\ns_waitcnt vmcnt(0)");
  CHECK(run.word(0) == 5);
  CHECK(run.vgpr(2, 0) == 0);
}

TEST_CASE("atomics on texels of another size trap") {
  ImageRun run(imageOf(VK_FORMAT_R8G8_UINT, {1, 2}));
  run.integers({0, 0, 1});
  run.run("image_atomic_add v2, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK((run.trap() == TrapKind::BadDescriptor));
}

TEST_CASE("image_get_resinfo gives the size of a level and the number of levels") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D_ARRAY, 8, 4, 5, 3));
  run.integers({1});
  run.run("image_get_resinfo v[16:19], v0, s[0:7] dmask:0xf\ns_waitcnt vmcnt(0)");
  INFO(run.trapText());
  CHECK(run.vgpr(16, 0) == 4);
  CHECK(run.vgpr(17, 0) == 2);
  CHECK(run.vgpr(18, 0) == 5);
  CHECK(run.vgpr(19, 0) == 3);
  run.integers({3});
  run.run("image_get_resinfo v[16:19], v0, s[0:7] dmask:0xf\ns_waitcnt vmcnt(0)");
  CHECK(run.vgpr(16, 0) == 0);
  CHECK(run.vgpr(19, 0) == 3);
}

TEST_CASE("image_get_resinfo counts the faces of cubes and the depth of a level") {
  ImageRun cube(numberedImage(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, 2, 2, 12));
  cube.integers({0});
  CHECK(cube.bits("image_get_resinfo v16, v0, s[0:7] dmask:0x4 da") == 12);
  ImageRun volume(numberedImage(VK_IMAGE_VIEW_TYPE_3D, 8, 8, 8, 2));
  volume.integers({1});
  CHECK(volume.bits("image_get_resinfo v16, v0, s[0:7] dmask:0x4") == 4);
}

TEST_CASE("image_get_resinfo has the layers of a 1D array where others have the height") {
  SceneImage image = numberedImage(VK_IMAGE_VIEW_TYPE_1D_ARRAY, 8, 1, 5, 2);
  SUBCASE("GFX8") {
    ImageRun run(image, {}, Generation::Gfx8);
    run.integers({1});
    run.run("image_get_resinfo v[16:19], v0, s[0:7] dmask:0xf da\ns_waitcnt vmcnt(0)");
    INFO(run.trapText());
    CHECK(run.vgpr(16, 0) == 4);
    CHECK(run.vgpr(17, 0) == 5);
    CHECK(run.vgpr(18, 0) == 0);
    CHECK(run.vgpr(19, 0) == 2);
  }
  SUBCASE("GFX9, where it is a 2D array of height 1") {
    ImageRun run(image);
    run.integers({1});
    run.run("image_get_resinfo v[16:18], v0, s[0:7] dmask:0x7 da\ns_waitcnt vmcnt(0)");
    INFO(run.trapText());
    CHECK(run.vgpr(17, 0) == 1);
    CHECK(run.vgpr(18, 0) == 5);
  }
}

TEST_CASE("a T# that is none, and one that describes more than there is, trap") {
  ImageRun none(rampImage(4));
  none.integers({0, 0});
  none.setup.sgprs[3] = 0u;
  none.run("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK((none.trap() == TrapKind::BadDescriptor));
  ImageRun large(rampImage(4));
  large.integers({0, 0});
  large.setup.sgprs[2] = *large.setup.sgprs[2] + 1;
  large.run("image_load v16, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK((large.trap() == TrapKind::MemoryOutOfBounds));
}

TEST_CASE("GFX8 accesses the texels of a cube as an array of its faces, and no cube") {
  SceneImage cube = numberedImage(VK_IMAGE_VIEW_TYPE_CUBE, 2, 2, 6);
  const char *load = "image_load v16, v[0:2], s[0:7] dmask:0x1 unorm da";
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    ImageRun run(cube, {}, generation);
    run.integers({1, 0, 4});
    run.run(std::string(load) + "\ns_waitcnt vmcnt(0)");
    CHECK((run.trap() == (generation == Generation::Gfx8 ? std::optional(TrapKind::BadDescriptor) : std::nullopt)));
    constexpr uint32_t FromCubeToArray = 2u << 28;
    run.setup.sgprs[3] = *run.setup.sgprs[3] + FromCubeToArray;
    if (generation == Generation::Gfx8) {
      CHECK(run.result(load) == 0); // its DEPTH says that there is one layer
      run.setup.sgprs[4] = *run.setup.sgprs[4] + 5;
    }
    CHECK(run.result(load) == 401);
  }
}

TEST_CASE("a null descriptor has texels of 0, and nothing is stored to it") {
  ImageRun run(numberedImage(VK_IMAGE_VIEW_TYPE_2D, 2, 2, 1));
  for (unsigned i = 0; i != 8; ++i)
    run.setup.sgprs[i] = 0u;
  run.integers({0, 0, 5});
  run.run("image_load v[16:19], v[0:1], s[0:7] dmask:0xf unorm\ns_waitcnt vmcnt(0)");
  CHECK(run.trapText() == "");
  CHECK((run.vgpr(16, 0) | run.vgpr(17, 0) | run.vgpr(18, 0) | run.vgpr(19, 0)) == 0);
  run.run("image_store v2, v[0:1], s[0:7] dmask:0x1 unorm");
  CHECK(run.trapText() == "");
}
