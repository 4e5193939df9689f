// SPDX-License-Identifier: MIT
//
// The states in front of the rasteriser, without tessellation.
#include "tests/states/draw_state.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const char *const CopyValue = "layout(location = 0) flat in vec4 value; layout(location = 0) out vec4 target;"
                              "void main() { target = value; }";

} // namespace

TEST_CASE("attributes of instances follow their divisors") {
  // Instance n is drawn to layer n and has the elements of four attributes.
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, R"(
      #extension GL_ARB_shader_viewport_layer_array : require
      layout(location = 0) in float each;
      layout(location = 1) in float third;
      layout(location = 2) in float same;
      layout(location = 3) in vec2 place;
      layout(location = 0) out vec4 value;
      void main() {
        value = vec4(each, third, same, 1.0);
        gl_Position = vec4(place, 0.5, 1.0);
        gl_Layer = gl_InstanceIndex - 2;
      })"},
                                          {lgc::ShaderStage::Fragment, CopyValue}});
  constexpr uint32_t Instances = 7, First = 2;
  Scene scene = stateScene(shaders);
  scene.instanceCount = scene.layers = Instances;
  scene.firstInstance = First;
  scene.state.vertexBindings.clear();
  scene.state.vertexAttributes.clear();
  scene.vertexBuffers.clear();
  // Element k of the attribute at location l is 100 * l + k.
  constexpr uint32_t Divisors[] = {1, 3, 0};
  for (uint32_t location = 0; location < 3; ++location) {
    scene.state.vertexBindings.push_back({location, 4, VK_VERTEX_INPUT_RATE_INSTANCE, Divisors[location]});
    scene.state.vertexAttributes.push_back({location, location, VK_FORMAT_R32_SFLOAT, 0});
    SceneVertexBuffer buffer{location, std::vector<uint8_t>(16 * sizeof(float))};
    for (uint32_t k = 0; k < 16; ++k) {
      const float value = float(100 * location + k);
      std::memcpy(&buffer.bytes[k * sizeof(float)], &value, sizeof(value));
    }
    scene.vertexBuffers.push_back(std::move(buffer));
  }
  const float corners[] = {0, 0, 1, 0, 0, 1};
  scene.state.vertexBindings.push_back({3, 8, VK_VERTEX_INPUT_RATE_VERTEX, 1});
  scene.state.vertexAttributes.push_back({3, 3, VK_FORMAT_R32G32_SFLOAT, 0});
  SceneVertexBuffer places{3, std::vector<uint8_t>(sizeof(corners))};
  std::memcpy(places.bytes.data(), corners, sizeof(corners));
  scene.vertexBuffers.push_back(std::move(places));

  const StatePicture picture = drawState(scene, shaders);
  for (uint32_t instance = 0; instance < Instances; ++instance) {
    CHECK(picture.at(3, 3, 0, instance) == First + instance);
    CHECK(picture.at(3, 3, 1, instance) == 100 + First + instance / 3);
    CHECK(picture.at(3, 3, 2, instance) == 200 + First);
  }
}

TEST_CASE("flat inputs are the first or the last vertex's") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, R"(
      layout(location = 0) out vec4 value;
      void main() {
        value = vec4(gl_VertexIndex + 1);
        gl_Position = vec4(gl_VertexIndex == 1 ? 1.0 : 0.0, gl_VertexIndex == 2 ? 1.0 : 0.0, 0.5, 1.0);
      })"},
                                          {lgc::ShaderStage::Fragment, CopyValue}});
  Scene scene = stateScene(shaders);
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 1);
  scene.state.flatProvokingVertexLast = true;
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 3);
}

TEST_CASE("nothing is drawn where the rasteriser discards") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, WholeTarget},
                                          {lgc::ShaderStage::Fragment, "layout(location = 0) out vec4 target;"
                                                                       "void main() { target = vec4(1.0); }"}});
  Scene scene = stateScene(shaders);
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 1);
  scene.state.rasterizerDiscardEnable = true;
  const StatePicture picture = drawState(scene, shaders);
  for (float component : picture.texels)
    CHECK(component == 0);
}
