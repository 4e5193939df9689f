// SPDX-License-Identifier: MIT
//
// Optimised variants whose parameters are packed draw the same as joined ones, with as few parameters as the components
// that are read need.
#include "merge/check/check_image.h"
#include "tests/driver/code/known_variant.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/optimize/optimized_variant.h"
#include "variants/state/canonicalize.h"
#include "variants/state/default_state.h"
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail;

namespace {

size_t parametersOf(const Variant &variant) {
  for (const ImageStage &stage : variant.image->stages)
    if (stage.stage == HardwareStage::Vs)
      return stage.interface->preRaster.parameters.size();
  FAIL("a variant without vertices");
  return 0;
}

// Checks the number of parameters of the joined variant and of the optimised one; it is the same on each GPU. The test
// fails if they draw different pictures, or if the image is not valid.
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

const char *const Halves = R"(
  #extension GL_EXT_shader_16bit_storage : require
  #extension GL_EXT_shader_explicit_arithmetic_types : require
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

TEST_CASE("half floats in many locations share dwords, and so do numbers of 16 bits that are flat") {
  check(shadersOf(std::string(Halves) + R"(
          layout(location = 0) in vec4 position;
          layout(location = 0) out float16_t a;
          layout(location = 1) noperspective out f16vec3 b;
          layout(location = 2) centroid out float16_t c;
          layout(location = 3) out f16vec3 d;
          layout(location = 4) flat out uint16_t e;
          layout(location = 5) flat out i16vec4 f;
          layout(location = 6) flat out float16_t g;
          layout(location = 7) flat out int h;
          void main() {
            gl_Position = position;
            f16vec4 half4 = f16vec4(position);
            a = half4.x;
            b = half4.yxx * 0.5hf;
            c = half4.x * half4.y;
            d = half4.yyx + 0.25hf;
            e = uint16_t(gl_VertexIndex + 50000);
            f = i16vec4(gl_VertexIndex, -gl_VertexIndex, 3, -4);
            g = half4.x * 3.0hf;
            h = gl_VertexIndex * 1000;
          }
        )",
                  std::string(Halves) + R"(
          layout(location = 0) in float16_t a;
          layout(location = 1) noperspective in f16vec3 b;
          layout(location = 2) centroid in float16_t c;
          layout(location = 3) in f16vec3 d;
          layout(location = 4) flat in uint16_t e;
          layout(location = 5) flat in i16vec4 f;
          layout(location = 6) flat in float16_t g;
          layout(location = 7) flat in int h;
          layout(location = 0) out vec4 target;
          void main() {
            target = vec4(a, b) + vec4(c, d) + vec4(e, g, f.x * h, f.y) * 0.01;
          }
        )"),
        8, 2); // a b c d: 8 halves; e f g: 4 halves (f.zw are constants) and h
}

TEST_CASE("halves that take instructions to put together are packed, since parameters cost more") {
  const std::string vertex = std::string(Halves) + R"(
          layout(location = 0) in vec4 position;
          layout(location = 0) out f16vec4 a;
          layout(location = 1) out f16vec4 b;
          layout(location = 2) out f16vec4 c;
          layout(location = 3) out f16vec4 d;
          layout(location = 4) out f16vec4 e;
          void main() {
            gl_Position = position;
            f16vec4 halves = f16vec4(position);
            a = halves;
            b = sqrt(abs(halves));
            c = halves.yxwz * 0.5hf;
            d = halves + halves.wzyx;
            e = halves.zwxy - 0.25hf;
          }
        )";
  const std::string fragment = std::string(Halves) + R"(
          layout(location = 0) in f16vec4 a;
          layout(location = 1) in f16vec4 b;
          layout(location = 2) in f16vec4 c;
          layout(location = 3) in f16vec4 d;
          layout(location = 4) in f16vec4 e;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(a) + vec4(b).wzyx + vec4(c) + vec4(d) * vec4(e); }
        )";
  check(shadersOf(vertex, fragment), 5, 3);
}

TEST_CASE("half floats and whole ones that are interpolated do not share a parameter") {
  check(shadersOf(std::string(Halves) + R"(
          layout(location = 0) in vec4 position;
          layout(location = 0) out float16_t a;
          layout(location = 1) out float b;
          layout(location = 2) out float16_t c;
          layout(location = 3) out float d;
          void main() {
            gl_Position = position;
            a = float16_t(position.x);
            b = position.y;
            c = float16_t(position.y) * 0.5hf;
            d = position.x + position.y;
          }
        )",
                  std::string(Halves) + R"(
          layout(location = 0) in float16_t a;
          layout(location = 1) in float b;
          layout(location = 2) in float16_t c;
          layout(location = 3) in float d;
          layout(location = 0) out vec4 target;
          void main() { target = vec4(a, b, c, d); }
        )"),
        4, 2);
}

// lavapipe has no inputs and outputs of 16 bits, so floats of 32 bits are the reference.
TEST_CASE("half floats in packed parameters have the values of floats, but for their rounding") {
  auto shadersWith = [](const std::string &number, const std::string &triple) {
    const std::string types = Halves + fmt::format("\n#define number {}\n#define triple {}\n", number, triple);
    return shadersOf(types + R"(
          layout(location = 0) in vec4 position;
          layout(location = 0) out triple a;
          layout(location = 1) noperspective out number b;
          layout(location = 2) flat out triple c;
          layout(location = 3) out number d;
          layout(location = 4) flat out number e;
          void main() {
            gl_Position = position;
            a = triple(position.xyz);
            b = number(position.y);
            c = triple(gl_VertexIndex, 0.375, -2.5);
            d = number(position.x * 3.0);
            e = number(gl_VertexIndex) * number(0.5);
          }
        )",
                     types + R"(
          layout(location = 0) in triple a;
          layout(location = 1) noperspective in number b;
          layout(location = 2) flat in triple c;
          layout(location = 3) in number d;
          layout(location = 4) flat in number e;
          layout(location = 0) out vec4 target;
          layout(location = 1) out vec4 flats;
          void main() {
            target = vec4(a.x, a.z, b, d);
            flats = vec4(c, e);
          }
        )");
  };
  const ShaderSet halves = shadersWith("float16_t", "f16vec3"), floats = shadersWith("float", "vec3");
  PipelineState state = defaultState(halves);
  state.colorTargets[0].format = state.colorTargets[1].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  for (const char *gpu : {"gfx900", "gfx803"}) {
    CAPTURE(std::string(gpu));
    Device &device = sharedDevice(gpu);
    Result<Scene> scene = makeScene(halves, state, {1, 16, 16});
    REQUIRE_MESSAGE(scene.has_value(), (scene ? std::string() : scene.error().text));
    const PipelineState canonical = canonicalize(scene->state, halves);
    const VariantRef joined = buildJoined(device, halves, canonical);
    Result<OptimizedBuild> build = buildOptimizedVariant(
        device.partMaker(), makeOptimizedKey(halves, canonical, nullptr), halves, canonical, nullptr, *joined, {});
    REQUIRE_MESSAGE(build.has_value(), (build ? std::string() : build.error().text));
    REQUIRE_MESSAGE(build->variant, build->rejection);
    CHECK(parametersOf(*build->variant) == 2); // a.xz b d; c.x e
    const SceneResult expected = drawWith(*buildJoined(device, floats, canonical), *scene, floats);
    for (const VariantRef &variant : {joined, build->variant}) {
      const Comparison comparison =
          compare(*scene, drawWith(*variant, *scene, halves), expected, {.relative = 0x1p-9, .absolute = 0x1p-10});
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
  }
}
