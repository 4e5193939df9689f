// SPDX-License-Identifier: MIT
//
// Optimised variants whose parameters are packed draw what joined ones draw, with as few parameters as the components
// that are read ask for.
#include "merge/check_image.h"
#include "tests/driver/known_variant.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/inputs/read_shaders.h"
#include "tools/scene/compare.h"
#include "tools/scene/maker/make_scene.h"
#include "variants/build/canonicalize.h"
#include "variants/build/default_state.h"
#include "variants/optimize/optimized_variant.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

size_t parametersOf(const Variant &variant) {
  for (const ImageStage &stage : variant.image->stages)
    if (stage.stage == HardwareStage::Vs)
      return stage.interface->preRaster.parameters.size();
  FAIL("a variant without vertices");
  return 0;
}

// Parameters of the joined variant and of the optimised one, on each GPU the same. The test fails if they draw
// different pictures, or if the image is no valid one.
void check(const ShaderSet &shaders, size_t joinedParameters, size_t optimizedParameters) {
  PipelineState state = defaultState(shaders);
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    Device &device = sharedDevice(gpu);
    Result<Scene> scene = makeScene(shaders, state, {1, 16, 16});
    REQUIRE_MESSAGE(scene.has_value(), (scene ? std::string() : scene.error().text));
    const PipelineState canonical = canonicalize(scene->state, shaders);
    const VariantRef joined = buildJoined(device, shaders, canonical);
    Result<OptimizedBuild> build = buildOptimizedVariant(
        device.partMaker(), makeOptimizedKey(shaders, canonical, nullptr), shaders, canonical, nullptr, *joined, {});
    REQUIRE_MESSAGE(build.has_value(), (build ? std::string() : build.error().text));
    REQUIRE_MESSAGE(build->variant, build->rejection);
    CHECK(parametersOf(*joined) == joinedParameters);
    CHECK(parametersOf(*build->variant) == optimizedParameters);
    Result<void> checked = checkImage(*build->variant->image);
    CHECK_MESSAGE(checked.has_value(), (checked ? std::string() : checked.error().text));
    const Comparison comparison =
        compare(*scene, drawWith(*joined, *scene, shaders), drawWith(*build->variant, *scene, shaders));
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
}

const char *const Vertex = R"(
  layout(location = 0) in vec4 position;
  layout(location = 0) out vec3 a;
  layout(location = 1) out float b;
  layout(location = 2) out vec4 c;
  layout(location = 3) flat out ivec2 d;
  layout(location = 4) flat out int e;
  layout(location = 5) noperspective out vec2 f;
  layout(location = 6) out float g[3];
  void main() {
    gl_Position = position;
    a = position.xyz * 0.5;
    b = position.x * position.y;
    c = position.wzyx + 0.25;
    d = ivec2(position.xy * 8.0);
    e = gl_VertexIndex;
    f = position.yx;
    g = float[3](position.x, position.y + 1.0, position.x - position.y);
  }
)";

} // namespace

TEST_CASE("components of several locations share parameters, those that are flat among themselves") {
  check(shadersOf(Vertex, R"(
          layout(location = 0) in vec3 a;
          layout(location = 1) in float b;
          layout(location = 2) in vec4 c;
          layout(location = 3) flat in ivec2 d;
          layout(location = 4) flat in int e;
          layout(location = 5) noperspective in vec2 f;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(a.z + b, c.y + float(d.x + e), f.x + a.x, float(d.y) + c.w + f.y); }
        )"),
        9, 3); // a.xz b c.yw f.xy: 7; d e: 3
}

TEST_CASE("one component of each location: four of them fit a parameter") {
  check(shadersOf(Vertex, R"(
          layout(location = 0) in vec3 a;
          layout(location = 1) in float b;
          layout(location = 2) in vec4 c;
          layout(location = 5) noperspective in vec2 f;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(a.y, b, c.w, f.y); }
        )"),
        9, 1);
}

TEST_CASE("an array that is indexed dynamically is packed element by element") {
  check(shadersOf(Vertex, R"(
          layout(location = 4) flat in int e;
          layout(location = 6) in float g[3];
          layout(location = 0) out vec4 target;
          void main() { target = vec4(g[e % 3], g[1], 0.0, 1.0); }
        )"),
        9, 2);
}

TEST_CASE("interpolation at an offset and of a sample reads packed components") {
  check(shadersOf(Vertex, R"(
          layout(location = 0) in vec3 a;
          layout(location = 1) centroid in float b;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(interpolateAtOffset(a.xy, vec2(0.25)), a.y, b); }
        )"),
        9, 1);
}

TEST_CASE("what one shader does not write does not move what others read") {
  check(shadersOf(R"(
          layout(location = 0) in vec4 position;
          layout(location = 0) out vec2 a;
          layout(location = 2) out vec2 c;
          void main() { gl_Position = position; a = position.xy; c = position.yx * 0.5; }
        )",
                  R"(
          layout(location = 0) in vec2 a;
          layout(location = 2) in vec2 c;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(a.y, c, a.x); }
        )"),
        2, 1);
}
