// SPDX-License-Identifier: MIT
//
// The states that a fragment main part must be compiled for. Under such a state, the program is one part. Neighbouring
// states show when it is not.
#include "tests/states/draw_state.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

ShaderSet shadersOf(const char *vertex, const std::string &fragment) {
  return stateShaders({{lgc::ShaderStage::Vertex, vertex}, {lgc::ShaderStage::Fragment, fragment}});
}

Scene fourSamples(const ShaderSet &shaders) {
  Scene scene = stateScene(shaders);
  scene.state.rasterizationSamples = 4;
  return scene;
}

// A copy of the scene's vertex shader for layers: instance n goes to layer n.
const char *const EachLayer = R"(
  #extension GL_ARB_shader_viewport_layer_array : require
  void main() {
    vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
    gl_Layer = gl_InstanceIndex;
  }
)";

const char *const OneLayer = R"(
  void main() {
    vec2 position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
  }
)";

const char *const Fetch = "layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput attachment;"
                          "layout(location = 0) out vec4 target;"
                          "void main() { target = subpassLoad(attachment) + vec4(0.0, 0.0, 0.0, 0.25); }";

// The attachment has (x, y, layer, 1).
Scene fetchingScene(const ShaderSet &shaders, uint32_t layers) {
  Scene scene = stateScene(shaders);
  scene.layers = scene.instanceCount = layers;
  REQUIRE(scene.images.size() == 1);
  SceneImage &image = scene.images[0];
  image = {};
  image.format = VK_FORMAT_R32G32B32A32_SFLOAT;
  image.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  image.width = image.height = StateSize;
  image.layers = layers;
  for (uint32_t layer = 0; layer < layers; ++layer)
    for (uint32_t y = 0; y < StateSize; ++y)
      for (uint32_t x = 0; x < StateSize; ++x) {
        const float texel[] = {float(x), float(y), float(layer), 1};
        const size_t end = image.bytes.size();
        image.bytes.resize(end + sizeof(texel));
        std::memcpy(&image.bytes[end], texel, sizeof(texel));
      }
  return scene;
}

void checkFetched(const StatePicture &picture, uint32_t layers) {
  for (uint32_t layer = 0; layer < layers; ++layer)
    for (uint32_t y = 0; y < StateSize; ++y)
      for (uint32_t x = 0; x < StateSize; ++x) {
        CHECK(picture.at(x, y, 0, layer) == x);
        CHECK(picture.at(x, y, 1, layer) == y);
        CHECK(picture.at(x, y, 2, layer) == layer);
        CHECK(picture.at(x, y, 3, layer) == 1.25f);
      }
}

} // namespace

// Shows state: smoothing (FragmentMain).
TEST_CASE("smoothing multiplies alpha by the covered part of the pixel") {
  const ShaderSet shaders = shadersOf(RightOfHalfPixel, "layout(location = 0) out vec4 target;"
                                                        "void main() { target = vec4(1.0, 1.0, 1.0, 0.75); }");
  Scene scene = fourSamples(shaders);
  // Two of four samples are covered, so the picture has half of the drawn values.
  StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  CHECK(picture.at(4, 3, 0) == 0.5f);
  CHECK(picture.at(4, 3, 3) == 0.75f / 2);
  scene.state.smoothing = true;
  picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::Monolithic));
  for (uint32_t y = 0; y < StateSize; ++y) {
    CHECK(picture.at(3, y, 3) == 0);
    CHECK(picture.at(4, y, 0) == 0.5f);
    CHECK(picture.at(4, y, 3) == 0.75f / 2 / 2);
    CHECK(picture.at(5, y, 3) == 0.75f);
  }
}

TEST_CASE("smoothing multiplies alpha of each colour") {
  const ShaderSet both = shadersOf(RightOfHalfPixel, "layout(location = 0) out vec4 target;"
                                                     "layout(location = 1) out vec4 second;"
                                                     "void main() { target = vec4(0.75); second = vec4(0.5); }");
  Scene scene = fourSamples(both);
  scene.state.colorTargets[1] = scene.state.colorTargets[0];
  scene.state.smoothing = true;
  const StatePicture picture = drawState(scene, both);
  CHECK(picture.at(4, 3, 3) == 0.75f / 2 / 2);
  float texel[4] = {};
  std::memcpy(texel, &picture.result.colors[1].bytes[(3 * StateSize + 4) * sizeof(texel)], sizeof(texel));
  CHECK(texel[3] == 0.5f / 2 / 2);
}

TEST_CASE("smoothing is nothing with one sample") {
  const ShaderSet shaders = shadersOf(RightOfHalfPixel, "layout(location = 0) out vec4 target;"
                                                        "void main() { target = vec4(0.75); }");
  Scene scene = stateScene(shaders);
  scene.state.smoothing = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  CHECK(picture.at(5, 3, 3) == 0.75f);
}

TEST_CASE("smoothing leaves integers as they are") {
  const ShaderSet shaders = shadersOf(RightOfHalfPixel, "layout(location = 0) out ivec4 target;"
                                                        "void main() { target = ivec4(1, 2, 3, 1000); }");
  Scene scene = fourSamples(shaders);
  scene.state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SINT;
  scene.state.smoothing = true;
  const StatePicture picture = drawState(scene, shaders);
  const std::vector<uint8_t> &bytes = picture.result.colors[0].bytes;
  int32_t texel[4] = {};
  std::memcpy(texel, &bytes[(3 * StateSize + 6) * sizeof(texel)], sizeof(texel));
  CHECK(texel[2] == 3);
  CHECK(texel[3] == 1000);
}

// Shows state: layeredFramebuffer (FragmentMain).
TEST_CASE("input attachments of a layered framebuffer are read at the fragment's layer") {
  const ShaderSet shaders = shadersOf(EachLayer, Fetch);
  Scene scene = fetchingScene(shaders, 3);
  scene.state.layeredFramebuffer = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::Monolithic));
  checkFetched(picture, 3);
}

TEST_CASE("input attachments without layers are read as they are") {
  const ShaderSet shaders = shadersOf(OneLayer, Fetch);
  const StatePicture picture = drawState(fetchingScene(shaders, 1), shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  checkFetched(picture, 1);
}

TEST_CASE("layers of the framebuffer are nothing to a shader without input attachments") {
  const ShaderSet shaders = shadersOf(EachLayer, "layout(location = 0) out vec4 target;"
                                                 "void main() { target = vec4(gl_Layer); }");
  Scene scene = stateScene(shaders);
  scene.layers = scene.instanceCount = 3;
  scene.state.layeredFramebuffer = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  for (uint32_t layer = 0; layer < 3; ++layer)
    CHECK(picture.at(3, 3, 0, layer) == layer);
}

// Shows state: multisampleDisable (FragmentMain).
TEST_CASE("without multisampling, interpolateAtSample is at the centre") {
  const ShaderSet shaders = shadersOf(WholeTarget, "layout(location = 0) in vec2 position;"
                                                   "layout(location = 0) out vec4 target;"
                                                   "void main() { target = vec4(interpolateAtSample(position, 3),"
                                                   "  interpolateAtOffset(position, vec2(0.25, -0.125))); }");
  Scene scene = fourSamples(shaders);
  StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  auto check = [&](double x, double y) {
    CHECK(picture.at(2, 5, 0) == doctest::Approx(2 + x).epsilon(1e-5));
    CHECK(picture.at(2, 5, 1) == doctest::Approx(5 + y).epsilon(1e-5));
    CHECK(picture.at(2, 5, 2) == doctest::Approx(2.75).epsilon(1e-5));
    CHECK(picture.at(2, 5, 3) == doctest::Approx(5.375).epsilon(1e-5));
  };
  check(10 / 16.0, 14 / 16.0);
  scene.state.multisampleDisable = true;
  picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::Monolithic));
  check(0.5, 0.5);
}

// Shows state: perSampleInterpolation (FragmentMain).
TEST_CASE("with per-sample interpolation, interpolateAtOffset starts from the centre and all else is at the sample") {
  const ShaderSet shaders = shadersOf(WholeTarget, "layout(location = 0) in vec2 position;"
                                                   "layout(location = 0) out vec4 target;"
                                                   "void main() { target = vec4(position * position,"
                                                   "  interpolateAtOffset(position, vec2(0.25, -0.125))); }");
  Scene scene = fourSamples(shaders);
  scene.state.sampleShadingEnable = scene.state.perSampleInterpolation = true;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::Monolithic));
  // The mean of the squares of 2 + (6, 14, 2, 10) / 16 and 5 + (2, 6, 10, 14) / 16.
  CHECK(picture.at(2, 5, 0) == doctest::Approx((38 * 38 + 46 * 46 + 34 * 34 + 42 * 42) / 1024.0).epsilon(1e-5));
  CHECK(picture.at(2, 5, 1) == doctest::Approx((82 * 82 + 86 * 86 + 90 * 90 + 94 * 94) / 1024.0).epsilon(1e-5));
  CHECK(picture.at(2, 5, 2) == doctest::Approx(2.75).epsilon(1e-5));
  CHECK(picture.at(2, 5, 3) == doctest::Approx(5.375).epsilon(1e-5));
}
