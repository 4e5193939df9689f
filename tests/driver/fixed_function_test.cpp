// SPDX-License-Identifier: MIT
#include "tests/driver/fixed_function_run.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fixed_function;

namespace {

const VkViewport Inset = {3.3f, 2.5f, 30, 20.25f, 0.9f, 0.1f};

} // namespace

TEST_CASE("triangles, lines and points are drawn where lavapipe draws them, with the same values") {
  const Case cases[] = {
      {"smooth triangles", Smooth},
      {"flat triangles", Flat, Copy, 30},
      {"linear triangles", Linear},
      {"clipped smooth triangles", Smooth, Copy, 12, {}, true, 1.8f},
      {"clipped flat triangles", Flat, Copy, 12, {}, true, 1.8f},
      {"clipped linear triangles", Linear, Copy, 12, {}, true, 1.8f},
      {"triangles through the near and far planes", Smooth, Copy, 12, {}, true, 1, {-0.7f, 1.7f}},
      {"a strip", Smooth, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)},
      {"a flat strip", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP)},
      {"a flat strip, the last vertex provoking", Flat, Copy, 8,
       [](Scene &scene) {
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
         scene.state.flatProvokingVertexLast = true;
       }},
      {"a flat fan", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN)},
      {"lines", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)},
      {"clipped lines", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST), true, 1.7f},
      {"linear lines", Linear, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_LINE_LIST)},
      {"a flat line strip", Flat, Copy, 8, topology(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP)},
      {"points", Smooth, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST)},
      {"clipped points", Flat, Copy, 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST), true, 1.4f},
      {"point coordinates", Smooth, "c = vec4(gl_PointCoord, v.x, 1);", 12, topology(VK_PRIMITIVE_TOPOLOGY_POINT_LIST)},
      {"fragment positions", Smooth, "c = gl_FragCoord;"},
      {"front faces", Smooth, "c = gl_FrontFacing ? vec4(1, v.y, 0, 1) : vec4(0, 1, v.x, 1);"},
      {"fine derivatives", Smooth, "c = vec4(dFdxFine(v.x), dFdyFine(v.y), v.xy);"},
      {"clip and cull distances", Smooth, Copy, 18, {}, true, 1, {0, 1}, HandOnWithDistances},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("viewports, scissors, culling and layers") {
  std::vector<Case> cases = {
      {"a viewport and a scissor", Smooth, Copy, 15,
       [](Scene &scene) {
         scene.viewports = {Inset};
         scene.scissors = {{{5, 1}, {20, 17}}};
       },
       true, 1.5f},
      {"a viewport upside down", Smooth, Copy, 15,
       [](Scene &scene) {
         scene.viewports = {{3.3f, 25, 30, -20.25f, 0, 1}};
       },
       true, 1.5f},
      {"layers and viewports",
       Smooth,
       Copy,
       18,
       [](Scene &scene) {
         scene.layers = 3;
         scene.viewports = {{0, 0, Width, Height, 0, 1}, {5, 4, 20, 15, 0, 1}};
         scene.scissors = {{{0, 0}, {Width, Height}}, {{0, 0}, {Width, Height}}};
       },
       true,
       1,
       {0, 1},
       HandOnToLayers},
  };
  for (VkCullModeFlags cullMode : {VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT})
    for (VkFrontFace frontFace : {VK_FRONT_FACE_CLOCKWISE, VK_FRONT_FACE_COUNTER_CLOCKWISE})
      cases.push_back({"culling", Smooth, Copy, 15, [=](Scene &scene) {
                         scene.cullMode = cullMode;
                         scene.frontFace = frontFace;
                       }});
  for (const Case &drawn : cases)
    checkCase(drawn);
}

// Shows state: depthClampEnable (Register).
TEST_CASE("depth and stencil") {
  const Case cases[] = {
      {"a depth test", Smooth, Copy, 15, useDepth},
      {"a depth test and pixels that are thrown away", Smooth, "if (v.x < 0.5) discard; c = v;", 15, useDepth},
      {"a depth of the shader's own", Smooth, "c = v; gl_FragDepth = v.x;", 15, useDepth},
      {"depth without a fragment shader", nullptr, "", 15,
       [](Scene &scene) {
         useDepth(scene);
         scene.state.colorTargets[0].writeMask = 0; // colours would be undefined
       }},
      {"depth clamp",
       Smooth,
       Copy,
       15,
       [](Scene &scene) {
         useDepth(scene);
         scene.state.depthClampEnable = true;
         scene.viewports = {Inset};
       },
       false,
       1,
       {-0.5f, 1.5f}},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("four samples") {
  auto alphaToCoverage = [](Scene &scene) {
    useFourSamples(scene);
    scene.state.alphaToCoverageEnable = true;
  };
  const Case cases[] = {
      {"smooth triangles", Smooth, Copy, 9, useFourSamples},
      {"flat triangles", Flat, Copy, 30, useFourSamples},
      {"lines", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
       }},
      {"points", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
       }},
      {"centroids", Centroid, Copy, 9, useFourSamples, false},
      {"sample shading", Sample, Copy, 9, useFourSamples, false},
      {"sample numbers", Smooth, "c = vec4(gl_SampleID, gl_SamplePosition, gl_SampleMaskIn[0]);", 9, useFourSamples},
      {"sample masks", Smooth, "c = vec4(gl_SampleMaskIn[0], v.xyz); gl_SampleMask[0] = 5;", 9, useFourSamples},
      {"a sample mask of the state", Flat, Copy, 12,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.sampleMask = 6;
       }},
      {"pixels that are thrown away", Smooth, "if (v.x < 0.5) discard; c = v;", 9, useFourSamples},
      {"alpha to coverage", Smooth, Copy, 9, alphaToCoverage},
      {"a depth test", Smooth, Copy, 15,
       [](Scene &scene) {
         useFourSamples(scene);
         useDepth(scene);
       }},
      {"a viewport", Smooth, Copy, 9,
       [](Scene &scene) {
         useFourSamples(scene);
         scene.viewports = {Inset};
       }},
  };
  for (const Case &drawn : cases)
    checkCase(drawn);
}

TEST_CASE("blending with each factor and operation") {
  for (int factor = VK_BLEND_FACTOR_ZERO; factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA; ++factor) {
    const bool isDual = factor >= VK_BLEND_FACTOR_SRC1_COLOR;
    const Case drawn = {"a factor",
                        isDual ? "layout(location = 0) in vec4 v; layout(location = 0, index = 0) out vec4 c;"
                                 "layout(location = 0, index = 1) out vec4 d;"
                               : Smooth,
                        isDual ? "c = v * 2.4 - 0.7; d = v.yzwx;" : "c = v * 2.4 - 0.7;", 9, [=](Scene &scene) {
                          ColorTarget &target = scene.state.colorTargets[0];
                          target.blendEnable = true;
                          target.srcColorBlendFactor = target.dstAlphaBlendFactor = VkBlendFactor(factor);
                          target.dstColorBlendFactor = target.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
                          target.colorBlendOp = VkBlendOp(factor % 5);
                          target.alphaBlendOp = VkBlendOp(factor % 3);
                          scene.blendConstants = {0.2f, 0.4f, 0.6f, 0.8f};
                        }};
    checkCase(drawn);
  }
}

TEST_CASE("normalised, small float and integer targets") {
  for (VkFormat format :
       {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_R16G16_SFLOAT,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_R8G8B8A8_SNORM}) {
    const Case drawn = {"a format", Smooth, "c = v * 2.4 - 0.7;", 9,
                        [=](Scene &scene) { scene.state.colorTargets[0].format = format; }};
    checkCase(drawn);
  }
  const Case integers = {"integers", "layout(location = 1) flat in vec4 v; layout(location = 0) out ivec4 c;",
                         "c = ivec4(v * 300.0) - 150;", 9, [](Scene &scene) {
                           scene.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_SINT;
                           scene.clearColors[0] = {};
                         }};
  checkCase(integers);
}
