// SPDX-License-Identifier: MIT
//
// Perspective away from the pixel's centre, where lavapipe is no reference: it divides by the 1/w of the centre. The
// vertices hand on their position in clip space, so the right value is known anywhere. w is one over the mean of the
// corners' 1/w by the place's linear weights; x and y are w times the place in normalised device coordinates.
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

constexpr uint32_t Size = 8;

// A triangle around the whole target, whose corners have w = 1, 4 and 2.
const char *const Vertex = R"(
  layout(location = 0) out vec3 value;
  void main() {
    vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    float w = gl_VertexIndex == 1 ? 4.0 : gl_VertexIndex == 2 ? 2.0 : 1.0;
    gl_Position = vec4(corner * w, 0.5 * w, w);
    value = vec3(corner * w, w);
  }
)";

// The expression `fetched` takes the value at (placeX, placeY), in pixels from a pixel's corner.
void checkPlace(const std::string &fetched, double placeX, double placeY, uint32_t samples) {
  INFO(fetched);
  ShaderSet shaders = shadersOf(Vertex, "layout(location = 0) in vec3 value; layout(location = 0) out vec4 target;\n"
                                        "void main() { target = vec4(" +
                                            fetched + ", 1.0); }");
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  state.rasterizationSamples = samples;
  Result<Scene> made = makeScene(shaders, state, {1, Size, Size});
  if (!made)
    FAIL(made.error().text);
  Scene scene;
  scene.shaders = made->shaders;
  scene.state = state;
  scene.width = scene.height = Size;
  scene.vertexCount = 3;

  Result<VariantRef> variant = sharedDevice().bind(shaders, scene.state);
  if (!variant)
    FAIL(variant.error().text);
  Result<SceneResult> result = emulate(scene, shaders, *(*variant)->image);
  if (!result)
    FAIL(result.error().text);

  std::vector<float> target(Size * Size * 4);
  REQUIRE(result->colors[0].bytes.size() == target.size() * sizeof(float));
  std::memcpy(target.data(), result->colors[0].bytes.data(), result->colors[0].bytes.size());
  for (uint32_t y = 0; y < Size; ++y)
    for (uint32_t x = 0; x < Size; ++x) {
      const double i = (x + placeX) / Size / 2, j = (y + placeY) / Size / 2;
      const double w = 1 / ((1 - i - j) + i / 4 + j / 2);
      const float *texel = &target[(y * Size + x) * 4];
      CHECK(texel[0] == doctest::Approx((4 * i - 1) * w).epsilon(1e-5));
      CHECK(texel[1] == doctest::Approx((4 * j - 1) * w).epsilon(1e-5));
      CHECK(texel[2] == doctest::Approx(w).epsilon(1e-5));
    }
}

} // namespace

TEST_CASE("interpolateAtOffset divides by w at the place that it moves to") {
  checkPlace("interpolateAtOffset(value, vec2(0.0))", 0.5, 0.5, 1);
  checkPlace("interpolateAtOffset(value, vec2(0.4375, -0.25))", 0.9375, 0.25, 1);
  checkPlace("interpolateAtOffset(value, vec2(-0.5, 0.3125))", 0, 0.8125, 1);
}

TEST_CASE("interpolateAtSample divides by w at the sample") {
  // Vulkan's standard locations of four samples.
  checkPlace("interpolateAtSample(value, 0)", 0.375, 0.125, 4);
  checkPlace("interpolateAtSample(value, 3)", 0.625, 0.875, 4);
}
