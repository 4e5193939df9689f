// SPDX-License-Identifier: MIT
//
// GL's points: inputs that the point coordinate replaces, and round points.
#include "tests/states/draw_state.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using lgc::ShaderStage;

// A point of 6 by 6 pixels around (4, 4), which leaves a frame of one pixel.
constexpr unsigned PointSize = 6, Frame = 1;
constexpr double Center = 4;

const char *const Point = R"(
  layout(location = 0) out vec4 texture0;
  layout(location = 1) out vec4 other;
  layout(location = 2) out vec2 texture2;
  void main() {
    gl_Position = vec4(4.0 / 128.0, 4.0 / 128.0, 0.5, 1.0);
    gl_PointSize = 6.0;
    texture0 = vec4(20.0, 21.0, 22.0, 23.0) + float(gl_VertexIndex);
    other = vec4(30.0) + float(gl_VertexIndex);
    texture2 = vec2(40.0, 41.0);
  }
)";

ShaderSet drawnWith(const std::string &vertex, const std::string &inputs, const std::string &color) {
  return stateShaders({{ShaderStage::Vertex, vertex},
                       {ShaderStage::Fragment, inputs +
                                                   "layout(location = 0) out vec4 target;"
                                                   "void main() { target = " +
                                                   color + "; }"}});
}

const char *const Inputs = "layout(location = 0) in vec4 texture0; layout(location = 1) in vec4 other;"
                           "layout(location = 2) in vec2 texture2;";

Scene points(const ShaderSet &shaders) {
  Scene scene = stateScene(shaders);
  scene.state.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  scene.vertexCount = 1;
  return scene;
}

// s of the pixel in this column; or t, counted from above, of the pixel in this row.
double coordinateOf(uint32_t place) {
  return (place + 0.5 - Frame) / PointSize;
}

template <typename Check> void forPixelsOfPoint(const Check &check) {
  for (uint32_t y = Frame; y < Frame + PointSize; ++y)
    for (uint32_t x = Frame; x < Frame + PointSize; ++x)
      check(x, y);
}

double coverageAt(uint32_t x, uint32_t y) {
  const double distance = std::hypot(x + 0.5 - Center, y + 0.5 - Center);
  return std::clamp(PointSize / 2.0 + 0.5 - distance, 0.0, 1.0);
}

} // namespace

// Shows state: spriteCoordEnable (Register).
TEST_CASE("on points, inputs that are enabled for it are the point coordinate, and others are not") {
  const ShaderSet shaders = drawnWith(
      Point, Inputs, "vec4(texture0.x, texture0.y + 2.0 * texture0.z + 4.0 * texture0.w, other.x, texture2.y)");
  Scene scene = points(shaders);
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(4, 4, 0) == 20);
  scene.state.spriteCoordEnable = 1 << 0;
  picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  forPixelsOfPoint([&](uint32_t x, uint32_t y) {
    CHECK(picture.at(x, y, 0) == doctest::Approx(coordinateOf(x)).epsilon(1e-5));
    CHECK(picture.at(x, y, 1) == doctest::Approx(coordinateOf(y) + 4).epsilon(1e-5)); // (s, t, 0, 1)
    CHECK(picture.at(x, y, 2) == 30);
    CHECK(picture.at(x, y, 3) == 41);
  });
}

// Shows state: spriteCoordLowerLeft (Register).
TEST_CASE("point coordinates begin where the state says") {
  const ShaderSet shaders = drawnWith(Point, Inputs, "vec4(texture2, gl_PointCoord)");
  Scene scene = points(shaders);
  scene.state.spriteCoordEnable = 1 << 2;
  for (bool isLowerLeft : {false, true}) {
    scene.state.spriteCoordLowerLeft = isLowerLeft;
    const StatePicture picture = drawState(scene, shaders);
    forPixelsOfPoint([&](uint32_t x, uint32_t y) {
      const double t = isLowerLeft ? 1 - coordinateOf(y) : coordinateOf(y);
      for (unsigned first : {0, 2}) {
        CHECK(picture.at(x, y, first) == doctest::Approx(coordinateOf(x)).epsilon(1e-5));
        CHECK(picture.at(x, y, first + 1) == doctest::Approx(t).epsilon(1e-5));
      }
    });
  }
}

TEST_CASE("an input that the point coordinate replaces need not be written") {
  const ShaderSet shaders = drawnWith("void main() { gl_Position = vec4(4.0 / 128.0, 4.0 / 128.0, 0.5, 1.0);"
                                      "  gl_PointSize = 6.0; }",
                                      "layout(location = 5) in vec2 texture5;", "vec4(texture5, 0.0, 1.0)");
  Scene scene = points(shaders);
  scene.state.spriteCoordEnable = 1 << 5;
  const StatePicture picture = drawState(scene, shaders);
  forPixelsOfPoint([&](uint32_t x, uint32_t y) {
    CHECK(picture.at(x, y, 0) == doctest::Approx(coordinateOf(x)).epsilon(1e-5));
    CHECK(picture.at(x, y, 1) == doctest::Approx(coordinateOf(y)).epsilon(1e-5));
  });
}

TEST_CASE("optimised variants write nothing that the point coordinate replaces, and pack nothing with it") {
  const ShaderSet shaders = drawnWith(Point, Inputs, "vec4(texture0.x, other.x, texture2)");
  auto parametersOf = [&](uint32_t spriteCoordEnable) {
    Scene scene = points(shaders);
    scene.state.spriteCoordEnable = spriteCoordEnable;
    const StatePicture picture = drawState(scene, shaders);
    REQUIRE(picture.optimized);
    CHECK(picture.at(4, 4, 2) == (spriteCoordEnable & 4 ? doctest::Approx(coordinateOf(4)) : doctest::Approx(40)));
    return picture.optimized->image->findStage(HardwareStage::Vs)->interface->preRaster.parameters.size();
  };
  CHECK(parametersOf(0) == 1); // two in one, and two constants
  CHECK(parametersOf(1 << 0) == 1);
  CHECK(parametersOf(1 << 0 | 1 << 1) == 0);
  CHECK(parametersOf(1 << 0 | 1 << 1 | 1 << 2) == 0);
}

TEST_CASE("flat inputs are the vertex's, also where others are the point coordinate") {
  const ShaderSet shaders =
      drawnWith(Point, "layout(location = 0) flat in vec4 texture0; layout(location = 2) in vec2 texture2;",
                "vec4(texture0.xy, texture2)");
  Scene scene = points(shaders);
  scene.state.spriteCoordEnable = 1 << 0 | 1 << 2;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(2, 3, 0) == 20);
  CHECK(picture.at(2, 3, 1) == 21);
  CHECK(picture.at(2, 3, 2) == doctest::Approx(coordinateOf(2)).epsilon(1e-5));
}

TEST_CASE("triangles keep the inputs that points would lose") {
  const ShaderSet shaders = stateShaders({{ShaderStage::Vertex, WholeTarget},
                                          {ShaderStage::Fragment, "layout(location = 0) in vec2 position;"
                                                                  "layout(location = 0) out vec4 target;"
                                                                  "void main() { target = position.xyxy; }"}});
  Scene scene = stateScene(shaders);
  scene.state.spriteCoordEnable = 1;
  const StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(6, 2, 0) == doctest::Approx(6.5).epsilon(1e-5));
  CHECK(picture.at(6, 2, 1) == doctest::Approx(2.5).epsilon(1e-5));
}

// Shows state: pointSmoothing (FragmentMain).
TEST_CASE("smooth points are round, and alpha of each colour is multiplied by the covered part of the pixel") {
  const ShaderSet shaders = stateShaders({{ShaderStage::Vertex, Point},
                                          {ShaderStage::Fragment, "layout(location = 0) out vec4 target;"
                                                                  "layout(location = 1) out vec4 second;"
                                                                  "void main() { target = vec4(1.0, 1.0, 1.0, 0.75);"
                                                                  "  second = vec4(0.5); }"}});
  Scene scene = points(shaders);
  scene.state.colorTargets[1] = scene.state.colorTargets[0];
  StatePicture picture = drawState(scene, shaders);
  CHECK_FALSE(picture.has(PartKind::Monolithic));
  forPixelsOfPoint([&](uint32_t x, uint32_t y) { CHECK(picture.at(x, y, 3) == 0.75f); });
  scene.state.pointSmoothing = true;
  picture = drawState(scene, shaders);
  CHECK(picture.has(PartKind::Monolithic));
  std::vector<float> second(StateSize * StateSize * 4);
  REQUIRE(picture.result.colors[1].bytes.size() == second.size() * sizeof(float));
  std::memcpy(second.data(), picture.result.colors[1].bytes.data(), picture.result.colors[1].bytes.size());
  unsigned partly = 0, lost = 0;
  forPixelsOfPoint([&](uint32_t x, uint32_t y) {
    CAPTURE(x);
    CAPTURE(y);
    const double coverage = coverageAt(x, y);
    CHECK(picture.at(x, y, 0) == (coverage > 0 ? 1 : 0));
    CHECK(picture.at(x, y, 3) == doctest::Approx(0.75 * coverage).epsilon(1e-4));
    CHECK(second[(y * StateSize + x) * 4 + 3] == doctest::Approx(0.5 * coverage).epsilon(1e-4));
    partly += coverage > 0 && coverage < 1;
    lost += coverage == 0;
  });
  CHECK(partly == 16);
  CHECK(lost == 4);
}

TEST_CASE("smoothing leaves the second source of blending as it is") {
  const ShaderSet shaders = stateShaders({{ShaderStage::Vertex, Point},
                                          {ShaderStage::Fragment, "layout(location = 0, index = 0) out vec4 target;"
                                                                  "layout(location = 0, index = 1) out vec4 factor;"
                                                                  "void main() { target = vec4(0.75);"
                                                                  "  factor = vec4(0.5); }"}});
  Scene scene = points(shaders);
  ColorTarget &target = scene.state.colorTargets[0];
  target.blendEnable = true;
  target.srcColorBlendFactor = target.srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC1_ALPHA;
  target.dstColorBlendFactor = target.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
  scene.state.pointSmoothing = true;
  const StatePicture picture = drawState(scene, shaders);
  forPixelsOfPoint([&](uint32_t x, uint32_t y) {
    const double coverage = coverageAt(x, y);
    CHECK(picture.at(x, y, 0) == (coverage > 0 ? 0.75f * 0.5f : 0));
    CHECK(picture.at(x, y, 3) == doctest::Approx(0.75 * 0.5 * coverage).epsilon(1e-4));
  });
}

TEST_CASE("smooth points of integers are round, and their colours stay as they are") {
  const ShaderSet shaders = stateShaders({{ShaderStage::Vertex, Point},
                                          {ShaderStage::Fragment, "layout(location = 0) out ivec4 target;"
                                                                  "void main() { target = ivec4(1, 2, 3, 1000); }"}});
  Scene scene = points(shaders);
  scene.state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SINT;
  scene.state.pointSmoothing = true;
  const StatePicture picture = drawState(scene, shaders);
  const std::vector<uint8_t> &bytes = picture.result.colors[0].bytes;
  forPixelsOfPoint([&](uint32_t x, uint32_t y) {
    int32_t texel[4] = {};
    std::memcpy(texel, &bytes[(y * StateSize + x) * sizeof(texel)], sizeof(texel));
    CHECK(texel[3] == (coverageAt(x, y) > 0 ? 1000 : 0));
  });
}

TEST_CASE("a fragment outside of a smooth point writes nothing to memory") {
  const ShaderSet shaders =
      stateShaders({{ShaderStage::Vertex, Point},
                    {ShaderStage::Fragment, "layout(set = 0, binding = 0) buffer Counts { uint count; };"
                                            "layout(location = 0) out vec4 target;"
                                            "void main() { target = vec4(1.0); atomicAdd(count, 1u); }"}});
  Scene scene = points(shaders);
  REQUIRE(scene.buffers.size() == 1);
  scene.buffers[0].assign(scene.buffers[0].size(), 0);
  auto count = [&] {
    uint32_t result = 0;
    std::memcpy(&result, drawState(scene, shaders).result.buffers[0].data(), sizeof(result));
    return result;
  };
  CHECK(count() == PointSize * PointSize);
  scene.state.pointSmoothing = true;
  CHECK(count() == PointSize * PointSize - 4);
}

TEST_CASE("smooth points are no difference to triangles") {
  const ShaderSet shaders = stateShaders({{ShaderStage::Vertex, WholeTarget},
                                          {ShaderStage::Fragment, "layout(location = 0) out vec4 target;"
                                                                  "void main() { target = vec4(0.75); }"}});
  Scene scene = stateScene(shaders);
  const StatePicture plain = drawState(scene, shaders);
  scene.state.pointSmoothing = true;
  CHECK((drawState(scene, shaders).variant == plain.variant));
}
