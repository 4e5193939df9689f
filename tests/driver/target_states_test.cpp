// SPDX-License-Identifier: MIT
//
// What targets hold before the draw, and what tests and blending make of it.
#include "src/state/format_table.h"
#include "tests/driver/fixed_function_run.h"
#include "tools/proof/scene/texel.h"
#include <cstring>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;
using namespace dovetail::fixed_function;

namespace {

// Gives all targets contents that differ from sample to sample.
void fillTargets(Scene &scene) {
  std::mt19937 engine(7);
  const size_t samples = size_t(scene.width) * scene.height * scene.layers * scene.state.rasterizationSamples;
  auto unit = [&] { return float(engine() >> 8) / float(1 << 24); };
  for (size_t i = 0; i < scene.initialColors.size(); ++i)
    if (const VkFormat format = scene.state.colorTargets[i].format; format != VK_FORMAT_UNDEFINED) {
      const TexelLayout layout = texelLayout(format).value();
      scene.initialColors[i].resize(samples * layout.bytes);
      for (size_t sample = 0; sample < samples; ++sample) {
        const std::array<float, 4> color = {unit(), unit(), unit(), unit()};
        encodeTexel(layout, std::bit_cast<TexelValue>(color), &scene.initialColors[i][sample * layout.bytes]);
      }
    }
  if (hasDepth(scene.state.depthStencilFormat)) {
    scene.initialDepth.resize(samples * sizeof(float));
    for (size_t sample = 0; sample < samples; ++sample) {
      const float depth = unit();
      std::memcpy(&scene.initialDepth[sample * sizeof(float)], &depth, sizeof(float));
    }
  }
  if (hasStencil(scene.state.depthStencilFormat))
    for (size_t sample = 0; sample < samples; ++sample)
      scene.initialStencil.push_back(uint8_t(engine() % 8));
}

void useBlending(Scene &scene) {
  ColorTarget &target = scene.state.colorTargets[0];
  target.blendEnable = true;
  target.srcColorBlendFactor = target.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA;
  target.dstColorBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
}

} // namespace

TEST_CASE("a draw goes on from what its targets hold") {
  const Case cases[] = {
      {"colours and depths", Smooth, Copy, 15,
       [](Scene &scene) {
         useDepth(scene);
         useBlending(scene);
         fillTargets(scene);
       }},
      {"normalised colours", Smooth, Copy, 15,
       [](Scene &scene) {
         useBlending(scene);
         scene.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
         fillTargets(scene);
       }},
      {"depths of 24 bits beside cleared stencils", Smooth, Copy, 15,
       [](Scene &scene) {
         useDepth(scene);
         scene.state.depthStencilFormat = VK_FORMAT_D24_UNORM_S8_UINT;
         scene.clearStencil = 3;
         fillTargets(scene);
         scene.initialStencil.clear();
       }},
      {"layers",
       Smooth,
       Copy,
       18,
       [](Scene &scene) {
         scene.layers = 3;
         useDepth(scene);
         fillTargets(scene);
       },
       true,
       1,
       {0, 1},
       HandOnToLayers},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("samples of targets are read, written and compared one by one") {
  for (VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D24_UNORM_S8_UINT,
                          VK_FORMAT_D32_SFLOAT, VK_FORMAT_D32_SFLOAT_S8_UINT}) {
    const Case cases[] = {
        {"samples that the draw begins with and that are kept", Smooth, Copy, 15,
         [=](Scene &scene) {
           useFourSamples(scene);
           useDepth(scene);
           useBlending(scene);
           scene.state.depthStencilFormat = format;
           fillTargets(scene);
           scene.keepSamples = true;
         }},
        {"samples that are kept after a clear", Smooth, Copy, 15,
         [=](Scene &scene) {
           useFourSamples(scene);
           useDepth(scene);
           scene.state.depthStencilFormat = format;
           scene.keepSamples = true;
         }},
        {"samples that the draw begins with and that are resolved", Smooth, Copy, 15,
         [=](Scene &scene) {
           useFourSamples(scene);
           useDepth(scene);
           scene.state.depthStencilFormat = format;
           fillTargets(scene);
         }},
        {"depths beside cleared colours and stencils", Smooth, Copy, 15,
         [=](Scene &scene) {
           useFourSamples(scene);
           useDepth(scene);
           scene.state.depthStencilFormat = format;
           scene.clearStencil = 5;
           fillTargets(scene);
           scene.initialColors[0].clear();
           scene.initialStencil.clear();
           scene.keepSamples = true;
         }},
    };
    for (const Case &drawn : cases)
      checkCase(drawn);
  }
}
