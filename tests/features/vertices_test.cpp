// SPDX-License-Identifier: MIT
//
// Fragment inputs as the primitive's vertices have them, and the weights of the vertices.
#include "tests/features/drawn_texels.h"
#include "tests/scene_maker/glsl_shaders.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

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

// All pixels of the target must be `expected`.
void checkDraws(const std::string &body, const DrawnTexel &expected) {
  ShaderSet shaders = shadersOf(Vertex, "#extension GL_AMD_shader_explicit_vertex_parameter : require\n"
                                        "layout(location = 0) in vec2 smoothed;\n"
                                        "layout(location = 1) __explicitInterpAMD in vec2 raw;\n"
                                        "layout(location = 2) noperspective in vec2 linear;\n"
                                        "layout(location = 0) out vec4 target;\nvoid main() {" +
                                            body + "}");
  for (const DrawnTexel &texel : drawnTexels(shaders))
    CHECK((texel == expected));
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
