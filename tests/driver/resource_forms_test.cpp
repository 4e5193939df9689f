// SPDX-License-Identifier: MIT
//
// Buffers that a layout has in other forms than as descriptors in tables: the same is drawn, and a shader is compiled
// once for each form and not for the places.
#include "merge/check_image.h"
#include "parts/cache/part_maker.h"
#include "src/lgc/pipeline.h"
#include "tests/driver/random_layout.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/emulator/driver/emulate.h"
#include "tools/scene/compare.h"
#include "tools/scene/maker/make_scene.h"
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;
using enum dovetail::UserDataNodeType;

namespace {

// Uniform blocks at 0 and 1, the second an array; storage buffers at 2 and 3.
ShaderSet manyBuffers() {
  return computeOf("layout(local_size_x = 64) in;\n"
                   "layout(binding = 0) uniform Numbers { uvec4 numbers[8]; uint index; };\n"
                   "layout(binding = 1) uniform Factors { uvec4 factors; } blocks[3];\n"
                   "layout(binding = 2) buffer Out { uint results[64]; };\n"
                   "layout(binding = 3) readonly buffer In { uint given[16]; };\n"
                   "void main() {\n"
                   "  uint i = gl_LocalInvocationIndex;\n"
                   "  results[i] = numbers[i & 7u].y * 3u + numbers[3].x + blocks[1].factors.x * 5u\n"
                   "             + blocks[index % 3u].factors.w * 7u + given[i & 15u];\n}\n");
}

Scene sceneOf(const ShaderSet &shaders) {
  Result<Scene> scene = makeScene(shaders, PipelineState(), {1, 16, 16});
  if (!scene)
    FAIL(scene.error().text);
  scene->workgroups = {1, 1, 1};
  return *scene;
}

ShaderSet under(const ShaderSet &shaders, UserDataNodes layout) {
  ShaderSet other = shaders;
  other.layout = std::make_shared<const ResourceLayout>(std::move(layout));
  return other;
}

Result<SceneResult> draw(const Scene &scene, const ShaderSet &shaders, const std::string &gpu, bool isMonolithic) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice(gpu).bind(shaders, scene.state, {isMonolithic}));
  DOVETAIL_CHECK(checkImage(*variant->image));
  return emulate(scene, shaders, *variant->image);
}

uint64_t compiledBy(const std::string &gpu) {
  return sharedDevice(gpu).partMaker().compileCounts().lowered;
}

// Draws under the default layout, and under random ones of the nodes that `change` makes of it.
void drawWith(const std::function<void(UserDataNodes &)> &change) {
  const ShaderSet shaders = manyBuffers();
  const Scene scene = sceneOf(shaders);
  UserDataNodes changed = shaders.userDataNodes();
  change(changed);
  REQUIRE(changed != shaders.userDataNodes());
  for (const char *gpu : {"gfx803", "gfx900"})
    for (const bool isMonolithic : {false, true}) {
      CAPTURE(gpu);
      Result<SceneResult> expected = draw(scene, shaders, gpu, isMonolithic);
      REQUIRE_MESSAGE(expected, expected.error().text);
      uint64_t compiled = 0;
      for (unsigned seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        Result<SceneResult> result = draw(scene, under(shaders, randomLayout(changed, seed)), gpu, isMonolithic);
        REQUIRE_MESSAGE(result, result.error().text);
        Comparison comparison = compare(scene, *expected, *result);
        CHECK_MESSAGE(comparison.matches, comparison.text);
        if (seed == 0)
          compiled = compiledBy(gpu);
      }
      CHECK(compiledBy(gpu) == compiled);
    }
}

UserDataNode &nodeOf(UserDataNodes &nodes, uint32_t binding) {
  auto found = std::ranges::find_if(
      nodes, [&](const UserDataNode &node) { return node.type == Buffer && node.binding == binding; });
  REQUIRE(found != nodes.end());
  return *found;
}

void turnInto(UserDataNodes &nodes, uint32_t binding, UserDataNodeType type, uint32_t dwords, uint32_t elements = 1) {
  UserDataNode &node = nodeOf(nodes, binding);
  node.type = type;
  node.sizeInDwords = dwords * elements;
  node.strideInDwords = dwords;
}

} // namespace

TEST_CASE("buffers with offsets in the root table are read and written behind them") {
  drawWith([](UserDataNodes &nodes) {
    for (uint32_t binding = 0; binding < 4; ++binding) {
      const uint32_t elements = binding == 1 ? 3 : 1;
      nodes.push_back({DynamicOffset, 0, binding, 0, elements, 1});
    }
  });
}

TEST_CASE("one buffer of several may have an offset in the root table") {
  drawWith([](UserDataNodes &nodes) { nodes.push_back({DynamicOffset, 0, 2, 0, 1, 1}); });
}

TEST_CASE("descriptors of buffers may lie in the root table") {
  drawWith([](UserDataNodes &nodes) {
    for (uint32_t binding = 0; binding < 4; ++binding)
      turnInto(nodes, binding, RootBuffer, 4, binding == 1 ? 3 : 1);
  });
}

TEST_CASE("descriptors of buffers may be their addresses alone") {
  drawWith([](UserDataNodes &nodes) {
    for (uint32_t binding = 0; binding < 4; ++binding)
      turnInto(nodes, binding, CompactBuffer, 2, binding == 1 ? 3 : 1);
  });
}

TEST_CASE("a uniform block may lie in the table of its set") {
  drawWith([](UserDataNodes &nodes) { turnInto(nodes, 0, InlineUniforms, 36); });
}

TEST_CASE("each buffer of a shader may have another form") {
  drawWith([](UserDataNodes &nodes) {
    turnInto(nodes, 0, InlineUniforms, 36);
    turnInto(nodes, 1, CompactBuffer, 2, 3);
    turnInto(nodes, 2, RootBuffer, 4);
    nodes.push_back({DynamicOffset, 0, 3, 0, 1, 1});
  });
}

TEST_CASE("the driver is told which root dwords are read from memory because buffers are there") {
  const ShaderSet shaders = manyBuffers();
  UserDataNodes nodes = shaders.userDataNodes();
  turnInto(nodes, 2, RootBuffer, 4);
  for (UserDataNode &node : nodes)
    if (node.type == RootBuffer)
      node.offsetInDwords = 9;
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), sceneOf(shaders).state, {});
  REQUIRE_MESSAGE(variant, variant.error().text);
  const ImageStage &stage = (*variant)->image->stages[0];
  CHECK(stage.spillThreshold == 9);
  CHECK(stage.userDataLimit == 13);
}
