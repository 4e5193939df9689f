// SPDX-License-Identifier: MIT
//
// Images in compiled shaders: storage images of every format against lavapipe, and against each other what lavapipe
// (Mesa 22.3) gets wrong.
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/emulator/driver/emulate.h"
#include "tools/reference/reference.h"
#include "tools/scene/compare.h"
#include "tools/scene/maker/make_scene.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Scene sceneOf(const ShaderSet &shaders) {
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 16, 16});
  if (!scene)
    FAIL(scene.error().text);
  return *scene;
}

SceneResult run(const Scene &scene, const ShaderSet &shaders) {
  Result<VariantRef> variant = sharedDevice().bind(shaders, scene.state, {});
  if (!variant)
    FAIL(variant.error().text);
  Result<SceneResult> result = emulate(scene, shaders, *(*variant)->image);
  if (!result)
    FAIL(result.error().text);
  return *result;
}

// A compute shader that changes each texel of an image of each format.
std::string changeTexels(const std::string &type, const std::string &vector, const std::string &change,
                         std::initializer_list<const char *> formats) {
  std::string declarations, body;
  unsigned binding = 0;
  for (const char *format : formats) {
    std::string number = std::to_string(binding++);
    declarations += "layout(binding = " + number + ", " + format + ") uniform " + type + " i" + number + ";\n";
    body += "  imageStore(i" + number + ", p, " + vector + "(imageLoad(i" + number + ", p) " + change + "));\n";
  }
  return declarations +
         "void main() {\n  ivec2 p = ivec2(gl_GlobalInvocationID.x & 7, gl_GlobalInvocationID.x >> 3);\n" + body +
         "}\n";
}

void compareWithReference(const std::string &text) {
  ShaderSet shaders = computeOf(text);
  Scene scene = sceneOf(shaders);
  SceneResult ours = run(scene, shaders);
  for (size_t i = 0; i != scene.images.size(); ++i)
    CHECK(ours.images[i] != scene.images[i].bytes);
  Result<SceneResult> reference = drawReference(scene);
  REQUIRE_MESSAGE(reference, reference.error().text);
  Comparison comparison = compare(scene, ours, *reference);
  CHECK_MESSAGE(comparison.matches, comparison.text);
}

// Pairs of vectors that a compute shader writes, one to an invocation: `one` and `other` must be the same.
void checkEqual(const std::string &declarations, const std::string &one, const std::string &other) {
  ShaderSet shaders = computeOf(declarations +
                                "layout(std430, set = 3, binding = 0) buffer Out { vec4 pairs[128]; };\n"
                                "void main() {\n  uint n = gl_GlobalInvocationID.x;\n"
                                "  vec2 uv = vec2(n & 7u, n >> 3) * 0.13 + 0.01;\n"
                                "  pairs[2u * n] = " +
                                one + ";\n  pairs[2u * n + 1u] = " + other + ";\n}\n");
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  SceneResult result = run(scene, shaders);
  std::vector<float> numbers(128 * 4);
  bool isVaried = false;
  for (const std::vector<uint8_t> &buffer : result.buffers)
    if (buffer.size() >= numbers.size() * 4)
      std::memcpy(numbers.data(), buffer.data(), numbers.size() * 4);
  for (size_t i = 0; i != numbers.size(); i += 8)
    for (size_t j = 0; j != 4; ++j) {
      CHECK(numbers[i + j] == numbers[i + 4 + j]);
      isVaried |= numbers[i + j] != numbers[0];
    }
  CHECK(isVaried);
}

} // namespace

TEST_CASE("storage images of floating-point and normalised formats") {
  compareWithReference(
      changeTexels("image2D", "vec4", "* 0.75 + 0.125",
                   {"rgba32f", "rgba16f", "rg32f", "rg16f", "r11f_g11f_b10f", "r32f", "r16f", "rgba16", "rgb10_a2",
                    "rgba8", "rg16", "rg8", "r16", "r8", "rgba8_snorm", "rg8_snorm", "r8_snorm"}));
}

TEST_CASE("storage images of integer formats") {
  compareWithReference(changeTexels("iimage2D", "ivec4", "* 2 - 5",
                                    {"rgba32i", "rgba16i", "rgba8i", "rg32i", "rg16i", "rg8i", "r32i", "r16i", "r8i"}));
  compareWithReference(changeTexels(
      "uimage2D", "uvec4", "* 2u + 1u",
      {"rgba32ui", "rgba16ui", "rgb10_a2ui", "rgba8ui", "rg32ui", "rg16ui", "rg8ui", "r32ui", "r16ui", "r8ui"}));
}

TEST_CASE("four gathered offsets with comparison are four gathers") {
  checkEqual("layout(binding = 0) uniform sampler2DShadow s;\n"
             "const ivec2 Around[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));\n",
             "textureGatherOffsets(s, uv, 0.5, Around)",
             "vec4(textureGatherOffset(s, uv, 0.5, Around[0]).w, textureGatherOffset(s, uv, 0.5, Around[1]).w, "
             "textureGatherOffset(s, uv, 0.5, Around[2]).w, textureGatherOffset(s, uv, 0.5, Around[3]).w)");
}

TEST_CASE("separate samplers and textures of arrays without a size by a computed index") {
  std::string declarations = "#extension GL_EXT_nonuniform_qualifier : require\n"
                             "layout(set = 0, binding = 0) uniform texture2D image;\n"
                             "layout(set = 0, binding = 1) uniform sampler samplers[4];\n"
                             "layout(set = 1, binding = 0) uniform sampler2D textures[];\n";
  checkEqual(declarations, "textureLod(sampler2D(image, samplers[nonuniformEXT(n & 3u)]), uv * 3 - 1, 0.0)",
             "(n & 3u) == 0u ? textureLod(sampler2D(image, samplers[0]), uv * 3 - 1, 0.0) : "
             "(n & 3u) == 1u ? textureLod(sampler2D(image, samplers[1]), uv * 3 - 1, 0.0) : "
             "(n & 3u) == 2u ? textureLod(sampler2D(image, samplers[2]), uv * 3 - 1, 0.0) : "
             "textureLod(sampler2D(image, samplers[3]), uv * 3 - 1, 0.0)");
  checkEqual(declarations, "textureLod(textures[nonuniformEXT(n & 1u)], uv, 0.0)",
             "(n & 1u) == 0u ? textureLod(textures[0], uv, 0.0) : textureLod(textures[1], uv, 0.0)");
}
