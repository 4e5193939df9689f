// SPDX-License-Identifier: MIT
//
// The samples of a multisampled target, resolved.
#include "tools/proof/emulator/draw/output/targets.h"
#include <bit>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

// One texel of four samples.
Targets fourSamples(std::initializer_list<unsigned> values) {
  Scene scene;
  scene.width = scene.height = 1;
  scene.state.rasterizationSamples = 4;
  scene.state.colorTargets[0].format = VK_FORMAT_R8_UNORM;
  Result<Targets> targets = Targets::make(scene);
  REQUIRE_MESSAGE(targets, targets.error().text);
  uint32_t sample = 0;
  for (unsigned value : values)
    targets->writeColor(0, {0, 0, 0, sample++}, {std::bit_cast<uint32_t>(float(value) / 255)}, 1);
  return std::move(*targets);
}

std::set<unsigned> resolvedUnderNoise(const Targets &targets) {
  std::set<unsigned> values;
  for (uint64_t seed = 1; seed <= 50; ++seed)
    values.insert(targets.finish(RoundingNoise(seed)).colors[0].bytes[0]);
  return values;
}

} // namespace

TEST_CASE("the mean of samples is rounded to the next value of the format") {
  CHECK(fourSamples({10, 10, 10, 11}).finish().colors[0].bytes[0] == 10);
  CHECK(fourSamples({10, 11, 11, 11}).finish().colors[0].bytes[0] == 11);
}

TEST_CASE("under noise a mean between two values becomes either, and no other mean changes") {
  CHECK(resolvedUnderNoise(fourSamples({10, 10, 11, 11})) == std::set<unsigned>{10, 11});
  CHECK(resolvedUnderNoise(fourSamples({10, 10, 10, 11})) == std::set<unsigned>{10});
  CHECK(resolvedUnderNoise(fourSamples({10, 10, 10, 10})) == std::set<unsigned>{10});
}
