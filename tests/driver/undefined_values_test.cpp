// SPDX-License-Identifier: MIT
//
// Shaders in which something is undefined. The values that do not depend on it are right, and nothing traps.
#include "tests/features/drawn_texels.h"
#include "tests/scene_maker/glsl_shaders.h"
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Covers the whole target. A quarter of the pixels has a `side` above 0.
const char *const Vertex = R"(
  layout(location = 0) out float side;
  void main() {
    vec2 corner = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, 0.5, 1.0);
    side = corner.x - 0.5;
  }
)";

// Stands for a component that the shader leaves undefined.
constexpr float Any = NAN;

// `body` writes `target`.
void checkDraws(const std::string &body, const DrawnTexel &expected) {
  CAPTURE(body);
  ShaderSet shaders = shadersOf(Vertex, "layout(location = 0) in float side; layout(location = 0) out vec4 target;\n"
                                        "const int Powers[12] = int[12](1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, "
                                        "2048);\n"
                                        "void main() {" +
                                            body + "}");
  auto check = [&](const std::vector<DrawnTexel> &texels) {
    for (size_t i = 0; i < expected.size(); ++i) {
      CAPTURE(i);
      CHECK((std::isnan(expected[i]) ||
             std::ranges::all_of(texels, [&](const DrawnTexel &texel) { return texel[i] == expected[i]; })));
    }
  };
  eachDrawnTexels(shaders, check, [](Scene &scene) { scene.vertexCount = 3; });
}

} // namespace

TEST_CASE("a branch on an undefined value goes either way, and what lies behind it runs") {
  checkDraws("float nothing, chosen = 1.0; if (nothing > 0.5) chosen = 2.0; target = vec4(chosen, 0.25, 0.5, 0.75);",
             {Any, 0.25f, 0.5f, 0.75f});
  checkDraws("target = vec4(0.25); float nothing; if (nothing > side) target.x = 1.0;", {Any, 0.25f, 0.25f, 0.25f});
}

TEST_CASE("a switch over an undefined value takes some case, and what lies behind it runs") {
  checkDraws("int nothing; float chosen; switch (nothing) { case 0: chosen = 1.0; break; case 7: chosen = side; break; "
             "default: chosen = 2.0; } target = vec4(0.25, 0.5, chosen, 0.75);",
             {0.25f, 0.5f, Any, 0.75f});
}

TEST_CASE("a component of a vector that is not there is any value") {
  checkDraws("vec4 v = vec4(5.0, 6.0, 7.0, -1.0); int past = int(v.w); if (v[past] > 4.0) v[past] = 3.0; "
             "target = vec4(v[past], v.xyz);",
             {Any, Any, Any, Any});
  checkDraws("vec4 v = vec4(5.0, 6.0, 7.0, -1.0); int past = int(v.w); float chosen = 8.0; if (v[past] > 4.0) "
             "chosen = 9.0; target = vec4(0.5, chosen, 0.25, 0.75);",
             {0.5f, Any, 0.25f, 0.75f});
}

TEST_CASE("what lies behind the end of a table is any value") {
  checkDraws("int at = 10, sum = 0; for (int i = 0; i < 4; ++i) sum += Powers[at++]; float chosen = 1.0; "
             "if (sum > 77) chosen = side; target = vec4(0.25, 0.5, 0.75, chosen);",
             {0.25f, 0.5f, 0.75f, Any});
}

TEST_CASE("a quotient by an undefined divisor is any value") {
  checkDraws("int nothing; int quotient = int(side * 10.0) / nothing; uint rest; if (side > 0.0) rest = 3u; "
             "rest = uint(abs(side) * 10.0) % rest; target = vec4(quotient, rest, 0.5, 0.25); "
             "if (quotient > 3) target.x = 1.0; if (rest > 2u) target.y = 1.0;",
             {Any, Any, 0.5f, 0.25f});
}

TEST_CASE("a loop whose condition is undefined") {
  checkDraws("int nothing; float sum = 0.0; for (int i = 0; i < (nothing & 7); ++i) sum += side; "
             "target = vec4(sum, 0.25, 0.5, 0.75);",
             {Any, 0.25f, 0.5f, 0.75f});
}

TEST_CASE("a target that only some lanes write") {
  checkDraws("target = vec4(side); if (side > 0.0) target = vec4(1.0); else target.yw = vec2(1.0);",
             {Any, 1.0f, Any, 1.0f});
  const std::string sum =
      "vec3 sum = vec3(0.0); for (int i = 0; i < int(side); ++i) sum += sin(side * vec3(i, 2, 3)); ";
  checkDraws("target.w = 0.25; if (side > 9.0) { " + sum + "target.xyz = sum; }", {Any, Any, Any, 0.25f});
  checkDraws("float some; if (side > 9.0) { " + sum + "some = sum.x; } target = vec4(0.25, 0.5, 0.75, some * side);",
             {0.25f, 0.5f, 0.75f, Any});
}

TEST_CASE("an array that is written in part") {
  const std::string fill = "float a[16]; int n = 1 + (int(abs(side) * 100.0) & 7); "
                           "for (int i = 0; i < n; ++i) a[i] = float(n - i); ";
  checkDraws(fill + "float sum = 0.0; for (int i = 0; i < n; ++i) sum += a[n - 1 - i]; "
                    "target = vec4(sum * 2.0 == float(n * (n + 1)), 0.25, 0.5, 0.75);",
             {1.0f, 0.25f, 0.5f, 0.75f});
  checkDraws(fill + "target = vec4(a[9], 0.25, a[n], 0.75);", {Any, 0.25f, Any, 0.75f});
}

TEST_CASE("a target of which all lanes write the same components") {
  const std::string way = "float one = min(1.0, 9.0 - side); if (side > 9.0) { vec3 sum = vec3(0.0); "
                          "for (int i = 0; i < int(side); ++i) sum += sin(side * vec3(i, 2, 3)); ";
  const std::string computed = "vec3(one, one * 0.5, one * 0.25); ";
  checkDraws(way + "target.rgb = sum; } else target.rgb = " + computed, {1.0f, 0.5f, 0.25f, Any});
  checkDraws(way + "target.bga = sum; } else target.gba = " + computed, {Any, 1.0f, 0.5f, 0.25f});
  checkDraws(way + "target.rb = sum.xy; } else target.rb = vec2(one, one * 0.5);", {1.0f, Any, 0.5f, Any});
  checkDraws(way + "target.rgb = sum; } else target.rgb = " + computed + "target.rgb *= target.r;",
             {1.0f, 0.5f, 0.25f, Any});
  checkDraws(way + "target.rgb = sum; } else target.rgb = vec3(0.25, 0.5, 0.75);", {0.25f, 0.5f, 0.75f, Any});
}
