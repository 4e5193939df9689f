// SPDX-License-Identifier: MIT
//
// Fragment inputs as the primitive's vertices have them, and the weights of the vertices.
#include "merge/check/check_image.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

using namespace dovetail;

namespace {

constexpr uint32_t Size = 8;

// Two triangles cover the whole target, in perspective. Nothing is clipped.
const char *const Vertex = R"(
  layout(location = 0) out vec2 smoothed;
  layout(location = 1) out vec2 raw;
  layout(location = 2) out vec2 linear;
  void main() {
    int number = gl_VertexIndex % 3;
    vec2 corner = number == 0 ? vec2(-1.0) : number == 1 ? vec2(1.0, -1.0) : vec2(-1.0, 1.0);
    float w = 1.0 + float(number);
    gl_Position = vec4((gl_VertexIndex < 3 ? corner : -corner) * w, 0.5 * w, w);
    smoothed = raw = linear = vec2(number * number + 1, 10 - 3 * number);
  }
)";

using Texel = std::array<float, 4>;

// All pixels of the target must be `expected`.
void checkDraws(const std::string &body, const Texel &expected) {
  ShaderSet shaders = shadersOf(Vertex, "#extension GL_AMD_shader_explicit_vertex_parameter : require\n"
                                        "layout(location = 0) in vec2 smoothed;\n"
                                        "layout(location = 1) __explicitInterpAMD in vec2 raw;\n"
                                        "layout(location = 2) noperspective in vec2 linear;\n"
                                        "layout(location = 0) out vec4 target;\nvoid main() {" +
                                            body + "}");
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  state.depthStencilFormat = VK_FORMAT_UNDEFINED;
  Result<Scene> made = makeScene(shaders, state, {1, Size, Size});
  if (!made)
    FAIL(made.error().text);
  Scene scene;
  scene.shaders = made->shaders;
  scene.state = state;
  scene.width = scene.height = Size;
  scene.vertexCount = 6;
  for (const char *gpu : {"gfx900", "gfx803"})
    for (bool isMonolithic : {false, true}) {
      CAPTURE(std::string(gpu));
      CAPTURE(isMonolithic);
      Result<VariantRef> variant = sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic});
      if (!variant)
        FAIL(variant.error().text);
      Result<void> checked = checkImage(*(*variant)->image);
      if (!checked)
        FAIL(checked.error().text);
      Result<SceneResult> result = emulate(scene, shaders, *(*variant)->image);
      if (!result)
        FAIL(result.error().text);
      std::vector<Texel> texels(Size * Size);
      REQUIRE(result->colors[0].bytes.size() == texels.size() * sizeof(Texel));
      std::memcpy(texels.data(), result->colors[0].bytes.data(), result->colors[0].bytes.size());
      for (const Texel &texel : texels)
        CHECK((texel == expected));
    }
}

} // namespace

TEST_CASE("an input as each vertex has it") {
  checkDraws("vec2 a = interpolateAtVertexAMD(raw, 0u), b = interpolateAtVertexAMD(raw, 1u),"
             "  c = interpolateAtVertexAMD(raw, 2u); target = vec4(a + b + c, a.x * b.x * c.x, a.y * b.y * c.y);",
             {8, 21, 10, 280});
}

TEST_CASE("the weights of the vertices give what interpolation gives") {
  const std::string vertices = "vec2 a = interpolateAtVertexAMD(raw, 0u), b = interpolateAtVertexAMD(raw, 1u),"
                               "  c = interpolateAtVertexAMD(raw, 2u); vec2 w = gl_BaryCoordSmoothAMD,"
                               "  l = gl_BaryCoordNoPerspAMD; vec3 pull = gl_BaryCoordPullModelAMD;";
  checkDraws(vertices +
                 "vec2 own = a + w.x * (b - a) + w.y * (c - a); vec2 ownLinear = a + l.x * (b - a) + l.y * (c - a);"
                 "target = vec4(distance(own, smoothed) < 1e-4, distance(ownLinear, linear) < 1e-4,"
                 "  distance(pull.xy / pull.z, w) < 1e-4, 1.0);",
             {1, 1, 1, 1});
}
