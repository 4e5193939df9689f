// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/draw/waves/pixel_waves.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;

namespace {

// Quads of a wave, by the number of the primitive that each belongs to.
std::vector<PixelQuad> quadsOf(std::initializer_list<unsigned> primitives) {
  std::vector<std::shared_ptr<const PixelPrimitive>> made(16);
  std::vector<PixelQuad> quads;
  for (unsigned primitive : primitives) {
    if (!made[primitive])
      made[primitive] = std::make_shared<PixelPrimitive>();
    quads.emplace_back().primitive = made[primitive];
  }
  return quads;
}

constexpr uint32_t NewPrimitives = 0x7fff'0000;

} // namespace

TEST_CASE("the primitive mask has a bit for each quad behind the first that starts a primitive, from bit 16 on") {
  const FragmentParameters parameters = gatherParameters(quadsOf({0, 1, 2, 2, 2, 3, 3, 4}));
  CHECK(((parameters.primMask & NewPrimitives) >> 16) == 0b1010011);
  CHECK(parameters.primitives.size() == 5);
  CHECK(parameters.quadPrimitive[4] == 2);
  CHECK(parameters.quadPrimitive[7] == 4);
}

TEST_CASE("the primitive mask of a wave with one primitive has no bits but those of its place in LDS") {
  const FragmentParameters parameters = gatherParameters(quadsOf({0, 0, 0}));
  CHECK((parameters.primMask & ~0xffffu) == 0);
  CHECK(parameters.primMask != 0);
}

TEST_CASE("the sixteenth quad's bit is the last of the primitive mask") {
  const FragmentParameters parameters = gatherParameters(quadsOf({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  CHECK((parameters.primMask & ~0xffffu) == 1u << 30);
}
