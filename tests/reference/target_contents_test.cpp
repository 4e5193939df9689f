// SPDX-License-Identifier: MIT
//
// Targets that hold something before the draw. Draws of nothing give it back.
#include "src/state/format_table.h"
#include "tests/reference/shader_scene.h"
#include "tools/proof/scene/texel.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const char *const Gray = "layout(location = 0) out vec4 c; void main() { c = vec4(0.5); }";

// Fills all targets of a scene; each sample differs from its neighbours.
void fill(Scene &scene) {
  const size_t samples = size_t(scene.width) * scene.height * scene.layers * scene.state.rasterizationSamples;
  const unsigned texelBytes = texelLayout(scene.state.colorTargets[0].format).value().bytes;
  scene.initialColors[0].resize(samples * texelBytes);
  for (size_t i = 0; i < scene.initialColors[0].size(); ++i)
    scene.initialColors[0][i] = uint8_t(i * 37 % 101);
  if (hasDepth(scene.state.depthStencilFormat))
    for (size_t sample = 0; sample < samples; ++sample) {
      const float depth = float(sample) / float(samples); // all formats hold it closely enough
      const auto *bytes = reinterpret_cast<const uint8_t *>(&depth);
      scene.initialDepth.insert(scene.initialDepth.end(), bytes, bytes + sizeof(depth));
    }
  if (hasStencil(scene.state.depthStencilFormat))
    for (size_t sample = 0; sample < samples; ++sample)
      scene.initialStencil.push_back(uint8_t(sample * 7));
}

// The greatest distance of two lists of depths.
float depthDistance(const std::vector<uint8_t> &a, const std::vector<uint8_t> &b) {
  REQUIRE(a.size() == b.size());
  float greatest = 0;
  for (size_t at = 0; at < a.size(); at += sizeof(float)) {
    float first = 0, second = 0;
    std::memcpy(&first, &a[at], sizeof(float));
    std::memcpy(&second, &b[at], sizeof(float));
    greatest = std::max(greatest, std::abs(first - second));
  }
  return greatest;
}

} // namespace

TEST_CASE("a draw of nothing leaves what the targets hold, in every sample") {
  for (VkFormat format :
       {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R5G6B5_UNORM_PACK16})
    for (VkFormat depth : {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D24_UNORM_S8_UINT,
                           VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_S8_UINT})
      for (uint32_t samples : {1, 4}) {
        CAPTURE(int(format));
        CAPTURE(int(depth));
        CAPTURE(samples);
        Scene scene = graphicsScene(FullScreenVertex, Gray);
        scene.vertexCount = 0;
        scene.width = 5;
        scene.layers = 2;
        scene.state.colorTargets[0].format = format;
        scene.state.depthStencilFormat = depth;
        scene.state.rasterizationSamples = samples;
        scene.keepSamples = true;
        fill(scene);
        const SceneResult result = drawn(scene);
        CHECK(result.colors[0].width == 5 * samples);
        CHECK(result.colors[0].bytes == scene.initialColors[0]);
        CHECK(result.stencil.bytes == scene.initialStencil);
        CHECK(depthDistance(result.depth.bytes, scene.initialDepth) <= (depth == VK_FORMAT_D16_UNORM ? 1e-5f : 1e-7f));
      }
}

TEST_CASE("samples are those that the sample mask draws") {
  Scene scene = graphicsScene(FullScreenVertex, Gray);
  scene.state.colorTargets[0].format = VK_FORMAT_R32_SFLOAT;
  scene.state.rasterizationSamples = 4;
  scene.sampleMask = 0x6;
  scene.keepSamples = true;
  scene.clearColors[0].float32[0] = 2;
  const SceneResult result = drawn(scene);
  for (uint32_t sample = 0; sample < 4; ++sample)
    CHECK(floatAt(result.colors[0], 4 * 2 + sample, 3) == (sample == 1 || sample == 2 ? 0.5f : 2.0f));
}
