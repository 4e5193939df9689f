// SPDX-License-Identifier: MIT
//
// Shaders under many layouts: each is compiled once, and draws the same under all of them.
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "src/lgc/pipeline.h"
#include "tests/driver/layouts/random_layout.h"
#include "tests/driver/own_shaders.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Scene sceneOf(const ShaderSet &shaders) {
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 16, 16});
  if (!scene)
    FAIL(scene.error().text);
  return *scene;
}

ShaderSet under(const ShaderSet &shaders, UserDataNodes layout) {
  ShaderSet other = shaders;
  other.layout = std::make_shared<const ResourceLayout>(std::move(layout));
  return other;
}

Result<VariantRef> bind(const Scene &scene, const ShaderSet &shaders, const std::string &gpu, bool isMonolithic) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return variant;
}

Result<SceneResult> draw(const Scene &scene, const ShaderSet &shaders, const std::string &gpu,
                         bool isMonolithic = false) {
  VariantRef variant = DOVETAIL_TRY(bind(scene, shaders, gpu, isMonolithic));
  return emulate(scene, shaders, *variant->image);
}

uint64_t compiledBy(const std::string &gpu) {
  return sharedDevice(gpu).partMaker().compileCounts().lowered;
}

// Draws under the default layout, then under `layouts` others.
void drawUnderLayouts(const ShaderSet &shaders, unsigned layouts, const std::string &gpu, bool isMonolithic = false) {
  CAPTURE(gpu);
  const Scene scene = sceneOf(shaders);
  Result<SceneResult> expected = draw(scene, shaders, gpu, isMonolithic);
  REQUIRE_MESSAGE(expected, expected.error().text);
  const uint64_t compiled = compiledBy(gpu);
  for (unsigned seed = 0; seed < layouts; ++seed) {
    CAPTURE(seed);
    Result<SceneResult> result =
        draw(scene, under(shaders, randomLayout(shaders.userDataNodes(), seed)), gpu, isMonolithic);
    if (!result) {
      FAIL_CHECK(result.error().text);
      continue;
    }
    Comparison comparison = compare(scene, *expected, *result);
    CHECK_MESSAGE(comparison.matches, comparison.text);
  }
  CHECK(compiledBy(gpu) == compiled);
}

ShaderSet manyResources() {
  return shadersOf(
      "layout(location = 0) in vec4 position;\n"
      "layout(location = 0) out vec2 uv;\n"
      "layout(set = 0, binding = 3) uniform Move { vec4 offset; } move;\n"
      "layout(push_constant) uniform Push { layout(offset = 16) float scale; layout(offset = 32) vec4 bias; };\n"
      "void main() { gl_Position = position + move.offset * 0.1; uv = position.xy * scale; }\n",
      "layout(location = 0) in vec2 uv;\n"
      "layout(location = 0) out vec4 color;\n"
      "layout(set = 0, binding = 1) uniform sampler2D images[4];\n"
      "layout(set = 2, binding = 0) uniform texture2D image;\n"
      "layout(set = 2, binding = 5) uniform sampler s;\n"
      "layout(set = 1, binding = 2) uniform Colors { vec4 tints[4]; int index; } colors;\n"
      "layout(set = 1, binding = 7) buffer Read { vec4 values[]; } stored;\n"
      "layout(push_constant) uniform Push { layout(offset = 16) float scale; layout(offset = 32) vec4 bias; };\n"
      "void main() {\n"
      "  color = texture(images[2], uv) + texture(sampler2D(image, s), uv) * colors.tints[1]\n"
      "        + texture(images[colors.index & 3], uv) + stored.values[1] * float(stored.values.length())\n"
      "        + bias;\n}\n");
}

} // namespace

TEST_CASE("a vertex and a fragment shader are compiled once for fifty layouts, and draw the same under all of them") {
  const ShaderSet shaders = manyResources();
  for (const char *gpu : {"gfx803", "gfx900"})
    drawUnderLayouts(shaders, 50, gpu);
}

TEST_CASE("monolithic programs are compiled once for all layouts, too") {
  const ShaderSet shaders = manyResources();
  for (const char *gpu : {"gfx803", "gfx900"})
    drawUnderLayouts(shaders, 5, gpu, true);
}

TEST_CASE("every own program draws the same under other layouts") {
  for (const OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    for (const char *gpu : {"gfx803", "gfx900"})
      drawUnderLayouts(program.shaders, 2, gpu);
  }
}

TEST_CASE("tables and push constants for which there are no SGPRs are found in memory, wherever the layout has them") {
  std::string declarations, sum;
  for (unsigned set = 0; set < 10; ++set) {
    const std::string number = std::to_string(set);
    declarations +=
        "layout(set = " + number + ", binding = 1) uniform B" + number + " { uint value; } b" + number + ";\n";
    sum += " + b" + number + ".value";
  }
  const ShaderSet shaders =
      computeOf(declarations +
                "layout(push_constant) uniform Push { uint numbers[12]; };\n"
                "layout(set = 0, binding = 0) buffer Out { uint results[]; };\n"
                "void main() {\n  uint n = gl_GlobalInvocationID.x;\n"
                "  uint s = numbers[n % 12u]" +
                sum + ";\n  for (int i = 0; i < 12; ++i) s = s * 3u + numbers[i];\n  results[n & 63u] = s;\n}\n");
  for (const char *gpu : {"gfx803", "gfx900"}) {
    drawUnderLayouts(shaders, 20, gpu);
    const ImageStage &stage = (*bind(sceneOf(shaders), shaders, gpu, false))->image->stages[0];
    CHECK(stage.spillThreshold < NoSpill);
    CHECK(stage.userDataLimit == 22);
  }
}

TEST_CASE("what a shader reads and the layout does not have is an error that names it") {
  const ShaderSet shaders = manyResources();
  const Scene scene = sceneOf(shaders);
  auto errorWithout = [&](auto isDropped) {
    UserDataNodes nodes = shaders.userDataNodes();
    std::erase_if(nodes, isDropped);
    Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), scene.state, {});
    REQUIRE_FALSE(variant);
    CHECK((variant.error().code == ErrorCode::StateMismatch));
    return variant.error().text;
  };
  using enum UserDataNodeType;
  CHECK(errorWithout([](const UserDataNode &node) { return node.set == 2 && node.binding == 5; }) ==
        "set 2 binding 5 is not among the user data nodes, or of another type");
  CHECK(errorWithout([](const UserDataNode &node) { return node.type == DescriptorTable && node.set == 1; }) ==
        "the user data nodes have no table for set 1");
  CHECK(errorWithout([](const UserDataNode &node) { return node.type == PushConstants; }) ==
        "the shader reads push constants, but the user data nodes have none");
  UserDataNodes nodes = shaders.userDataNodes();
  for (UserDataNode &node : nodes)
    if (node.type == PushConstants)
      node.sizeInDwords = 10;
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), scene.state, {});
  REQUIRE_FALSE(variant);
  CHECK(variant.error().text == "the shader reads push constants at byte 44, behind the 40 bytes of their node");
}
