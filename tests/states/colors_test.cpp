// SPDX-License-Identifier: MIT
//
// GL's colours: the vertex shader writes a front and a back colour, state says which one is seen and whether it is
// flat.
#include "tests/states/draw_state.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// The front colours are (x, y, 3, 4) and (5, x + y, 6, 7), where x and y are the place in pixels; the back colours are
// 100 more.
const char *const Vertex = R"(
  layout(location = 0) out vec4 front0;
  layout(location = 1) out vec4 back0;
  layout(location = 2) out vec2 position;
  layout(location = 3) out vec4 front1;
  layout(location = 4) out vec4 back1;
  void main() {
    position = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0, gl_VertexIndex == 2 ? 128.0 : 0.0);
    gl_Position = vec4(position / 128.0, 0.5, 1.0);
    front0 = vec4(position, 3.0, 4.0);
    back0 = front0 + 100.0;
    front1 = vec4(5.0, position.x + position.y, 6.0, 7.0);
    back1 = front1 + 100.0;
  }
)";

constexpr std::array<lgc::ColorInputLocations, 2> Both = {{{0, 1}, {3, 4}}};

ShaderSet colored(const std::string &fragment) {
  return stateShaders({{lgc::ShaderStage::Vertex, Vertex},
                       {lgc::ShaderStage::Fragment, "layout(location = 0) in vec4 color0;"
                                                    "layout(location = 2) in vec2 position;"
                                                    "layout(location = 3) in vec4 color1;"
                                                    "layout(location = 0) out vec4 target;"
                                                    "void main() { target = " +
                                                        fragment + "; }"}},
                      Both);
}

// The triangle is clockwise.
Scene sceneOf(const ShaderSet &shaders, bool isFront, bool twoSide, bool flat) {
  Scene scene = stateScene(shaders);
  scene.frontFace = isFront ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
  scene.state.colorTwoSide = twoSide;
  scene.state.flatShadeColors = flat;
  return scene;
}

// target = (color0.x, color0.w, color1.y, position.x), and `more` is added to the colours.
void checkColors(const StatePicture &picture, double more, bool flat) {
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x) {
      // The provoking vertex, the first one, is at (0, 0).
      CHECK(picture.at(x, y, 0) == doctest::Approx((flat ? 0 : x + 0.5) + more).epsilon(1e-5));
      CHECK(picture.at(x, y, 1) == doctest::Approx(4 + more).epsilon(1e-5));
      CHECK(picture.at(x, y, 2) == doctest::Approx((flat ? 0 : x + y + 1.0) + more).epsilon(1e-5));
      CHECK(picture.at(x, y, 3) == doctest::Approx(x + 0.5).epsilon(1e-5));
    }
}

const char *const Mixed = "vec4(color0.x, color0.w, color1.y, position.x)";

} // namespace

TEST_CASE("colours are those of the front where only it has some") {
  const ShaderSet shaders = colored(Mixed);
  for (bool isFront : {true, false}) {
    const StatePicture picture = drawState(sceneOf(shaders, isFront, false, false), shaders);
    CHECK(picture.has(PartKind::FragmentProlog));
    checkColors(picture, 0, false);
  }
}

TEST_CASE("with two sides, back faces have the back colours") {
  const ShaderSet shaders = colored(Mixed);
  checkColors(drawState(sceneOf(shaders, true, true, false), shaders), 0, false);
  checkColors(drawState(sceneOf(shaders, false, true, false), shaders), 100, false);
}

TEST_CASE("flat colours are the provoking vertex's, and other inputs stay smooth") {
  const ShaderSet shaders = colored(Mixed);
  checkColors(drawState(sceneOf(shaders, true, false, true), shaders), 0, true);
  checkColors(drawState(sceneOf(shaders, true, true, true), shaders), 0, true);
  checkColors(drawState(sceneOf(shaders, false, true, true), shaders), 100, true);
}

TEST_CASE("one colour alone, also the second one, and all of its components") {
  const ShaderSet first = colored("color0"), second = colored("color1");
  const StatePicture firstPicture = drawState(sceneOf(first, false, true, false), first);
  const StatePicture secondPicture = drawState(sceneOf(second, false, true, false), second);
  for (uint32_t y = 0; y < StateSize; ++y)
    for (uint32_t x = 0; x < StateSize; ++x) {
      const double firstColor[] = {x + 100.5, y + 100.5, 103, 104}, secondColor[] = {105, x + y + 101.0, 106, 107};
      for (unsigned component = 0; component < 4; ++component) {
        CHECK(firstPicture.at(x, y, component) == doctest::Approx(firstColor[component]).epsilon(1e-5));
        CHECK(secondPicture.at(x, y, component) == doctest::Approx(secondColor[component]).epsilon(1e-5));
      }
    }
}

TEST_CASE("states of colours are no difference to a shader without colours") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, Vertex},
                                          {lgc::ShaderStage::Fragment, "layout(location = 2) in vec2 position;"
                                                                       "layout(location = 0) out vec4 target;"
                                                                       "void main() { target = position.xyxy; }"}});
  const StatePicture plain = drawState(sceneOf(shaders, false, false, false), shaders);
  const StatePicture picture = drawState(sceneOf(shaders, false, true, true), shaders);
  CHECK_FALSE(picture.has(PartKind::FragmentProlog));
  CHECK((picture.variant == plain.variant));
  CHECK((picture.texels == plain.texels));
}
