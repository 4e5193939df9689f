// SPDX-License-Identifier: MIT
//
// States of the rasteriser: lines and polygon modes, depth bias, and the range of depth.
#include "tests/driver/fixed_function_run.h"
#include <array>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::fixed_function;

namespace {

void useLines(Scene &scene, float width, VkLineRasterizationModeEXT mode) {
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  scene.lineWidth = width;
  scene.lineMode = mode;
}

// Moves all vertices to centres and corners of pixels, so that lines are horizontal, vertical and diagonal.
void snapToHalfPixels(Scene &scene) {
  std::vector<uint8_t> &bytes = scene.vertexBuffers[0].bytes;
  for (size_t at = 0; at < bytes.size(); at += 32) {
    std::array<float, 4> position;
    std::memcpy(position.data(), &bytes[at], sizeof(position));
    for (unsigned axis = 0; axis < 2; ++axis) {
      const float size = axis == 0 ? Width : Height;
      const float place = (position[axis] / position[3] + 1) * 0.5f * size;
      position[axis] = (std::round(place * 0.5f) / (0.25f * size) - 1) * position[3];
    }
    std::memcpy(&bytes[at], position.data(), sizeof(position));
  }
}

void useBias(Scene &scene, VkFormat format, float constant, float slope, float clamp = 0) {
  useDepth(scene);
  scene.state.depthStencilFormat = format;
  scene.clearDepth = 0.5f;
  scene.depthBiasEnable = true;
  scene.depthBiasConstant = constant;
  scene.depthBiasSlope = slope;
  scene.depthBiasClamp = clamp;
}

} // namespace

TEST_CASE("lines of each width and mode") {
  for (float width : {1.0f, 2.0f, 3.5f, 0.5f, 7.25f}) {
    checkCase({"wide rectangles", Smooth, Copy, 12,
               [=](Scene &scene) { useLines(scene, width, VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT); }});
    checkCase({"clipped wide rectangles", Flat, Copy, 12,
               [=](Scene &scene) { useLines(scene, width, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT); }, true, 1.5f});
    checkCase({"Bresenham lines", Smooth, Copy, 40,
               [=](Scene &scene) { useLines(scene, width, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT); }});
    checkCase({"clipped Bresenham lines", Linear, Copy, 40,
               [=](Scene &scene) { useLines(scene, width, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT); }, true, 1.5f});
    checkCase({"wide rectangles of samples", Flat, Copy, 12, [=](Scene &scene) {
                 useFourSamples(scene);
                 useLines(scene, width, VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT);
               }});
  }
}

TEST_CASE("Bresenham lines between centres and corners of pixels") {
  for (bool areEdges : {false, true})
    checkCase({areEdges ? "edges of triangles" : "lines", Smooth, Copy, 60, [=](Scene &scene) {
                 useLines(scene, 1, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT);
                 snapToHalfPixels(scene);
                 scene.polygonMode = VK_POLYGON_MODE_LINE;
                 if (areEdges)
                   scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
               }});
}

TEST_CASE("triangles without area have edges, and count as back faces") {
  for (VkCullModeFlagBits culled : {VK_CULL_MODE_NONE, VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT})
    checkCase({"edges", Smooth, "c = gl_FrontFacing ? vec4(1, v.y, 0, 1) : vec4(0, 1, v.x, 1);", 24, [=](Scene &scene) {
                 scene.polygonMode = VK_POLYGON_MODE_LINE;
                 scene.cullMode = culled;
                 scene.indices = {0, 1, 1, 2, 3, 2, 4, 5, 6, 7, 7, 7, 8, 8, 9, 10, 11, 12};
                 scene.vertexCount = 18;
               }});
}

TEST_CASE("the edges of a triangle come in the order that follows from its provoking vertex") {
  for (VkPrimitiveTopology topology : {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP})
    for (bool isLast : {false, true})
      for (VkLineRasterizationModeEXT mode :
           {VK_LINE_RASTERIZATION_MODE_RECTANGULAR_EXT, VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT})
        checkCase({"edges", Smooth, Copy, 24, [=](Scene &scene) {
                     useLines(scene, 2, mode);
                     scene.polygonMode = VK_POLYGON_MODE_LINE;
                     scene.state.topology = topology;
                     scene.state.flatProvokingVertexLast = isLast;
                   }});
}

TEST_CASE("polygons are drawn as their edges or corners") {
  for (VkPolygonMode mode : {VK_POLYGON_MODE_LINE, VK_POLYGON_MODE_POINT}) {
    auto use = [=](Scene &scene) { scene.polygonMode = mode; };
    const Case cases[] = {
        {"smooth triangles", Smooth, Copy, 15, use},
        {"clipped triangles", Smooth, Copy, 15, use, true, 1.7f},
        {"clipped flat triangles", Flat, Copy, 15, use, true, 1.7f},
        {"triangles through the near and far planes", Smooth, Copy, 15, use, true, 1, {-0.7f, 1.7f}},
        {"clip and cull distances", Smooth, Copy, 15, use, true, 1, {0, 1}, HandOnWithDistances},
        {"a flat strip, the last vertex provoking", Flat, Copy, 8,
         [=](Scene &scene) {
           use(scene);
           scene.state.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
           scene.state.flatProvokingVertexLast = true;
         }},
        {"culled triangles", Smooth, Copy, 24,
         [=](Scene &scene) {
           use(scene);
           scene.cullMode = VK_CULL_MODE_BACK_BIT;
         }},
        {"front faces", Smooth, "c = gl_FrontFacing ? vec4(1, v.y, 0, 1) : vec4(0, 1, v.x, 1);", 24, use},
        {"wide lines", Flat, Copy, 15,
         [=](Scene &scene) {
           use(scene);
           scene.lineWidth = 3;
         }},
        {"lines are drawn as ever", Smooth, Copy, 12,
         [=](Scene &scene) {
           use(scene);
           scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
         }},
    };
    for (const Case &drawn : cases)
      checkCase(drawn);
  }
}

TEST_CASE("a depth bias moves polygons in each depth format") {
  for (VkFormat format : {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT}) {
    const float step = format == VK_FORMAT_D16_UNORM ? 2000 : 400000;
    const Case cases[] = {
        {"a constant", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, step, 0); }},
        {"a negative constant", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, -step, 0); }},
        {"a slope", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, 0, 1.5f); }},
        {"both", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, step, -0.1f); }, true, 1, {0.3f, 0.7f}},
        {"both, clamped", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, step, 1, 0.03f); }},
        {"both, clamped below", Smooth, Copy, 15, [=](Scene &scene) { useBias(scene, format, -step, -1, -0.02f); }},
        {"none for lines", Smooth, Copy, 15,
         [=](Scene &scene) {
           useBias(scene, format, step, 1);
           scene.state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
         }},
    };
    for (const Case &drawn : cases)
      checkCase(drawn);
  }
}

TEST_CASE("a depth bias moves the edges of polygons") {
  checkCase({"edges", Smooth, Copy, 15, [](Scene &scene) {
               useBias(scene, VK_FORMAT_D32_SFLOAT, 400000, 0.5f);
               scene.polygonMode = VK_POLYGON_MODE_LINE;
             }});
}

TEST_CASE("depth from -w to w") {
  auto use = [](Scene &scene) {
    useDepth(scene);
    scene.negativeOneToOne = true;
  };
  checkCase({"a depth test", Smooth, Copy, 15, use, true, 1, {-1, 1}});
  checkCase({"the near and far planes", Smooth, Copy, 15, use, true, 1, {-1.7f, 1.7f}});
  checkCase({"a range of depth",
             Smooth,
             "c = vec4(gl_FragCoord.z, v.xyz);",
             15,
             [=](Scene &scene) {
               use(scene);
               scene.viewports = {{0, 0, Width, Height, 0.25f, 0.75f}};
             },
             true,
             1,
             {-1, 1}});
}
