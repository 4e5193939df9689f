// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/fixed_function.h"
#include <doctest/doctest.h>

using namespace dovetail::layer;

namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT Raster = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT Depth = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;

// Reads a pipeline with two viewports, culling, and a depth test.
PipelineFixedFunction fixedOf(std::vector<VkDynamicState> dynamic, VkGraphicsPipelineLibraryFlagsEXT sections) {
  const VkViewport viewports[2] = {{0, 0, 8, 8, 0, 1}, {8, 0, 8, 8, 0, 1}};
  const VkRect2D scissors[2] = {{{0, 0}, {8, 8}}, {{8, 0}, {8, 8}}};
  const VkPipelineViewportStateCreateInfo viewport = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, nullptr, 0, 2, viewports, 2, scissors};
  VkPipelineRasterizationStateCreateInfo raster = {VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
  raster.cullMode = VK_CULL_MODE_BACK_BIT;
  VkPipelineDepthStencilStateCreateInfo depth = {VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  depth.depthTestEnable = VK_TRUE;
  depth.front.compareMask = 0x0f;
  const VkPipelineDynamicStateCreateInfo states = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, nullptr, 0,
                                                   uint32_t(dynamic.size()), dynamic.data()};
  VkGraphicsPipelineCreateInfo info = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pDepthStencilState = &depth;
  info.pDynamicState = &states;
  PipelineFixedFunction fixed;
  readFixedFunction(info, sections, false, fixed);
  return fixed;
}

} // namespace

TEST_CASE("dynamic state takes the place of a pipeline's, as far as the pipeline says") {
  FixedFunction dynamic;
  dynamic.viewports = {{1, 1, 2, 2, 0, 1}};
  dynamic.cullMode = VK_CULL_MODE_FRONT_BIT;
  dynamic.front.compareMask = 0xf0;
  const FixedFunction fixed = resolveFixedFunction(
      fixedOf({VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK}, Raster | Depth), dynamic);
  REQUIRE(fixed.viewports.size() == 2); // the number is the pipeline's
  CHECK(fixed.viewports[0].x == 1);
  CHECK(fixed.scissors[1].offset.x == 8);
  CHECK(fixed.cullMode == VK_CULL_MODE_BACK_BIT);
  CHECK(fixed.depthTestEnable);
  CHECK(fixed.front.compareMask == 0xf0);
}

TEST_CASE("a pipeline takes the sections of its libraries") {
  PipelineFixedFunction linked;
  mergeFixedFunction(fixedOf({VK_DYNAMIC_STATE_CULL_MODE, VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE}, Raster), Raster, linked);
  FixedFunction dynamic;
  dynamic.cullMode = VK_CULL_MODE_FRONT_BIT;
  dynamic.depthTestEnable = true;
  FixedFunction fixed = resolveFixedFunction(linked, dynamic);
  CHECK(fixed.cullMode == VK_CULL_MODE_FRONT_BIT);
  CHECK(fixed.viewports.size() == 2);
  CHECK(!fixed.depthTestEnable); // of a section that is not there
  mergeFixedFunction(fixedOf({}, Depth), Depth, linked);
  fixed = resolveFixedFunction(linked, {});
  CHECK(fixed.cullMode == VK_CULL_MODE_NONE);
  CHECK(fixed.depthTestEnable);
}

TEST_CASE("a dynamic state that nobody knows is named") {
  CHECK(fixedOf({VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT}, Raster).unsupported == "dynamic state 1000143000");
}
