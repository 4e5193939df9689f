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

// Stencils of all three bits that fillTargets() sets, with a test that some of them pass.
void useStencil(Scene &scene, VkCompareOp compareOp, VkStencilOp firstOp) {
  useDepth(scene);
  fillTargets(scene);
  auto op = [&](unsigned i) { return VkStencilOp((unsigned(firstOp) + i) % (VK_STENCIL_OP_DECREMENT_AND_WRAP + 1)); };
  scene.stencilFront = {op(0), op(1), op(2), compareOp, 0x7, 0xff, 4};
  scene.stencilBack = {op(3), op(4), op(5), VkCompareOp(VK_COMPARE_OP_ALWAYS - compareOp), 0x3, 0x1e, 2};
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
         scene.viewports = {{0, 0, Width, Height, 0, 1}, {5, 4, 20, 15, 0, 1}};
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

TEST_CASE("stencil tests with each comparison and operation, by facing") {
  for (unsigned op = 0; op <= VK_STENCIL_OP_DECREMENT_AND_WRAP; ++op)
    checkCase({"a stencil test", Smooth, Copy, 24,
               [=](Scene &scene) { useStencil(scene, VkCompareOp(op), VkStencilOp(op)); }});
  checkCase({"a stencil test of samples", Smooth, Copy, 24, [=](Scene &scene) {
               useFourSamples(scene);
               useStencil(scene, VK_COMPARE_OP_LESS, VK_STENCIL_OP_INVERT);
               scene.keepSamples = true;
             }});
  checkCase({"a stencil test behind the shader", Smooth, "if (v.x < 0.4) discard; c = v;", 24, [=](Scene &scene) {
               useStencil(scene, VK_COMPARE_OP_GREATER_OR_EQUAL, VK_STENCIL_OP_INCREMENT_AND_WRAP);
             }});
  checkCase({"a stencil test of lines", Flat, Copy, 24, [=](Scene &scene) {
               useStencil(scene, VK_COMPARE_OP_NOT_EQUAL, VK_STENCIL_OP_ZERO);
               scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
             }});
}

TEST_CASE("depth tests in each depth format") {
  for (VkFormat format :
       {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT})
    checkCase({"a depth test", Smooth, Copy, 24, [=](Scene &scene) {
                 useDepth(scene);
                 scene.state.depthStencilFormat = format;
                 fillTargets(scene);
               }});
}

TEST_CASE("logic operations combine the bits of integers") {
  for (unsigned op = VK_LOGIC_OP_CLEAR; op <= VK_LOGIC_OP_SET; ++op)
    for (VkFormat format : {VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R32_UINT})
      checkCase({"an operation", "layout(location = 1) flat in vec4 v; layout(location = 0) out uvec4 c;",
                 "c = uvec4(v * 255.0);", 15, [=](Scene &scene) {
                   scene.state.colorTargets[0].format = format;
                   scene.state.colorTargets[0].writeMask = 0xb;
                   scene.clearColors[0] = {};
                   scene.clearColors[0].uint32[0] = 0x5a;
                   scene.clearColors[0].uint32[1] = 0x36;
                   scene.logicOpEnable = true;
                   scene.logicOp = VkLogicOp(op);
                 }});
}

TEST_CASE("logic operations leave out floats, and take the place of blending") {
  auto useOperation = [](Scene &scene, VkFormat format, VkLogicOp op) {
    scene.state.colorTargets[0].format = format;
    useBlending(scene);
    scene.logicOpEnable = true;
    scene.logicOp = op;
  };
  checkCase({"floats", Smooth, Copy, 15,
             [=](Scene &scene) { useOperation(scene, VK_FORMAT_R32G32B32A32_SFLOAT, VK_LOGIC_OP_XOR); }});
  checkCase(
      {"sRGB", Smooth, Copy, 15, [=](Scene &scene) { useOperation(scene, VK_FORMAT_R8G8B8A8_SRGB, VK_LOGIC_OP_AND); }});
  for (VkFormat format : {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R5G6B5_UNORM_PACK16})
    for (VkLogicOp op : {VK_LOGIC_OP_INVERT, VK_LOGIC_OP_COPY, VK_LOGIC_OP_NO_OP, VK_LOGIC_OP_COPY_INVERTED})
      checkCase({"normalised numbers", Smooth, Copy, 15, [=](Scene &scene) { useOperation(scene, format, op); }});
}

TEST_CASE("an occlusion query counts the samples that pass all tests") {
  auto count = [](Scene &scene) { scene.countQueries = true; };
  const Case cases[] = {
      {"pixels", Smooth, Copy, 15, count},
      {"pixels that are thrown away", Smooth, "if (v.x < 0.5) discard; c = v;", 15, count},
      {"samples behind a depth test", Smooth, Copy, 15,
       [=](Scene &scene) {
         useFourSamples(scene);
         useDepth(scene);
         fillTargets(scene);
         count(scene);
       }},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("alpha to one") {
  checkCase({"blended", Smooth, Copy, 15, [](Scene &scene) {
               useFourSamples(scene);
               useBlending(scene);
               scene.state.alphaToOneEnable = true;
             }});
}
