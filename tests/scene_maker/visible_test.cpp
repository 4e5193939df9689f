// SPDX-License-Identifier: MIT
//
// Made-up states leave something to see. The visible effect of blending is worked out by hand for a destination of 0.3
// to 0.7.
#include "src/state/format_table.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/maker/blend_estimate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <string>

using namespace dovetail;

namespace {

ShaderSet drawing(const char *output) {
  return shadersOf("layout(location = 0) in vec4 position; void main() { gl_Position = position; }",
                   std::string("layout(location = 0) out ") + output);
}

ColorTarget blended(VkBlendFactor source, VkBlendFactor destination, VkBlendOp op) {
  ColorTarget target;
  target.format = VK_FORMAT_R8G8B8A8_UNORM;
  target.blendEnable = true;
  target.srcColorBlendFactor = target.srcAlphaBlendFactor = source;
  target.dstColorBlendFactor = target.dstAlphaBlendFactor = destination;
  target.colorBlendOp = target.alphaBlendOp = op;
  return target;
}

constexpr BlendColor Black = {0, 0, 0, 1}, White = {1, 1, 1, 1};

} // namespace

TEST_CASE("a write mask leaves a component that the shader writes and the format has") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    ColorTarget target = randomState(drawing("float target; void main() { target = 0.5; }"), seed).colorTargets[0];
    CHECK((target.writeMask & 1) != 0);
    target = randomState(drawing("vec4 target; void main() { target = vec4(0.5); }"), seed).colorTargets[0];
    CHECK((target.writeMask & ((1u << findFormat(target.format)->componentCount) - 1)) != 0);
  }
}

TEST_CASE("a component that no narrow format has gets a format that has it") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 position; void main() { gl_Position = position; }",
                                "layout(location = 0, component = 3) out float target;"
                                "void main() { target = 0.5; }");
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ColorTarget target = randomState(shaders, seed).colorTargets[0];
    CHECK(findFormat(target.format)->componentCount == 4);
    CHECK((target.writeMask & 8) != 0);
  }
}

TEST_CASE("blending that keeps the destination shows nothing") {
  // Alpha 1: white * (1 - 1) + destination * 1.
  ColorTarget target = blended(VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_OP_ADD);
  CHECK_FALSE(blendingShows(target, White, 15, true));
  CHECK(blendingShows(target, {1, 1, 1, 0.5f}, 15, true));
  // The sum with black shows in alpha alone.
  target = blended(VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD);
  CHECK_FALSE(blendingShows(target, Black, 7, true));
  CHECK(blendingShows(target, Black, 15, true));
  CHECK(blendingShows(target, White, 7, true));
  // Without alpha in the format, the destination's alpha is 1, so 1 - 1 of the source is added.
  target = blended(VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD);
  CHECK(blendingShows(target, White, 7, true));
  CHECK_FALSE(blendingShows(target, White, 7, false));
  // No colour is below 0 or above 1.
  CHECK_FALSE(blendingShows(blended({}, {}, VK_BLEND_OP_MIN), White, 15, true));
  CHECK_FALSE(blendingShows(blended({}, {}, VK_BLEND_OP_MAX), {0, 0, 0, 0}, 15, true));
}

TEST_CASE("random blending shows a grey") {
  ShaderSet shaders = drawing("vec4 target; void main() { target = vec4(0.4, 0.4, 0.4, 1.0); }");
  unsigned blends = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    ColorTarget target = randomState(shaders, seed).colorTargets[0];
    if (!target.blendEnable)
      continue;
    ++blends;
    uint32_t stored = (1u << findFormat(target.format)->componentCount) - 1;
    CHECK(blendingShows(target, {0.4f, 0.4f, 0.4f, 1}, target.writeMask & stored, stored & 8));
  }
  CHECK(blends > 60);
}

TEST_CASE("targets are cleared to neither 0 nor 1") {
  ShaderSet shaders = drawing("vec4 target; void main() { target = vec4(1.0); }");
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    Result<Scene> scene = makeScene(shaders, randomState(shaders, seed), {seed, 32, 32});
    REQUIRE(scene);
    for (float value : scene->clearColors[0].float32) {
      CHECK(value >= 0.1f);
      CHECK(value <= 0.9f);
    }
  }
}

TEST_CASE("strips have triangles of both facings") {
  ShaderSet shaders = drawing("vec4 target; void main() { target = vec4(1.0); }");
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    PipelineState state;
    state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
    state.vertexBindings = {{0, 8, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
    Result<Scene> scene = makeScene(shaders, state, {seed, 32, 32});
    REQUIRE(scene);
    auto position = [&](uint32_t i) {
      uint32_t vertex = scene->indices.empty() ? scene->firstVertex + i : scene->vertexOffset + scene->indices[i];
      std::array<float, 2> xy;
      size_t place = size_t(state.vertexBindings[0].stride) * vertex + state.vertexAttributes[0].offset;
      std::memcpy(xy.data(), &scene->vertexBuffers[0].bytes[place], sizeof(xy));
      return xy;
    };
    unsigned clockwise = 0, counterClockwise = 0;
    for (uint32_t i = 0, first = 0; i < scene->vertexCount; ++i) {
      if (!scene->indices.empty() && scene->indices[i] == 0xffffffff)
        first = i + 1;
      if (i < first + 2)
        continue;
      auto a = position(i - 2), b = position(i - 1), c = position(i);
      float area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
      if ((i - first) % 2) // every other triangle of a strip is turned around
        area = -area;
      clockwise += area > 1e-4f;
      counterClockwise += area < -1e-4f;
    }
    CHECK(clockwise > 8);
    CHECK(counterClockwise > 8);
  }
}
