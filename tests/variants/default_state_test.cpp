// SPDX-License-Identifier: MIT
#include "variants/state/default_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

TEST_CASE("attributes are packed tightly into binding 0 with the shader's own types") {
  spirv::Reflection vertex;
  vertex.vertexInputs = {{0, 0, 0x7, NumericClass::Float, 32, ""},
                         {2, 0, 0x3, NumericClass::Uint, 32, ""},
                         {3, 0, 0xf, NumericClass::Float, 64, ""},
                         {5, 0, 0x1, NumericClass::Sint, 32, ""}};
  PipelineState state = defaultState(&vertex, nullptr);
  REQUIRE(state.vertexAttributes.size() == 4);
  CHECK(state.vertexAttributes[0].format == VK_FORMAT_R32G32B32_SFLOAT);
  CHECK(state.vertexAttributes[1].format == VK_FORMAT_R32G32_UINT);
  CHECK(state.vertexAttributes[1].location == 2);
  CHECK(state.vertexAttributes[1].offset == 12);
  CHECK(state.vertexAttributes[2].format == VK_FORMAT_R64G64_SFLOAT);
  CHECK(state.vertexAttributes[2].offset == 20);
  CHECK(state.vertexAttributes[3].format == VK_FORMAT_R32_SINT);
  REQUIRE(state.vertexBindings.size() == 1);
  CHECK(state.vertexBindings[0].stride == 40);
}

TEST_CASE("components up to the highest declared one are fetched") {
  spirv::Reflection vertex;
  vertex.vertexInputs = {{0, 0, 0x4, NumericClass::Float, 32, ""}};
  CHECK(defaultState(&vertex, nullptr).vertexAttributes[0].format == VK_FORMAT_R32G32B32_SFLOAT);
}

TEST_CASE("colours have a target of their class, and other locations none") {
  spirv::Reflection fragment;
  fragment.fragmentOutputs = {{0, 0, 0xf, NumericClass::Float, 32, ""},
                              {2, 0, 0x1, NumericClass::Sint, 32, ""},
                              {7, 0, 0x3, NumericClass::Uint, 32, ""}};
  PipelineState state = defaultState(nullptr, &fragment);
  CHECK(state.vertexBindings.empty());
  CHECK(state.colorTargets[0].format == VK_FORMAT_R8G8B8A8_UNORM);
  CHECK(state.colorTargets[1].format == VK_FORMAT_UNDEFINED);
  CHECK(state.colorTargets[2].format == VK_FORMAT_R32G32B32A32_SINT);
  CHECK(state.colorTargets[7].format == VK_FORMAT_R32G32B32A32_UINT);
  CHECK_FALSE(state.colorTargets[0].blendEnable);
}

TEST_CASE("a second source of colour 0 is blended with") {
  spirv::Reflection fragment;
  fragment.fragmentOutputs = {{0, 0, 0xf, NumericClass::Float, 32, ""}, {0, 1, 0xf, NumericClass::Float, 32, ""}};
  PipelineState state = defaultState(nullptr, &fragment);
  CHECK(state.colorTargets[0].blendEnable);
  CHECK(state.colorTargets[0].dstColorBlendFactor == VK_BLEND_FACTOR_SRC1_COLOR);
}
