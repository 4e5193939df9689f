// SPDX-License-Identifier: MIT
//
// Buffers that a layout has in other forms than descriptors in tables. The picture stays the same. A shader is compiled
// once for each form, wherever the buffers are.
#include "merge/check/check_image.h"
#include "parts/cache/part_maker.h"
#include "src/lgc/pipeline.h"
#include "tests/driver/layouts/random_layout.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
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

ShaderSet under(const ShaderSet &shaders, UserDataNodes layout, const std::vector<uint32_t> &immutableSamplers = {}) {
  ShaderSet other = shaders;
  other.layout = std::make_shared<const ResourceLayout>(std::move(layout), immutableSamplers);
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

// Draws under the default layout, and under random ones of these nodes.
void drawUnder(const Scene &scene, const ShaderSet &shaders, const UserDataNodes &changed,
               const std::vector<uint32_t> &immutableSamplers = {}) {
  REQUIRE(changed != shaders.userDataNodes());
  for (const char *gpu : {"gfx803", "gfx900"})
    for (const bool isMonolithic : {false, true}) {
      CAPTURE(gpu);
      Result<SceneResult> expected = draw(scene, shaders, gpu, isMonolithic);
      REQUIRE_MESSAGE(expected, expected.error().text);
      uint64_t compiled = 0;
      for (unsigned seed = 0; seed < 8; ++seed) {
        CAPTURE(seed);
        const ShaderSet other = under(shaders, randomLayout(changed, seed), immutableSamplers);
        Result<SceneResult> result = draw(scene, other, gpu, isMonolithic);
        REQUIRE_MESSAGE(result, result.error().text);
        Comparison comparison = compare(scene, *expected, *result);
        CHECK_MESSAGE(comparison.matches, comparison.text);
        if (seed == 0)
          compiled = compiledBy(gpu);
      }
      CHECK(compiledBy(gpu) == compiled);
    }
}

void drawWith(const std::function<void(UserDataNodes &)> &change) {
  const ShaderSet shaders = manyBuffers();
  UserDataNodes changed = shaders.userDataNodes();
  change(changed);
  drawUnder(sceneOf(shaders), shaders, changed);
}

UserDataNode &nodeOf(UserDataNodes &nodes, uint32_t binding, UserDataNodeType type = Buffer) {
  auto found = std::ranges::find_if(
      nodes, [&](const UserDataNode &node) { return node.type == type && node.binding == binding; });
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

TEST_CASE("a shader that asks how long a buffer is whose layout has its address alone is refused by name") {
  const ShaderSet shaders = computeOf("layout(binding = 2) buffer Out { uint results[]; };\n"
                                      "void main() { results[0] = results.length(); }\n");
  UserDataNodes nodes = shaders.userDataNodes();
  turnInto(nodes, 2, CompactBuffer, 2);
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), sceneOf(shaders).state, {});
  REQUIRE_FALSE(variant);
  CHECK((variant.error().code == ErrorCode::Unsupported));
  CHECK(variant.error().text.find("set 0 binding 2: the shader asks how long the buffer is, but the layout has its "
                                  "address alone") != std::string::npos);
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

TEST_CASE("the driver is told which root dwords are read from memory because arrays of buffers are there") {
  const ShaderSet shaders = manyBuffers();
  UserDataNodes nodes = shaders.userDataNodes();
  turnInto(nodes, 1, RootBuffer, 4, 3);
  nodeOf(nodes, 1, RootBuffer).offsetInDwords = 9;
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), sceneOf(shaders).state, {});
  REQUIRE_MESSAGE(variant, variant.error().text);
  const ImageStage &stage = (*variant)->image->stages[0];
  CHECK(stage.spillThreshold == 9);
  CHECK(stage.userDataLimit == 21);
}

TEST_CASE("descriptors and offsets in the root table come in user SGPRs, and nothing is read from memory then") {
  const ShaderSet shaders = manyBuffers();
  UserDataNodes nodes = shaders.userDataNodes();
  turnInto(nodes, 2, RootBuffer, 4);
  nodeOf(nodes, 2, RootBuffer).offsetInDwords = 9;
  nodes.push_back({DynamicOffset, 0, 3, 7, 1, 1});
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), sceneOf(shaders).state, {});
  REQUIRE_MESSAGE(variant, variant.error().text);
  const ImageStage &stage = (*variant)->image->stages[0];
  CHECK(stage.spillThreshold == NoSpill);
  CHECK(stage.userDataLimit == 13);
  for (const uint32_t dword : {7, 9, 10, 11, 12})
    CHECK(std::count(stage.userDataMap.begin(), stage.userDataMap.begin() + stage.userSgprCount, dword) == 1);
}

TEST_CASE("descriptors in the root table for which there are no SGPRs are read from memory, each as a whole") {
  // Of the 16 user SGPRs, one has the global table and one the root table's address. The rest has room for three
  // descriptors.
  std::string declarations, sum;
  for (unsigned binding = 1; binding < 6; ++binding) {
    const std::string number = std::to_string(binding);
    declarations += "layout(binding = " + number + ") uniform B" + number + " { uint value; } b" + number + ";\n";
    sum += " * 3u + b" + number + ".value";
  }
  const ShaderSet shaders = computeOf(declarations +
                                      "layout(binding = 0) buffer Out { uint results[]; };\n"
                                      "void main() { results[gl_LocalInvocationIndex] = 1u" +
                                      sum + "; }\n");
  UserDataNodes nodes = shaders.userDataNodes();
  for (uint32_t binding = 0; binding < 6; ++binding)
    turnInto(nodes, binding, RootBuffer, 4);
  drawUnder(sceneOf(shaders), shaders, nodes);
  uint32_t offset = 20;
  for (UserDataNode &node : nodes)
    if (node.type == RootBuffer)
      node.offsetInDwords = offset += 4;
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes), sceneOf(shaders).state, {});
  REQUIRE_MESSAGE(variant, variant.error().text);
  const ImageStage &stage = (*variant)->image->stages[0];
  CHECK(stage.spillThreshold == 36);
  CHECK(stage.userDataLimit == 48);
}

TEST_CASE("the dwords of immutable samplers are in the code") {
  const ShaderSet shaders = computeOf("layout(local_size_x = 64) in;\n"
                                      "layout(binding = 0) uniform sampler2D images[2];\n"
                                      "layout(binding = 1) uniform texture2D image;\n"
                                      "layout(binding = 2) uniform sampler samplers[3];\n"
                                      "layout(binding = 3) buffer Out { vec4 results[64]; };\n"
                                      "layout(binding = 4) uniform Which { uint which; };\n"
                                      "void main() {\n"
                                      "  uint i = gl_LocalInvocationIndex;\n"
                                      "  vec2 place = vec2(float(i) / 48.0 - 0.2, float(i % 7u) / 5.0);\n"
                                      "  results[i] = textureLod(images[1], place, 0.0)\n"
                                      "             + textureLod(sampler2D(image, samplers[2]), place, 0.0)\n"
                                      "             + textureLod(sampler2D(image, samplers[which % 3u]), place, 0.0);\n"
                                      "}\n");
  const Scene scene = sceneOf(shaders);
  std::vector<uint32_t> dwords = {0, 0, 0, 0, 0}; // other nodes' dwords
  UserDataNodes nodes = shaders.userDataNodes();
  auto append = [&](uint32_t binding, uint32_t elements) {
    nodes.push_back({ImmutableSampler, 0, binding, uint32_t(dwords.size()), 4 * elements, 4});
    for (uint32_t element = 0; element < elements; ++element) {
      const auto found = std::ranges::find_if(scene.descriptors, [&](const SceneDescriptor &descriptor) {
        return descriptor.binding == binding && descriptor.element == element;
      });
      REQUIRE(found != scene.descriptors.end());
      std::ranges::copy(emulator::samplerDescriptor(scene.samplers[found->sampler]), std::back_inserter(dwords));
    }
  };
  std::erase_if(nodes, [](const UserDataNode &node) { return node.type == Sampler; });
  nodeOf(nodes, 0, CombinedImageSampler).type = UserDataNodeType::Image;
  append(0, 2);
  append(2, 3);
  drawUnder(scene, shaders, nodes, dwords);
}

TEST_CASE("a layout that lacks the dwords of an immutable sampler is refused by name") {
  const ShaderSet shaders = computeOf("layout(binding = 1) uniform texture2D image;\n"
                                      "layout(binding = 2) uniform sampler s;\n"
                                      "layout(binding = 3) buffer Out { vec4 result; };\n"
                                      "void main() { result = textureLod(sampler2D(image, s), vec2(0), 0.0); }\n");
  UserDataNodes nodes = shaders.userDataNodes();
  nodeOf(nodes, 2, Sampler).type = ImmutableSampler;
  nodeOf(nodes, 2, ImmutableSampler).offsetInDwords = 2;
  Result<VariantRef> variant = sharedDevice().bind(under(shaders, nodes, {1, 2, 3, 4, 5}), sceneOf(shaders).state, {});
  REQUIRE_FALSE(variant);
  CHECK((variant.error().code == ErrorCode::StateMismatch));
  CHECK(variant.error().text == "set 0 binding 2: the layout lacks dword 3 of the immutable sampler");
}
