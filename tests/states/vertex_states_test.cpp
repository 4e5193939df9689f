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

// Shows state: vertexBindings (VertexProlog).
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

// Shows state: flatProvokingVertexLast (Register).
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

// Shows state: rasterizerDiscardEnable (Register).
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

// Shows state: clipDistanceEnable (Register).
TEST_CASE("only the clip distances that are enabled clip, and cull distances always cull") {
  // Clip distance 0 takes away the columns from 4 on, distance 1 the rows from 4 on. The cull distance takes away
  // instance 1.
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, R"(
      out float gl_ClipDistance[2];
      out float gl_CullDistance[1];
      void main() {
        vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
        gl_Position = vec4(position / 128.0, 0.5, 1.0);
        gl_ClipDistance[0] = 4.0 - position.x;
        gl_ClipDistance[1] = 4.0 - position.y;
        gl_CullDistance[0] = gl_InstanceIndex == 1 ? -1.0 : 1.0;
      })"},
                                          {lgc::ShaderStage::Fragment, "layout(location = 0) out vec4 target;"
                                                                       "void main() { target = vec4(1.0); }"}});
  Scene scene = stateScene(shaders);
  for (uint8_t enabled = 0; enabled < 4; ++enabled) {
    INFO("enabled: ", enabled);
    scene.state.clipDistanceEnable = enabled;
    scene.firstInstance = 0;
    StatePicture picture = drawState(scene, shaders);
    for (uint32_t at = 0; at < StateSize; ++at) {
      CHECK(picture.at(at, 1, 0) == (at >= 4 && (enabled & 1) ? 0 : 1));
      CHECK(picture.at(1, at, 0) == (at >= 4 && (enabled & 2) ? 0 : 1));
    }
    scene.firstInstance = 1;
    picture = drawState(scene, shaders);
    CHECK(picture.at(1, 1, 0) == 0);
  }
}

// Shows state: transformFeedbackEnable (Register).
TEST_CASE("nothing is captured where transform feedback is off") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, R"(
      layout(xfb_buffer = 0, xfb_stride = 4) out;
      layout(location = 0, xfb_offset = 0) flat out float value;
      void main() {
        value = float(gl_VertexIndex + 5);
        gl_Position = vec4(gl_VertexIndex == 1 ? 1.0 : 0.0, gl_VertexIndex == 2 ? 1.0 : 0.0, 0.5, 1.0);
      })"},
                                          {lgc::ShaderStage::Fragment, R"(
      layout(location = 0) flat in float value;
      layout(location = 0) out vec4 target;
      void main() { target = vec4(value); })"}});
  Scene scene = stateScene(shaders);
  REQUIRE(scene.transformFeedbackBuffers.size() == 1);
  const size_t captured = scene.transformFeedbackBuffers[0];
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 3, 0) == 5);
  CHECK(picture.result.buffers[captured] != scene.buffers[captured]);
  scene.state.transformFeedbackEnable = false;
  picture = drawState(scene, shaders);
  CHECK(picture.at(3, 3, 0) == 5);
  CHECK(picture.result.buffers[captured] == scene.buffers[captured]);
}
