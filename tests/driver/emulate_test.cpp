// SPDX-License-Identifier: MIT
//
// The driver's values for shaders, seen in the output of the shaders.
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/scene/maker/make_scene.h"
#include <bit>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

Result<SceneResult> tryRun(const Scene &scene, const ShaderSet &shaders, EmulationStatistics *statistics = nullptr) {
  VariantRef variant = DOVETAIL_TRY(sharedDevice().bind(shaders, scene.state));
  return emulate(scene, shaders, *variant->image, statistics);
}

Scene sceneOf(const ShaderSet &shaders) {
  Result<Scene> scene = makeScene(shaders, {}, {});
  if (!scene)
    FAIL(scene.error().text);
  return std::move(*scene);
}

std::vector<uint32_t> wordsOf(const std::vector<uint8_t> &bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// The words of buffer `number` after a dispatch.
std::vector<uint32_t> run(const Scene &scene, const ShaderSet &shaders, size_t number = 0) {
  Result<SceneResult> result = tryRun(scene, shaders);
  if (!result)
    FAIL(result.error().text);
  return wordsOf(result->buffers.at(number));
}

} // namespace

TEST_CASE("a dispatch runs each invocation of each workgroup once, a partial wave too") {
  ShaderSet shaders = computeOf("layout(local_size_x = 64, local_size_y = 3) in;"
                                "layout(binding = 0) buffer Out { uint count[]; };"
                                "void main() { uint wide = gl_NumWorkGroups.x * 64u;"
                                "  atomicAdd(count[gl_GlobalInvocationID.y * wide + gl_GlobalInvocationID.x], 1u); }");
  Scene scene = sceneOf(shaders);
  scene.workgroups = {2, 2, 1};
  std::fill(scene.buffers[0].begin(), scene.buffers[0].end(), 0);
  std::vector<uint32_t> counts = run(scene, shaders);
  for (size_t i = 0; i < 2 * 64 * 2 * 3; ++i)
    CHECK(counts[i] == 1);
  CHECK(counts[2 * 64 * 2 * 3] == 0);
}

// A pipeline layout is often made for more shaders than these.
TEST_CASE("a descriptor of the layout that no shader reads need not be in the scene") {
  ShaderSet shaders = computeOf("layout(local_size_x = 64) in;"
                                "layout(binding = 0) buffer Out { uint written[]; };"
                                "void main() { written[gl_LocalInvocationIndex] = 7u; }");
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  UserDataNodes nodes = shaders.userDataNodes();
  UserDataNode unread = nodes.back();
  REQUIRE((unread.type == UserDataNodeType::Buffer));
  unread.binding = 5;
  unread.offsetInDwords += unread.sizeInDwords;
  nodes.push_back(unread);
  shaders.layout = std::make_shared<const ResourceLayout>(std::move(nodes));
  CHECK(run(scene, shaders)[63] == 7);
}

TEST_CASE("waves of a workgroup meet at barriers") {
  // Each invocation reads the values that the last wave's invocations wrote.
  ShaderSet shaders = computeOf("layout(local_size_x = 64, local_size_y = 4) in;"
                                "layout(binding = 0) buffer Out { uint values[]; };"
                                "shared uint table[256];"
                                "void main() { uint i = gl_LocalInvocationIndex; table[i] = i * 3u; barrier();"
                                "  values[i] = table[255u - i]; }");
  Scene scene = sceneOf(shaders);
  std::vector<uint32_t> values = run(scene, shaders);
  for (uint32_t i = 0; i < 256; ++i)
    CHECK(values[i] == (255 - i) * 3);
}

TEST_CASE("each wave has scratch memory of its own") {
  // An array with a computed index, that lives across a barrier.
  ShaderSet shaders = computeOf("layout(local_size_x = 64, local_size_y = 2) in;"
                                "layout(binding = 0) buffer Out { uint values[]; };"
                                "void main() { uint i = gl_LocalInvocationIndex; uint list[40];"
                                "  for (uint k = 0u; k < 40u; ++k) list[(k * 7u + values[i]) % 40u] = i * 100u + k;"
                                "  barrier();"
                                "  values[i] = list[values[i + 128u] % 40u]; }");
  Scene scene = sceneOf(shaders);
  std::vector<uint32_t> before = wordsOf(scene.buffers[0]);
  EmulationStatistics statistics;
  Result<SceneResult> result = tryRun(scene, shaders, &statistics);
  REQUIRE_MESSAGE(result, result.error().text);
  std::vector<uint32_t> values = wordsOf(result->buffers[0]);
  for (uint32_t i = 0; i < 128; ++i) {
    uint32_t k = 0; // the index whose place was read
    while ((k * 7 + before[i]) % 40 != before[i + 128] % 40)
      ++k;
    CHECK(values[i] == i * 100 + k);
  }
  CHECK(statistics.waves == 2);
  CHECK(statistics.instructions > 100);
}

TEST_CASE("push constants arrive in SGPRs, and beyond them through the spill table") {
  ShaderSet shaders = computeOf("layout(push_constant) uniform Push { uint values[40]; };"
                                "layout(binding = 0) buffer Out { uint list[]; };"
                                "void main() { uint i = gl_LocalInvocationIndex; if (i == 0u) { list[0] = values[0];"
                                "  list[1] = values[3]; list[2] = values[39]; list[3] = values[list[4] + 20u]; } }");
  Scene scene = sceneOf(shaders);
  REQUIRE(scene.pushConstants.size() == 160);
  for (uint32_t i = 0; i < 40; ++i) {
    uint32_t value = 1000 + i;
    std::memcpy(&scene.pushConstants[i * 4], &value, 4);
  }
  uint32_t index = 5;
  std::memcpy(&scene.buffers[0][16], &index, 4);
  std::vector<uint32_t> list = run(scene, shaders);
  CHECK(list[0] == 1000);
  CHECK(list[1] == 1003);
  CHECK(list[2] == 1039);
  CHECK(list[3] == 1025);
}

TEST_CASE("descriptors of an array are told apart") {
  ShaderSet shaders =
      computeOf("layout(binding = 0) uniform In { uvec4 value; } inputs[3];"
                "layout(set = 1, binding = 4) buffer Out { uint list[]; };"
                "void main() { uint i = gl_LocalInvocationIndex; if (i < 3u)"
                "  list[i] = i == 0u ? inputs[0].value.x : i == 1u ? inputs[1].value.x : inputs[2].value.x; }");
  Scene scene = sceneOf(shaders);
  for (const SceneDescriptor &descriptor : scene.descriptors)
    if (descriptor.set == 0)
      scene.buffers[descriptor.buffer][0] = uint8_t(50 + descriptor.element);
  std::vector<uint32_t> list = run(scene, shaders, scene.buffers.size() - 1);
  CHECK(list[0] == 50);
  CHECK(list[1] == 51);
  CHECK(list[2] == 52);
}

TEST_CASE("storage images come back changed") {
  ShaderSet shaders = computeOf("layout(binding = 0, r32ui) uniform uimage2D image;"
                                "void main() { imageStore(image, ivec2(gl_LocalInvocationIndex, 1), uvec4(7u)); }");
  Scene scene = sceneOf(shaders);
  Result<SceneResult> result = tryRun(scene, shaders);
  REQUIRE_MESSAGE(result, result.error().text);
  std::vector<uint32_t> before = wordsOf(scene.images[0].bytes), after = wordsOf(result->images.at(0));
  REQUIRE(before.size() == after.size());
  uint32_t width = scene.images[0].width;
  for (uint32_t x = 0; x < width; ++x) {
    CHECK(after[x] == before[x]);
    CHECK(after[width + x] == (x < 64 ? 7 : before[width + x]));
  }
}

TEST_CASE("accesses outside of a buffer read zeros and write nothing") {
  ShaderSet shaders =
      computeOf("layout(binding = 0) buffer Data { uint list[]; };"
                "void main() { uint i = gl_LocalInvocationIndex; if (i == 0u) {"
                "  list[0] = list[list[1]]; list[list[1] + 8u] = 99u; list[2] = uint(list.length()); } }");
  Scene scene = sceneOf(shaders);
  scene.buffers[0].assign(64, 1);
  uint32_t outside = 1000;
  std::memcpy(&scene.buffers[0][4], &outside, 4);
  std::vector<uint32_t> list = run(scene, shaders);
  CHECK(list[0] == 0);
  CHECK(list[2] == 16);
  CHECK(list[3] == 0x01010101);
}

TEST_CASE("a scene that lacks a resource is refused by name") {
  ShaderSet shaders = computeOf("layout(set = 3, binding = 5) buffer Data { uint list[]; };"
                                "void main() { list[gl_LocalInvocationIndex] = 1u; }");
  Scene scene = sceneOf(shaders);
  scene.descriptors.clear();
  Result<SceneResult> result = tryRun(scene, shaders);
  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == ErrorCode::StateMismatch));
  CHECK(result.error().text.find("set 3 binding 5") != std::string::npos);
}

TEST_CASE("an image where a buffer is wanted is refused by name") {
  ShaderSet shaders = computeOf("layout(binding = 5) buffer Data { uint list[]; };"
                                "void main() { list[gl_LocalInvocationIndex] = 1u; }");
  Scene scene = sceneOf(shaders);
  scene.descriptors[0].type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
  Result<SceneResult> result = tryRun(scene, shaders);
  REQUIRE_FALSE(result.has_value());
  CHECK(result.error().text.find("set 0 binding 5: element 0 is not a buffer") != std::string::npos);
}
