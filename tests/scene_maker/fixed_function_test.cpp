// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/scene_file.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Scene sceneOf(uint64_t seed) {
  Scene scene;
  scene.seed = seed;
  scene.width = scene.height = 4;
  scene.state.colorTargets[0].format = seed % 2 == 0 ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R32_UINT;
  scene.depthTestEnable = seed % 4 < 2;
  return scene;
}

} // namespace

TEST_CASE("random states reach each part of the fixed function, and most scenes stay without it") {
  struct Part {
    const char *name;
    bool (*isUsed)(const Scene &scene);
    unsigned scenes = 0;
  };
  Part parts[] = {
      {"colours", [](const Scene &scene) { return !scene.initialColors[0].empty(); }},
      {"depths", [](const Scene &scene) { return !scene.initialDepth.empty(); }},
      {"stencil", [](const Scene &scene) { return scene.stencilTestEnable && !scene.initialStencil.empty(); }},
      {"depth bias", [](const Scene &scene) { return scene.depthBiasEnable; }},
      {"polygon mode", [](const Scene &scene) { return scene.polygonMode != VK_POLYGON_MODE_FILL; }},
      {"line mode", [](const Scene &scene) { return scene.lineMode == VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT; }},
      {"logic operation", [](const Scene &scene) { return scene.logicOpEnable; }},
      {"range of depth", [](const Scene &scene) { return scene.negativeOneToOne; }},
  };
  constexpr unsigned Scenes = 200;
  for (uint64_t seed = 0; seed < Scenes; ++seed) {
    Scene scene = sceneOf(seed);
    chooseFixedFunction({}, scene);
    const Result<void> isGood = checkDrawData(scene);
    REQUIRE_MESSAGE(isGood.has_value(), isGood.error().text);
    for (Part &part : parts)
      part.scenes += part.isUsed(scene);
  }
  for (const Part &part : parts) {
    CAPTURE(std::string(part.name));
    CHECK(part.scenes >= 5);
    CHECK(part.scenes <= Scenes / 2);
  }
}

TEST_CASE("the same seed gives the same fixed function") {
  Scene first = sceneOf(17), second = sceneOf(17);
  chooseFixedFunction({}, first);
  chooseFixedFunction({}, second);
  CHECK(writeScene(first) == writeScene(second));
}
