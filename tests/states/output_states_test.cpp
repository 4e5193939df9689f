// SPDX-License-Identifier: MIT
//
// The states of the fragment epilog, seen in pictures.
#include "tests/states/draw_state.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

ShaderSet writing(const std::string &text, const char *vertex = WholeTarget) {
  return stateShaders({{lgc::ShaderStage::Vertex, vertex},
                       {lgc::ShaderStage::Fragment, "layout(location = 0) in vec2 position;" + text}});
}

ShaderSet writingColor(const std::string &color) {
  return writing("layout(location = 0) out vec4 target; void main() { target = " + color + "; }");
}

bool passes(VkCompareOp op, int alpha, int reference) {
  switch (op) {
  case VK_COMPARE_OP_LESS:
    return alpha < reference;
  case VK_COMPARE_OP_EQUAL:
    return alpha == reference;
  case VK_COMPARE_OP_LESS_OR_EQUAL:
    return alpha <= reference;
  case VK_COMPARE_OP_GREATER:
    return alpha > reference;
  case VK_COMPARE_OP_NOT_EQUAL:
    return alpha != reference;
  case VK_COMPARE_OP_GREATER_OR_EQUAL:
    return alpha >= reference;
  default:
    return op == VK_COMPARE_OP_ALWAYS;
  }
}

} // namespace

// Shows state: alphaTestFunc (FragmentEpilog).
TEST_CASE("each alpha test draws the columns whose alpha passes") {
  const ShaderSet shaders = writingColor("vec4(1.0, 1.0, 1.0, floor(position.x) / 8.0)");
  Scene scene = stateScene(shaders);
  scene.alphaReference = 4 / 8.0f;
  for (int op = VK_COMPARE_OP_NEVER; op <= VK_COMPARE_OP_ALWAYS; ++op) {
    INFO("comparison ", op);
    scene.state.alphaTestFunc = VkCompareOp(op);
    const StatePicture picture = drawState(scene, shaders);
    for (uint32_t y = 0; y < StateSize; ++y)
      for (uint32_t x = 0; x < StateSize; ++x)
        CHECK(picture.at(x, y, 0) == (passes(VkCompareOp(op), int(x), 4) ? 1 : 0));
  }
}

// Shows state: clampColor (FragmentEpilog).
TEST_CASE("colours are clamped, before the alpha test too") {
  const ShaderSet shaders = writingColor("vec4(position - 3.0, 0.5, floor(position.x) - 3.0)");
  Scene scene = stateScene(shaders);
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(6, 0, 0) == doctest::Approx(3.5));
  CHECK(picture.at(6, 0, 1) == doctest::Approx(-2.5));
  CHECK(picture.at(1, 0, 3) == -2);
  scene.state.clampColor = true;
  picture = drawState(scene, shaders);
  CHECK(picture.at(6, 0, 0) == 1);
  CHECK(picture.at(6, 0, 1) == 0);
  CHECK(picture.at(6, 0, 2) == 0.5f);
  CHECK(picture.at(1, 0, 3) == 0);
  CHECK(picture.at(6, 0, 3) == 1);
  // An alpha of 1 passes. With clamping, so does a larger one.
  scene.state.alphaTestFunc = VK_COMPARE_OP_EQUAL;
  scene.alphaReference = 1;
  for (bool clamp : {false, true}) {
    scene.state.clampColor = clamp;
    picture = drawState(scene, shaders);
    for (uint32_t x = 0; x < StateSize; ++x)
      CHECK(picture.at(x, 0, 2) == (x == 4 || (clamp && x > 4) ? 0.5f : 0));
  }
}

// Shows state: alphaToOneEnable (FragmentEpilog).
TEST_CASE("alpha to one, which the alpha test sees") {
  const ShaderSet shaders = writingColor("vec4(0.5, 0.5, 0.5, 0.25)");
  Scene scene = stateScene(shaders);
  CHECK(drawState(scene, shaders).at(3, 3, 3) == 0.25f);
  scene.state.alphaToOneEnable = true;
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.at(3, 3, 0) == 0.5f);
  CHECK(picture.at(3, 3, 3) == 1);
  scene.state.alphaTestFunc = VK_COMPARE_OP_LESS;
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 0);
  scene.state.alphaToOneEnable = false;
  CHECK(drawState(scene, shaders).at(3, 3, 0) == 0.5f);
}

// Shows state: broadcastColor0 (FragmentEpilog).
TEST_CASE("a broadcast colour goes to every target, and no other does") {
  const ShaderSet shaders = writing("layout(location = 0) out vec4 a; layout(location = 2) out vec4 b;"
                                    "void main() { a = vec4(0.25, 0.5, 0.75, 1.0); b = vec4(0.125); }");
  Scene scene = stateScene(shaders);
  for (unsigned target : {1u, 2u})
    scene.state.colorTargets[target].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  for (bool broadcast : {false, true}) {
    scene.state.broadcastColor0 = broadcast;
    const StatePicture picture = drawState(scene, shaders);
    const float first = broadcast ? 0.25f : 0, expected[] = {0.25f, first, broadcast ? 0.25f : 0.125f};
    for (unsigned target = 0; target < 3; ++target) {
      float red = 0;
      std::memcpy(&red, picture.result.colors[target].bytes.data(), sizeof(red));
      CHECK(red == expected[target]);
    }
  }
}

// Shows state: rasterizationSamples (FragmentEpilog), alphaToCoverageEnable (FragmentEpilog).
TEST_CASE("alpha to coverage draws as many samples as alpha says, also where alpha becomes one") {
  const ShaderSet shaders = writingColor("vec4(1.0, 1.0, 1.0, floor(position.x) / 4.0)");
  Scene scene = stateScene(shaders);
  scene.state.rasterizationSamples = 4;
  CHECK(drawState(scene, shaders).at(0, 0, 0) == 1);
  scene.state.alphaToCoverageEnable = true;
  for (bool toOne : {false, true}) {
    scene.state.alphaToOneEnable = toOne;
    const StatePicture picture = drawState(scene, shaders);
    for (uint32_t x = 0; x <= 4; ++x) {
      CHECK(picture.at(x, 3, 0) == x / 4.0f);
      CHECK(picture.at(x, 3, 3) == (toOne ? 1 : x / 4.0f) * (x / 4.0f));
    }
  }
  // With one sample, the pixel itself is the only sample to leave out.
  scene.state.rasterizationSamples = 1;
  CHECK(drawState(scene, shaders).at(4, 3, 0) == 1);
}

// Shows state: depthStencilFormat (FragmentEpilog).
TEST_CASE("depth and stencil leave the shader only where the framebuffer has them") {
  const ShaderSet shaders = writing("layout(location = 0) out vec4 target;"
                                    "void main() { target = vec4(0.5); gl_FragDepth = position.x / 16.0; }");
  Scene scene = stateScene(shaders);
  StatePicture picture = drawState(scene, shaders);
  CHECK(picture.result.depth.bytes.empty());
  CHECK(picture.at(3, 3, 0) == 0.5f);
  scene.state.depthStencilFormat = VK_FORMAT_D32_SFLOAT;
  scene.depthTestEnable = scene.depthWriteEnable = true;
  scene.depthCompareOp = VK_COMPARE_OP_ALWAYS;
  picture = drawState(scene, shaders);
  REQUIRE(picture.result.depth.bytes.size() == StateSize * StateSize * sizeof(float));
  float depth[StateSize] = {};
  std::memcpy(depth, picture.result.depth.bytes.data(), sizeof(depth));
  for (uint32_t x = 0; x < StateSize; ++x)
    CHECK(depth[x] == doctest::Approx((x + 0.5) / 16));
  CHECK(picture.at(3, 3, 0) == 0.5f);
}

TEST_CASE("integers are clamped to what a target of 8 or 10 bits holds") {
  const ShaderSet shaders = writing("layout(location = 0) out ivec4 target;"
                                    "void main() { target = ivec4(1000, -1000, 100, 1000); }");
  Scene scene = stateScene(shaders);
  scene.state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_SINT;
  const StatePicture picture = drawState(scene, shaders);
  const int8_t expected[] = {127, -128, 100, 127};
  CHECK(std::memcmp(picture.result.colors[0].bytes.data(), expected, sizeof(expected)) == 0);

  const ShaderSet unsignedShaders = writing("layout(location = 0) out uvec4 target;"
                                            "void main() { target = uvec4(2000u, 5u, 1023u, 9u); }");
  scene = stateScene(unsignedShaders);
  scene.state.colorTargets[0].format = VK_FORMAT_A2B10G10R10_UINT_PACK32;
  const StatePicture packed = drawState(scene, unsignedShaders);
  uint32_t word = 0;
  std::memcpy(&word, packed.result.colors[0].bytes.data(), sizeof(word));
  CHECK(word == (1023u | 5u << 10 | 1023u << 20 | 3u << 30));
}
