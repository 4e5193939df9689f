// SPDX-License-Identifier: MIT
#include "tests/states/draw_state.h"
#include "tools/proof/emulator/driver/global_table.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Shows derivatives. They are those of x and y, also beside pixels that the pattern takes away.
ShaderSet stippled() {
  return stateShaders({{lgc::ShaderStage::Vertex, WholeTarget},
                       {lgc::ShaderStage::Fragment, "layout(location = 0) in vec2 position;"
                                                    "layout(location = 0) out vec4 color;"
                                                    "void main() { float x = position.x * position.x;"
                                                    "  color = vec4(1.0, dFdx(x), dFdy(position.y), 1.0); }"}});
}

// Larger than the pattern, so that it repeats.
Scene largeScene(const ShaderSet &shaders, bool enable) {
  Scene scene = stateScene(shaders);
  scene.width = 40;
  scene.height = 36;
  scene.state.polygonStippleEnable = enable;
  return scene;
}

} // namespace

// Shows state: polygonStippleEnable (FragmentProlog).
TEST_CASE("a polygon's stipple takes away the pixels whose bit of the pattern is off") {
  const ShaderSet shaders = stippled();
  const StatePicture picture = drawState(largeScene(shaders, true), shaders);
  const std::array<uint32_t, 32> pattern = polygonStipplePattern();
  CHECK(picture.has(PartKind::FragmentProlog));
  unsigned drawn = 0;
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x) {
      const bool isOn = pattern[y % 32] >> (x % 32) & 1;
      CHECK(picture.at(x, y, 0) == (isOn ? 1.0f : 0.0f));
      drawn += isOn;
    }
  CHECK(drawn > 0);
  CHECK(drawn < picture.width * picture.height);
}

TEST_CASE("pixels that a stipple takes away still take part in derivatives") {
  const ShaderSet shaders = stippled();
  const StatePicture picture = drawState(largeScene(shaders, true), shaders);
  const std::array<uint32_t, 32> pattern = polygonStipplePattern();
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x) {
      if (!(pattern[y % 32] >> (x % 32) & 1))
        continue;
      // x² between the two columns of a quad.
      const double left = x / 2 * 2 + 0.5, right = x / 2 * 2 + 1.5;
      CHECK(picture.at(x, y, 1) == doctest::Approx(right * right - left * left).epsilon(1e-4));
      CHECK(picture.at(x, y, 2) == doctest::Approx(1.0).epsilon(1e-4));
    }
}

TEST_CASE("without stipple every pixel is drawn, and no prolog is there") {
  const ShaderSet shaders = stippled();
  const StatePicture picture = drawState(largeScene(shaders, false), shaders);
  CHECK_FALSE(picture.has(PartKind::FragmentProlog));
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x)
      CHECK(picture.at(x, y, 0) == 1);
}

TEST_CASE("a prolog hands on user data in SGPRs") {
  const ShaderSet shaders = stateShaders(
      {{lgc::ShaderStage::Vertex, WholeTarget},
       {lgc::ShaderStage::Fragment, "layout(push_constant) uniform Push { vec4 values[3]; };"
                                    "layout(location = 0) out vec4 color;"
                                    "void main() { color = vec4(values[0].xw, values[1].y, values[2].z); }"}});
  Scene scene = stateScene(shaders);
  scene.state.polygonStippleEnable = true;
  std::array<float, 12> values;
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = float(10 + i);
  REQUIRE(scene.pushConstants.size() == sizeof(values));
  std::memcpy(scene.pushConstants.data(), values.data(), sizeof(values));
  const StatePicture picture = drawState(scene, shaders);
  const std::array<uint32_t, 32> pattern = polygonStipplePattern();
  for (uint32_t x = 0; x < StateSize; ++x) {
    const float isOn = float(pattern[2] >> x & 1);
    CHECK(picture.at(x, 2, 0) == 10 * isOn);
    CHECK(picture.at(x, 2, 1) == 13 * isOn);
    CHECK(picture.at(x, 2, 2) == 15 * isOn);
    CHECK(picture.at(x, 2, 3) == 20 * isOn);
  }
}

// The scratch offset arrives behind the prolog's inputs, and belongs to the main part.
TEST_CASE("a fragment shader behind a prolog has its scratch memory") {
  const ShaderSet shaders =
      stateShaders({{lgc::ShaderStage::Vertex, WholeTarget},
                    {lgc::ShaderStage::Fragment, "layout(location = 0) in vec2 position;"
                                                 "layout(location = 0) out vec4 color;"
                                                 "void main() { float squares[100];"
                                                 "  for (int i = 0; i < 100; ++i)"
                                                 "    squares[(i * 7 + int(position.x)) % 100] = float(i);"
                                                 "  color = vec4(squares[int(position.y)], 0.0, 0.0, 1.0); }"}});
  const StatePicture picture = drawState(largeScene(shaders, true), shaders);
  CHECK(picture.has(PartKind::FragmentProlog));
  const ImageStage *ps = picture.variant->image->findStage(HardwareStage::Ps);
  REQUIRE(ps);
  CHECK(ps->usage.scratchBytes > 0);
  const std::array<uint32_t, 32> pattern = polygonStipplePattern();
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x) {
      if (!(pattern[y % 32] >> (x % 32) & 1))
        continue;
      // 43 * 7 is 1 more than a multiple of 100.
      CHECK(picture.at(x, y, 0) == float((y + 100 - x) * 43 % 100));
    }
}
