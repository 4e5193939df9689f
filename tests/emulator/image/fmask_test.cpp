// SPDX-License-Identifier: MIT
//
// Images with FMASK. For each sample, the texture unit returns a nibble that names a fragment. The sample's value is
// that of the named fragment; the fragment with the sample's own number may have another value.
#include "tests/emulator/image/image_run.h"
#include "tools/proof/emulator/image/fmask.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

SceneImage multisampledImage(uint32_t samples, uint32_t layers) {
  SceneImage image;
  image.format = VK_FORMAT_R32_UINT;
  image.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  image.width = 5;
  image.height = 3;
  image.layers = layers;
  image.samples = samples;
  for (uint32_t layer = 0; layer != layers; ++layer)
    for (uint32_t byte = 0; byte != 4; ++byte)
      image.bytes.push_back(byte == 0 ? uint8_t(100 + layer) : 0);
  return image;
}

// T# of the image in s[0:7], of its FMASK in s[12:19].
struct FmaskRun : AssemblyRun {
  FmaskRun(const SceneImage &image, Generation generation) : AssemblyRun(generation) {
    auto add = [&](std::vector<uint8_t> memory, auto makeDescriptor) {
      const uint64_t address = gpu.memory().map("image", std::move(memory));
      const std::array<uint32_t, 8> descriptor = makeDescriptor(generation, image, address).value();
      setup.sgprs.insert(setup.sgprs.end(), descriptor.begin(), descriptor.end());
    };
    add(compressedImageMemory(image), imageDescriptor);
    setup.sgprs.resize(12, 0u);
    add(fmaskMemory(image), fmaskDescriptor);
  }
};

} // namespace

TEST_CASE("each sample is the fragment that FMASK has for it, which need not have its number") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9})
    for (uint32_t samples : {2u, 4u, 8u})
      for (uint32_t layers : {1u, 3u}) {
        CAPTURE(int(generation));
        CAPTURE(samples);
        CAPTURE(layers);
        const SceneImage image = multisampledImage(samples, layers);
        FmaskRun run(image, generation);
        const std::string da = layers > 1 ? " da" : "", last = layers > 1 ? "2" : "1";
        unsigned elsewhere = 0;
        for (uint32_t layer = 0; layer != layers; ++layer)
          for (uint32_t y = 0; y != image.height; ++y)
            for (uint32_t x = 0; x != image.width; ++x) {
              run.setup.vgprs = {allLanes(x), allLanes(y), allLanes(layers > 1 ? layer : 0)};
              run.run("image_load v16, v[0:" + last + "], s[12:19] dmask:0x1 unorm" + da + "\ns_waitcnt vmcnt(0)");
              REQUIRE(run.trapText() == "");
              const uint32_t nibbles = run.vgpr(16, 0);
              for (uint32_t sample = 0; sample != samples; ++sample) {
                auto fragment = [&](uint32_t number) {
                  run.setup.vgprs = {allLanes(x), allLanes(y), allLanes(layers > 1 ? layer : number), allLanes(number)};
                  run.run("image_load v16, v[0:" + std::string(layers > 1 ? "3" : "2") + "], s[0:7] dmask:0x1 unorm" +
                          da + "\ns_waitcnt vmcnt(0)");
                  REQUIRE(run.trapText() == "");
                  return run.vgpr(16, 0);
                };
                CHECK(fragment(nibbles >> (4 * sample) & 0xf) == 100 + layer);
                elsewhere += fragment(sample) != 100 + layer;
              }
            }
        CHECK(elsewhere != 0);
      }
}

TEST_CASE("there is no FMASK of 3 samples") {
  SceneImage image = multisampledImage(3, 1);
  CHECK_FALSE(fmaskDescriptor(Generation::Gfx9, image, 0x1000).has_value());
}
