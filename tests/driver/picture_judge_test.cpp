// SPDX-License-Identifier: MIT
//
// The judge's verdicts on pictures that differ: undefined, unstable, or wrong.
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

const std::string Vertex = "layout(location = 0) in vec4 p; layout(location = 0) out vec2 uv;"
                           "void main() { gl_Position = p; uv = p.xy; }";
const std::string Fragment =
    "layout(location = 0) in vec2 uv; layout(location = 0) out vec4 c;"
    "layout(binding = 0) uniform sampler2D t; layout(push_constant) uniform P { float lo, hi; };";

struct Verdict {
  Comparison comparison;
  size_t undefined = 0; // texels, in the channel with the most
};

constexpr uint32_t Side = 32;

DrawCase caseOf(const std::string &text, const std::string &vertex = Vertex) {
  ShaderSet shaders = shadersOf(vertex, Fragment + text);
  PipelineState state = defaultState(shaders);
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  DrawCase drawCase;
  drawCase.shaders = shaders;
  drawCase.scene = *makeScene(shaders, state, {3, Side, Side});
  return drawCase;
}

Verdict judge(const std::string &text, const std::string &vertex = Vertex) {
  DrawCase drawCase = caseOf(text, vertex);
  Device &device = sharedDevice("gfx900");
  Result<Drawing> drawing = drawInEmulator(device, drawCase, DrawnCode::Joined);
  REQUIRE_MESSAGE(drawing, drawing.error().text);
  Result<SceneResult> reference = drawReference(drawCase.scene);
  REQUIRE_MESSAGE(reference, reference.error().text);
  Result<Comparison> comparison = PictureJudge(device, drawCase).compare(drawing->result, *reference);
  REQUIRE_MESSAGE(comparison, comparison.error().text);
  Verdict verdict = {*comparison};
  for (const ChannelDifference &channel : comparison->channels)
    verdict.undefined = std::max(verdict.undefined, channel.undefined);
  INFO(comparison->text);
  CHECK(comparison->matches);
  return verdict;
}

} // namespace

TEST_CASE("a clamp with the minimum above the maximum is undefined") {
  CHECK(judge("void main() { c = vec4(clamp(uv.x, lo + 1.0, hi), 0, 0, 1); }").undefined > 0);
}

TEST_CASE("a clamp in a vertex shader, whose bounds are uniforms in the wrong order, is undefined") {
  const std::string vertex = "layout(location = 0) in vec4 p; layout(location = 0) out vec2 uv;"
                             "layout(binding = 1) uniform U { vec2 size; float tile; };"
                             "void main() { gl_Position = p; vec2 least = 16 + size * 0;"
                             "uv = 0.5 * floor(clamp(vec2(min(tile * 8, 128)), least, size / 2)) / 8; }";
  CHECK(judge("void main() { c = vec4(uv * 0.1, 0.5, 1); }", vertex).undefined > 0);
}

TEST_CASE("an integer that a division gives is never unstable, however it is divided") {
  ShaderSet shaders = shadersOf(
      "layout(location = 0) in vec4 p; void main() { gl_Position = p; }",
      "layout(location = 0) out uvec4 c; void main() {"
      "uvec2 p = uvec2(gl_FragCoord.xy); uint a = p.x * 52137 & 0xffffff;"
      "c = uvec4(a / (p.y + 3), uint(int(a) / (int(p.y) - 40)), a * 99991 / (p.y * 70001 + 3), a % (p.y + 7)); }");
  PipelineState state = defaultState(shaders);
  state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_UINT;
  const DrawCase drawCase = {shaders, *makeScene(shaders, state, {3, Side, Side})};
  Device &device = sharedDevice("gfx900");
  const SceneResult ours = drawInEmulator(device, drawCase, DrawnCode::Joined)->result;
  // Adds one to each component of a row of texels, like a division that is off by one.
  SceneResult changed = ours;
  for (uint32_t component = 0; component < Side * 4; ++component)
    ++changed.colors[0].bytes[(Side / 2) * Side * 16 + component * 4];
  Result<Comparison> comparison = PictureJudge(device, drawCase).compare(ours, changed);
  REQUIRE(comparison);
  CHECK_FALSE(comparison->matches);
  for (const ChannelDifference &channel : comparison->channels) {
    INFO(comparison->text);
    CHECK(channel.unstable == 0);
    CHECK(channel.undefined == 0);
  }
}

TEST_CASE("the judge says which kind of noise makes texels unstable") {
  DrawCase drawCase = caseOf("void main() { c = vec4(floor(uv * 30000), floor(exp2(uv.x) * 16), 1); }");
  Device &device = sharedDevice("gfx900");
  const SceneResult ours = drawInEmulator(device, drawCase, DrawnCode::Joined)->result;
  const SceneResult other = drawInEmulator(device, drawCase, DrawnCode::Joined, {.roundingNoise = 1})->result;
  Tolerance tolerance;
  tolerance.relative = tolerance.absolute = 0;
  tolerance.perMilleUnstable = 1000;
  Result<Comparison> comparison = PictureJudge(device, drawCase).explain(ours, other, tolerance);
  REQUIRE(comparison);
  INFO(comparison->text);
  CHECK(comparison->matches);
  CHECK(comparison->text.find("unstable (interpolation ") != std::string::npos);
}

TEST_CASE("an image read at what is no number is undefined") {
  CHECK(judge("void main() { c = texture(t, uv / (uv - uv)); }").undefined > 0);
}

TEST_CASE("the length of nothing divides by zero, and the result is undefined") {
  CHECK(judge("void main() { c = vec4(normalize(uv - uv), 0, 1); }").undefined > 0);
}

TEST_CASE("a conversion that no integer can hold is undefined") {
  CHECK(judge("void main() { c = vec4(float(uint(-20.0 - uv.x)), 0, 0, 1); }").undefined > 0);
}

TEST_CASE("a component that only one way of a branch writes is undefined on the other, and only there") {
  DrawCase drawCase =
      caseOf("void main() { if (gl_FragCoord.x > 16.0) c.rgb = vec3(0.5); else c = vec4(uv, 0.25, 0.75); }");
  Device &device = sharedDevice("gfx900");
  const SceneResult ours = drawInEmulator(device, drawCase, DrawnCode::Joined)->result;
  // Another alpha in a texel of a column in the middle row.
  auto changedAt = [&](uint32_t column) {
    SceneResult changed = ours;
    uint8_t *bytes = &changed.colors[0].bytes[((Side / 2) * Side + column) * 16 + 12];
    float alpha = 0;
    std::memcpy(&alpha, bytes, sizeof(alpha));
    CHECK(alpha == 0.75); // drawn
    alpha = 0.125;
    std::memcpy(bytes, &alpha, sizeof(alpha));
    return changed;
  };
  PictureJudge judge(device, drawCase);
  Result<Comparison> right = judge.compare(ours, changedAt(Side / 2 + 4)),
                     left = judge.compare(ours, changedAt(Side / 2 - 4));
  REQUIRE((right && left));
  CHECK_MESSAGE(right->matches, right->text);
  CHECK_FALSE_MESSAGE(left->matches, left->text);
}

TEST_CASE("what is defined everywhere is neither undefined nor apart") {
  CHECK(judge("void main() { c = texture(t, uv) + vec4(clamp(uv.x, 0.2, 0.4), normalize(uv), 1); }").undefined == 0);
}
