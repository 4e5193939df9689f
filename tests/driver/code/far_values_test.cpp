// SPDX-License-Identifier: MIT
//
// Shaders with far more values than VGPRs: the values wait in memory (src/lgc/codegen/slow/store_far_values.h). The
// shaders draw and write the same as in lavapipe, whichever way each lane goes.
#include "merge/check/check_image.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <functional>

using namespace dovetail;

namespace {

// Each level has two vec4s that wait. Lavapipe has a limit of 80 nested divergent ifs (LP_MAX_TGSI_NESTING).
constexpr unsigned Levels = 70;

// Functions f0 … f69, each of which calls the one before.
std::string chain(const std::string &first, const std::function<std::string(unsigned)> &level) {
  std::string text = first;
  for (unsigned i = 1; i < Levels; ++i)
    text += level(i);
  return text;
}

void compareWithReference(const ShaderSet &shaders) {
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 16, 16});
  REQUIRE_MESSAGE(scene, scene.error().text);
  Result<SceneResult> reference = drawReference(*scene);
  REQUIRE_MESSAGE(reference, reference.error().text);
  for (const char *gpu : {"gfx900", "gfx803"})
    for (bool isMonolithic : {false, true}) {
      CAPTURE(gpu);
      CAPTURE(isMonolithic);
      Result<VariantRef> variant = sharedDevice(gpu).bind(shaders, scene->state, {isMonolithic});
      REQUIRE_MESSAGE(variant, variant.error().text);
      Result<void> checked = checkImage(*(*variant)->image);
      REQUIRE_MESSAGE(checked, checked.error().text);
      Result<SceneResult> result = emulate(*scene, shaders, *(*variant)->image);
      REQUIRE_MESSAGE(result, result.error().text);
      Comparison comparison = compare(*scene, *result, *reference);
      CHECK_MESSAGE(comparison.matches, comparison.text);
    }
}

// A level with whole numbers: a result is the same or wrong, without tolerance. The values that `v` and `u` have here
// are used behind the call.
std::string wholeLevel(unsigned i, const std::string &leave) {
  return fmt::format("uvec4 f{}(uvec4 v) {{\n  if ({}) return v;\n  uvec4 old = u;\n  u = u * b + v;\n"
                     "  uvec4 w = f{}(v * b + a) ^ v.yzwx;\n  u ^= old.wxyz;\n  return w;\n}}\n",
                     i, leave, i - 1);
}

// `level` makes the text of such a function. `lane`, `a` and `b` differ from lane to lane.
void compareWrites(const std::string &declarations, const std::function<std::string(unsigned)> &level,
                   const std::string &body) {
  compareWithReference(computeOf("layout(std430, set = 3, binding = 0) buffer Out { uvec4 values[64]; };\n" +
                                 declarations + "uint lane;\nuvec4 a, b, u;\n" +
                                 chain("uvec4 f0(uvec4 v) { return v * lane; }\n", level) +
                                 "void main() {\n  lane = gl_LocalInvocationIndex;\n"
                                 "  a = uvec4(lane + 1u, lane * 7u, 3u, lane * lane);\n"
                                 "  b = uvec4(5u, lane * 2u + 1u, lane + 9u, 3u);\n"
                                 "  uvec4 v = a;\n  u = b;\n" +
                                 body + "  values[lane] = v ^ u;\n}\n"));
}

} // namespace

TEST_CASE("values that wait while lanes leave at different depths are what they were") {
  compareWrites(
      "", [](unsigned i) { return wholeLevel(i, fmt::format("lane > {}u", i)); }, "  v = f69(v);\n");
}

TEST_CASE("each iteration of a loop has its own values, at every depth and for each lane as often as it runs") {
  compareWrites(
      "",
      [](unsigned i) {
        if (i % 20 == 0)
          return fmt::format("uvec4 f{}(uvec4 v) {{\n  uvec4 sum = v;\n  for (uint k = 0u; k <= (lane & 1u); ++k) {{\n"
                             "    sum = sum * 3u + f{}(v * b + a);\n    v += sum;\n  }}\n  return sum ^ v;\n}}\n",
                             i, i - 1);
        return wholeLevel(i, fmt::format("((lane + v.x) & 31u) == {}u", i % 32));
      },
      "  for (uint k = 0u; k < (lane & 3u) + 1u; ++k)\n    v = f69(v + k) + v;\n");
}

TEST_CASE("values that wait in branches which all lanes take together are what they were") {
  compareWrites(
      "layout(set = 0, binding = 0) uniform Depth { uint depth; };\n",
      [](unsigned i) { return wholeLevel(i, fmt::format("(depth & 31u) + 1u > {}u", i)); }, "  v = f69(v);\n");
}

TEST_CASE("derivatives of values that have waited know the neighbours that are not drawn") {
  auto level = [](unsigned i) {
    return fmt::format("vec4 f{}(vec4 v) {{\n  if ((depth & 31u) + 1u > {}u) return v;\n  vec4 old = u;\n"
                       "  u = u * 0.25 + v;\n  vec4 w = f{}(v * 0.5 + a * a.yzwx);\n  u += old.wxyz * 0.5;\n"
                       "  return w * 0.5 + v.yzwx + dFdx(v) + dFdy(old).wzyx;\n}}\n",
                       i, i, i - 1);
  };
  compareWithReference(shadersOf("layout(location = 0) in vec4 position;\nlayout(location = 0) out vec4 color;\n"
                                 "void main() { gl_Position = position; color = position.yxwz; }\n",
                                 "layout(location = 0) in vec4 a;\nlayout(location = 0) out vec4 target;\n"
                                 "layout(set = 0, binding = 0) uniform Depth { uint depth; };\nvec4 u;\n" +
                                     chain("vec4 f0(vec4 v) { return v * a.w; }\n", level) +
                                     "void main() {\n  u = a;\n  vec4 v = f69(a);\n  target = v + u;\n}\n"));
}
