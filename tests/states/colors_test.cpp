// SPDX-License-Identifier: MIT
//
// GL's colours: the vertex shader writes a front and a back colour. State decides which one is seen and whether it is
// flat.
#include "tests/states/draw_state.h"
#include <algorithm>
#include <cstring>
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
      // The first vertex is the provoking one, at (0, 0).
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

// Shows state: colorTwoSide (FragmentProlog).
TEST_CASE("with two sides, back faces have the back colours") {
  const ShaderSet shaders = colored(Mixed);
  checkColors(drawState(sceneOf(shaders, true, true, false), shaders), 0, false);
  checkColors(drawState(sceneOf(shaders, false, true, false), shaders), 100, false);
}

// Shows state: flatShadeColors (FragmentProlog).
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

namespace {

// The same numbers, from the vertex shader or from a stage behind it. That stage must see values above 1.
const char *const BeyondOne = R"(
  layout(location = 0) out vec4 front0;
  layout(location = 1) out vec4 back0;
  layout(location = 2) out vec2 position;
  layout(location = 3) out vec4 front1;
  void write(vec2 place) {
    position = place;
    gl_Position = vec4(place / 128.0, 0.5, 1.0);
    front0 = vec4(place / 32.0, 3.0, -1.0);
    back0 = -front0;
    front1 = vec4(place.yx / 64.0, 0.5, 7.0);
  }
  vec2 corner(int vertex) { return vec2(vertex == 1 ? 128.0 : 0.0, vertex == 2 ? 128.0 : 0.0); }
)";

std::vector<GlslText> beyondOneFrom(lgc::ShaderStage last, const std::string &color) {
  using enum lgc::ShaderStage;
  const GlslText fragment = {Fragment, "layout(location = 0) in vec4 color0;"
                                       "layout(location = 2) in vec2 position;"
                                       "layout(location = 3) in vec4 color1;"
                                       "layout(location = 0) out vec4 target;"
                                       "void main() { target = " +
                                           color + "; }"};
  if (last == Vertex)
    return {{Vertex, std::string(BeyondOne) + "void main() { write(corner(gl_VertexIndex)); }"}, fragment};
  // The vertex shader in front writes to the colours' location, too: 128, which must not be clamped.
  const GlslText front = {Vertex, "layout(location = 0) out vec2 place;"
                                  "void main() { place = vec2(gl_VertexIndex == 1 ? 128.0 : 0.0,"
                                  "                           gl_VertexIndex == 2 ? 128.0 : 0.0); }"};
  if (last == Geometry)
    return {front,
            {Geometry, "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                       "layout(location = 0) in vec2 place[];" +
                           std::string(BeyondOne) +
                           "void main() { for (int i = 0; i < 3; ++i) {"
                           "  write(place[i]); EmitVertex(); } }"},
            fragment};
  return {front,
          {TessControl, "layout(vertices = 3) out; layout(location = 0) in vec2 place[];"
                        "layout(location = 0) out vec2 passed[];"
                        "void main() { passed[gl_InvocationID] = place[gl_InvocationID];"
                        "  gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;"
                        "  gl_TessLevelInner[0] = 1.0; }"},
          {TessEval, "layout(triangles, ccw) in; layout(location = 0) in vec2 passed[];" + std::string(BeyondOne) +
                         "void main() { write(passed[0] * gl_TessCoord.x + passed[1] * gl_TessCoord.y"
                         "                    + passed[2] * gl_TessCoord.z); }"},
          fragment};
}

} // namespace

// Shows state: clampVertexColor (PreRasterMain).
TEST_CASE("vertex colours are clamped before they are interpolated, and nothing else is") {
  using enum lgc::ShaderStage;
  for (lgc::ShaderStage last : {Vertex, TessEval, Geometry}) {
    CAPTURE(unsigned(last));
    const ShaderSet shaders = stateShaders(beyondOneFrom(last, "vec4(color0.x, color0.w, color1.y, position.x)"), Both);
    Scene scene = sceneOf(shaders, true, false, false);
    if (last == TessEval)
      scene.state.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    for (bool isClamped : {false, true}) {
      CAPTURE(isClamped);
      scene.state.clampVertexColor = isClamped;
      const StatePicture picture = drawState(scene, shaders);
      CHECK_FALSE(picture.has(PartKind::Monolithic));
      for (uint32_t x = 0; x < StateSize; ++x) {
        // Over 128 pixels, the colours go from 0 to 4 and from 0 to 2. Clamped, they go from 0 to 1.
        CHECK(picture.at(x, 3, 0) == doctest::Approx((x + 0.5) / (isClamped ? 128 : 32)).epsilon(1e-5));
        CHECK(picture.at(x, 3, 1) == doctest::Approx(isClamped ? 0 : -1).epsilon(1e-5));
        CHECK(picture.at(x, 3, 2) == doctest::Approx((x + 0.5) / (isClamped ? 128 : 64)).epsilon(1e-5));
        CHECK(picture.at(x, 3, 3) == doctest::Approx(x + 0.5).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("colours that the fragment shader reads as half floats or integers are refused") {
  for (const char *type : {"f16vec4", "ivec4"}) {
    CAPTURE(type);
    const std::string fragment = "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
                                 "#extension GL_EXT_shader_16bit_storage : require\n"
                                 "layout(location = 0) flat in " +
                                 std::string(type) +
                                 " color; layout(location = 0) out vec4 target; void main() { target = vec4(color); }";
    const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, Vertex}, {lgc::ShaderStage::Fragment, fragment}},
                                           {{{0, lgc::ColorInputLocations::None}, {}}});
    const Result<VariantRef> variant = (*Device::create("gfx900"))->bind(shaders, stateScene(shaders).state);
    REQUIRE_FALSE(variant.has_value());
    CHECK((variant.error().code == ErrorCode::Unsupported));
    CHECK(variant.error().text.find("location 0 has a colour") != std::string::npos);
  }
}

TEST_CASE("colours of the back are clamped, too") {
  const ShaderSet shaders = stateShaders(beyondOneFrom(lgc::ShaderStage::Vertex, "color0"), {{{0, 1}, {}}});
  Scene scene = sceneOf(shaders, false, true, false);
  scene.state.clampVertexColor = true;
  const StatePicture picture = drawState(scene, shaders);
  for (unsigned component = 0; component < 4; ++component)
    CHECK(picture.at(5, 5, component) == (component == 3 ? 1 : 0));
}

TEST_CASE("transform feedback captures colours as they are clamped") {
  const ShaderSet shaders = stateShaders({{lgc::ShaderStage::Vertex, R"(
      layout(xfb_buffer = 0, xfb_stride = 8) out;
      layout(location = 0, xfb_offset = 0) out float color;
      layout(location = 1, xfb_offset = 4) out float other;
      void main() {
        color = other = float(gl_VertexIndex) * 2.0 - 1.0;
        gl_Position = vec4(0.0, 0.0, 0.5, 1.0);
      })"},
                                          {lgc::ShaderStage::Fragment, R"(
      layout(location = 0) in float color;
      layout(location = 0) out vec4 target;
      void main() { target = vec4(color); })"}},
                                         {{{0, lgc::ColorInputLocations::None}, {}}});
  Scene scene = stateScene(shaders);
  REQUIRE(scene.transformFeedbackBuffers.size() == 1);
  for (bool isClamped : {false, true}) {
    scene.state.clampVertexColor = isClamped;
    const StatePicture picture = drawState(scene, shaders);
    float captured[6] = {};
    std::memcpy(captured, picture.result.buffers[scene.transformFeedbackBuffers[0]].data(), sizeof(captured));
    for (int vertex = 0; vertex < 3; ++vertex) {
      const float value = float(vertex) * 2 - 1;
      CHECK(captured[vertex * 2] == (isClamped ? std::clamp(value, 0.0f, 1.0f) : value));
      CHECK(captured[vertex * 2 + 1] == value);
    }
  }
}

TEST_CASE("clamping colours is no difference to a shader without colours") {
  const ShaderSet shaders = stateShaders(beyondOneFrom(lgc::ShaderStage::Vertex, "color0"));
  Scene scene = stateScene(shaders);
  const StatePicture plain = drawState(scene, shaders);
  scene.state.clampVertexColor = true;
  CHECK((drawState(scene, shaders).variant == plain.variant));
}
