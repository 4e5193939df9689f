// SPDX-License-Identifier: MIT
#include "src/state/format_table.h"
#include "tests/driver/own_shaders.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/vertex_buffers.h"
#include "tools/proof/scene/scene_file.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace dovetail;

namespace {

Scene sceneOf(const ShaderSet &shaders, uint64_t seed = 1) {
  Result<Scene> scene = makeScene(shaders, randomState(shaders, seed), {seed, 32, 32});
  if (!scene)
    FAIL(scene.error().text);
  return std::move(*scene);
}

float floatAt(const std::vector<uint8_t> &bytes, size_t offset) {
  float value = 0;
  REQUIRE(offset + sizeof(value) <= bytes.size());
  std::memcpy(&value, &bytes[offset], sizeof(value));
  return value;
}

uint32_t wordAt(const std::vector<uint8_t> &bytes, size_t offset) {
  return std::bit_cast<uint32_t>(floatAt(bytes, offset));
}

constexpr char PassThrough[] = "layout(location = 0) in vec4 position; void main() { gl_Position = position; }";

} // namespace

TEST_CASE("the same seed gives the same scene, another one another") {
  ShaderSet shaders = shadersOf(PassThrough, "layout(binding = 0) uniform sampler2D t; layout(location = 0) out vec4 c;"
                                             "void main() { c = texture(t, gl_FragCoord.xy); }");
  CHECK(writeScene(sceneOf(shaders, 7)) == writeScene(sceneOf(shaders, 7)));
  CHECK(writeScene(sceneOf(shaders, 7)) != writeScene(sceneOf(shaders, 8)));
}

TEST_CASE("scenes of all own programs are complete") {
  for (const OwnProgram &program : readOwnPrograms())
    for (uint64_t seed : {1, 2, 3}) {
      CAPTURE(program.name);
      CAPTURE(seed);
      Scene scene = sceneOf(program.shaders, seed);
      Result<void> checked = checkScene(scene);
      CHECK_MESSAGE(checked.has_value(), checked.error().text);
      for (const UserDataNode &node : program.shaders.userDataNodes()) {
        if (node.type == UserDataNodeType::DescriptorTable || node.type == UserDataNodeType::PushConstants)
          continue;
        auto elements = std::ranges::count_if(scene.descriptors, [&](const SceneDescriptor &descriptor) {
          return descriptor.set == node.set && descriptor.binding == node.binding;
        });
        CHECK(elements == node.sizeInDwords / node.strideInDwords);
      }
    }
}

TEST_CASE("no number in the data of own programs is a NaN or infinite") {
  for (const OwnProgram &program : readOwnPrograms()) {
    CAPTURE(program.name);
    Scene scene = sceneOf(program.shaders);
    for (const SceneDescriptor &descriptor : scene.descriptors) {
      if (descriptor.type != VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
        continue;
      const std::vector<uint8_t> &bytes = scene.buffers[descriptor.buffer];
      size_t bad = 0;
      for (size_t offset = 0; offset + 4 <= bytes.size(); offset += 4)
        bad += !std::isfinite(floatAt(bytes, offset));
      CHECK(bad == 0);
    }
  }
}

TEST_CASE("blocks are filled by the types of their members") {
  ShaderSet shaders = computeOf("layout(binding = 0) uniform Block { float f; int i; layout(offset = 16) mat4 m; };"
                                "layout(binding = 1) buffer Out { float o; };"
                                "void main() { o = f + float(i) + m[0][0]; }");
  Scene scene = sceneOf(shaders);
  const std::vector<uint8_t> &block = scene.buffers.at(0);
  CHECK(block.size() == 80);
  CHECK(floatAt(block, 0) >= 0.1f);
  CHECK(floatAt(block, 0) < 0.9f);
  CHECK(wordAt(block, 4) < 4);
  for (unsigned column = 0; column < 4; ++column)
    for (unsigned row = 0; row < 4; ++row)
      CHECK(floatAt(block, 16 + 16 * column + 4 * row) == doctest::Approx(column == row).epsilon(0.05));
}

TEST_CASE("a row-major matrix is written by rows") {
  ShaderSet shaders = computeOf("layout(binding = 0, row_major) uniform Block { mat2x3 m; };"
                                "layout(binding = 1) buffer Out { float o; }; void main() { o = m[0][0]; }");
  Scene scene = sceneOf(shaders);
  const std::vector<uint8_t> &block = scene.buffers.at(0);
  // Three rows of two columns, 16 bytes apart.
  CHECK(floatAt(block, 0) > 0.9f);
  CHECK(std::abs(floatAt(block, 4)) < 0.1f);
  CHECK(std::abs(floatAt(block, 16)) < 0.1f);
  CHECK(floatAt(block, 20) > 0.9f);
  CHECK(std::abs(floatAt(block, 32)) < 0.1f);
}

TEST_CASE("a runtime array goes to the end of its buffer") {
  ShaderSet shaders = computeOf("layout(binding = 0) buffer Block { uint first; float rest[]; };"
                                "void main() { rest[first] = 1.0; }");
  Scene scene = sceneOf(shaders);
  const std::vector<uint8_t> &block = scene.buffers.at(0);
  REQUIRE(block.size() >= 64 * 1024);
  CHECK(floatAt(block, 4) >= 0.1f);
  CHECK(floatAt(block, block.size() - 4) >= 0.1f);
}

TEST_CASE("arrays of descriptors have as many elements as their layout, which may be more than the shader's") {
  ShaderSet shaders = computeOf("layout(binding = 0) uniform Block { vec4 v; } blocks[2];"
                                "layout(binding = 1) buffer Out { vec4 o; }; void main() { o = blocks[1].v; }");
  auto elements = [&] { return std::ranges::count(sceneOf(shaders).descriptors, 0u, &SceneDescriptor::binding); };
  CHECK(elements() == 2);
  UserDataNodes nodes = shaders.userDataNodes();
  for (UserDataNode &node : nodes)
    if (node.type != UserDataNodeType::DescriptorTable && node.binding == 0)
      node.sizeInDwords = 5 * node.strideInDwords;
  shaders.layout = std::make_shared<const ResourceLayout>(std::move(nodes));
  CHECK(elements() == 5);
}

TEST_CASE("names ask for unit vectors") {
  ShaderSet shaders =
      computeOf("layout(binding = 0) uniform Block { vec3 sunDirection; vec3 sunColor; };"
                "layout(binding = 1) buffer Out { vec3 o; }; void main() { o = sunDirection + sunColor; }");
  Scene scene = sceneOf(shaders);
  auto squares = [&](size_t offset) {
    float sum = 0;
    for (size_t i = 0; i < 3; ++i)
      sum += floatAt(scene.buffers.at(0), offset + 4 * i) * floatAt(scene.buffers.at(0), offset + 4 * i);
    return sum;
  };
  CHECK(squares(0) == doctest::Approx(1));
  CHECK(squares(16) != doctest::Approx(1));
}

TEST_CASE("samplers of shadow textures compare, and their images have a depth format") {
  ShaderSet shaders = shadersOf(PassThrough, R"(
layout(binding = 0) uniform texture2D map;
layout(binding = 1) uniform samplerShadow comparing;
layout(binding = 2) uniform texture2D plainMap;
layout(binding = 3) uniform sampler plain;
layout(location = 0) out vec4 c;
float look(texture2D t, samplerShadow s) { return texture(sampler2DShadow(t, s), vec3(0.5)); }
void main() { c = texture(sampler2D(plainMap, plain), vec2(0.5)) * look(map, comparing); })");
  Scene scene = sceneOf(shaders);
  REQUIRE(scene.descriptors.size() == 4);
  CHECK(hasDepth(scene.images[scene.descriptors[0].image].format));
  CHECK(scene.samplers[scene.descriptors[1].sampler].compareEnable);
  CHECK_FALSE(hasDepth(scene.images[scene.descriptors[2].image].format));
  CHECK_FALSE(scene.samplers[scene.descriptors[3].sampler].compareEnable);
}

TEST_CASE("textures of integers are not filtered") {
  ShaderSet shaders = shadersOf(PassThrough, R"(
layout(binding = 0) uniform isampler2D combined;
layout(binding = 1) uniform utexture2D image;
layout(binding = 2) uniform sampler separate;
layout(location = 0) out vec4 c;
void main() { c = vec4(texture(combined, vec2(0.5))) + vec4(texture(usampler2D(image, separate), vec2(0.5))); })");
  for (uint64_t seed = 1; seed < 20; ++seed) {
    Scene scene = sceneOf(shaders, seed);
    for (const SceneSampler &sampler : scene.samplers) {
      CHECK((sampler.magFilter == VK_FILTER_NEAREST));
      CHECK((sampler.mipmapMode == VK_SAMPLER_MIPMAP_MODE_NEAREST));
    }
    CHECK(findFormat(scene.images.at(0).format)->numeric == FormatNumeric::Sint);
    CHECK(findFormat(scene.images.at(1).format)->numeric == FormatNumeric::Uint);
  }
}

TEST_CASE("workgroups that would race run alone") {
  ShaderSet apart =
      computeOf("layout(binding = 0) buffer B { uint a[]; }; void main() { a[gl_GlobalInvocationID.x] = 1u; }");
  ShaderSet together =
      computeOf("layout(binding = 0) buffer B { uint a[]; }; void main() { a[gl_LocalInvocationIndex] = 1u; }");
  ShaderSet atomic = computeOf("layout(binding = 0) buffer B { uint a[]; }; "
                               "void main() { a[gl_GlobalInvocationID.x] = atomicAdd(a[0], 1u); }");
  CHECK((sceneOf(apart).workgroups == std::array<uint32_t, 3>{2, 2, 2}));
  CHECK((sceneOf(together).workgroups == std::array<uint32_t, 3>{1, 1, 1}));
  CHECK((sceneOf(atomic).workgroups == std::array<uint32_t, 3>{1, 1, 1}));
}

TEST_CASE("positions cover most of the framebuffer") {
  ShaderSet shaders = shadersOf("layout(location = 3) in vec2 other; layout(location = 5) in vec3 vertexPosition;"
                                "void main() { gl_Position = vec4(vertexPosition, 1.0 + 0.0 * other.x); }",
                                "layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }");
  PipelineState state;
  state.vertexAttributes = {{3, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {5, 0, VK_FORMAT_R32G32B32_SFLOAT, 8}};
  state.vertexBindings = {{0, 20, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  Result<Scene> scene = makeScene(shaders, state, {1, 32, 32});
  REQUIRE(scene.has_value());
  const std::vector<uint8_t> &bytes = scene->vertexBuffers.at(0).bytes;
  float least[3] = {9, 9, 9}, most[3] = {-9, -9, -9};
  for (size_t vertex = 0; vertex + 20 <= bytes.size(); vertex += 20)
    for (size_t c = 0; c < 3; ++c) {
      least[c] = std::min(least[c], floatAt(bytes, vertex + 8 + 4 * c));
      most[c] = std::max(most[c], floatAt(bytes, vertex + 8 + 4 * c));
    }
  for (size_t c = 0; c < 2; ++c) {
    CHECK(least[c] < -0.9f);
    CHECK(most[c] > 0.9f);
  }
  CHECK(least[2] > 0);
  CHECK(most[2] < 1);
}

TEST_CASE("instances have their elements, by the binding's divisor") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 position; layout(location = 1) in vec4 tile;"
                                "void main() { gl_Position = position + tile; }",
                                "layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }");
  PipelineState state;
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 2, VK_FORMAT_R8G8B8A8_UNORM, 4}};
  state.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1}, {2, 12, VK_VERTEX_INPUT_RATE_INSTANCE, 2}};
  Result<Scene> scene = makeScene(shaders, state, {1, 32, 32});
  REQUIRE(scene.has_value());
  CHECK(scene->instanceCount > 1);
  REQUIRE(scene->vertexBuffers.size() == 2);
  uint32_t elements = scene->firstInstance + (scene->instanceCount + 1) / 2;
  CHECK(scene->vertexBuffers[1].bytes.size() == 12 * (elements - 1) + 8);
}

namespace {

// Positions advance by vertex, and tiles by instance.
const char *const Tiles = "layout(location = 0) in vec4 position; layout(location = 1) in vec4 tile;"
                          "void main() { gl_Position = position + tile; }";

PipelineState tileState(uint32_t stride, uint32_t divisor) {
  PipelineState state;
  state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 2, VK_FORMAT_R8G8B8A8_UNORM, 4}};
  state.vertexBindings = {{0, 16, VK_VERTEX_INPUT_RATE_VERTEX, 1}, {2, stride, VK_VERTEX_INPUT_RATE_INSTANCE, divisor}};
  return state;
}

ShaderSet tileShaders() {
  return shadersOf(Tiles, "layout(location = 0) out vec4 c; void main() { c = vec4(1.0); }");
}

// The reason why no scene is made of the shaders; empty if one is.
std::string refusal(const ShaderSet &shaders, const PipelineState &state) {
  const Result<Scene> scene = makeScene(shaders, state, {1, 32, 32});
  return scene ? "" : scene.error().text;
}

} // namespace

TEST_CASE("the largest divisor has one element behind the first instance") {
  Result<Scene> scene = makeScene(tileShaders(), tileState(12, UINT32_MAX), {1, 32, 32});
  REQUIRE(scene.has_value());
  REQUIRE(scene->vertexBuffers.size() == 2);
  CHECK(scene->vertexBuffers[1].bytes.size() == 12 * scene->firstInstance + 8);
}

TEST_CASE("more instances and vertices than were made up have elements, too") {
  const ShaderSet shaders = tileShaders();
  Result<Scene> madeUp = makeScene(shaders, tileState(12, 2), {1, 32, 32});
  REQUIRE(madeUp.has_value());
  Scene scene = *madeUp;
  scene.instanceCount = 99;
  scene.firstInstance = 7;
  scene.indices.clear();
  scene.firstVertex = 100;
  scene.vertexCount = 300;
  REQUIRE(growVertexBuffers(shaders, *madeUp, scene).has_value());
  REQUIRE(scene.vertexBuffers.size() == 2);
  CHECK(scene.vertexBuffers[0].bytes.size() == 16 * 400);
  CHECK(scene.vertexBuffers[1].bytes.size() == 12 * (7 + 50 - 1) + 8);
  for (size_t i = 0; i < 2; ++i) {
    const std::vector<uint8_t> &made = madeUp->vertexBuffers[i].bytes, &grown = scene.vertexBuffers[i].bytes;
    CHECK(std::equal(made.begin(), made.end(), grown.begin()));
    CHECK(std::any_of(grown.end() - 4, grown.end(), [](uint8_t byte) { return byte != 0; }));
  }
}

TEST_CASE("vertices that indices name have elements, with the offset and without restarts") {
  const ShaderSet shaders = tileShaders();
  Result<Scene> madeUp = makeScene(shaders, tileState(12, 1), {1, 32, 32});
  REQUIRE(madeUp.has_value());
  Scene scene = *madeUp;
  scene.indices = {0, RestartIndex, 500, 2};
  scene.primitiveRestart = true;
  scene.firstVertex = 0;
  scene.vertexCount = 4;
  scene.vertexOffset = -100;
  REQUIRE(growVertexBuffers(shaders, *madeUp, scene).has_value());
  CHECK(scene.vertexBuffers[0].bytes.size() == 16 * 401);
}

TEST_CASE("a vertex buffer that is given, not made up, stays as it is") {
  const ShaderSet shaders = tileShaders();
  Result<Scene> madeUp = makeScene(shaders, tileState(12, 1), {1, 32, 32});
  REQUIRE(madeUp.has_value());
  Scene scene = *madeUp;
  scene.instanceCount = 99;
  scene.vertexBuffers[1].bytes = {1, 2, 3};
  REQUIRE(growVertexBuffers(shaders, *madeUp, scene).has_value());
  CHECK(scene.vertexBuffers[1].bytes.size() == 3);
}

TEST_CASE("sizes that would take all memory are refused by name") {
  CHECK(refusal(tileShaders(), tileState(UINT32_MAX, 1)).find("binding 2") != std::string::npos);
  PipelineState far = tileState(12, 1);
  far.vertexAttributes[1].offset = UINT32_MAX - 1; // the attribute's end overflows 32 bits
  CHECK(refusal(tileShaders(), far).find("binding 2") != std::string::npos);

  Result<Scene> madeUp = makeScene(tileShaders(), tileState(12, 1), {1, 32, 32});
  REQUIRE(madeUp.has_value());
  Scene scene = *madeUp;
  scene.firstInstance = UINT32_MAX;
  const Result<void> grown = growVertexBuffers(tileShaders(), *madeUp, scene);
  REQUIRE_FALSE(grown.has_value());
  CHECK(grown.error().text.find("binding 2") != std::string::npos);

  ShaderSet many = computeOf("layout(binding = 0) uniform Block { vec4 v; } blocks[100000000];"
                             "layout(binding = 1) buffer B { vec4 o; }; void main() { o = blocks[3].v; }");
  CHECK(refusal(many, {}).find("descriptors") != std::string::npos);
  ShaderSet large = computeOf("layout(binding = 0, std430) buffer B { vec4 o; vec4 v[100000000]; };"
                              "void main() { o = v[3]; }");
  CHECK(refusal(large, {}).find("bytes") != std::string::npos);
}

TEST_CASE("what cannot be made is named") {
  ShaderSet shaders = computeOf("layout(binding = 0) uniform Block { uint n; };"
                                "layout(set = 2, binding = 1, r32ui) uniform uimage2D i;"
                                "void main() { imageStore(i, ivec2(0), uvec4(n)); }");
  const_cast<Shader &>(*shaders.shader(lgc::ShaderStage::Compute)).reflection.descriptors[1].image.dimension =
      spirv::ImageDimension::Buffer;
  Result<Scene> scene = makeScene(shaders, {}, {});
  REQUIRE_FALSE(scene.has_value());
  CHECK((scene.error().code == ErrorCode::Unsupported));
  CHECK(scene.error().text.find("set 2 binding 1") != std::string::npos);
}

TEST_CASE("each address is that of a buffer of its own, filled for what it points to") {
  ShaderSet shaders = computeOf(R"(
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) buffer Leaf { vec4 color; uint count; };
layout(buffer_reference, std430) buffer Root { float first; Leaf leaf; };
layout(push_constant) uniform Constants { vec4 other; Root root; };
layout(binding = 0, std430) buffer Table { Leaf leaves[2]; float result; };
void main() { result = root.first + root.leaf.color.x + leaves[1].color.y + float(leaves[0].count) + other.x; })");
  Scene scene = sceneOf(shaders);
  const uint32_t table = scene.descriptors.at(0).buffer;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> places;
  for (const SceneAddress &address : scene.addresses)
    places[{address.holder, address.offset}] = address.buffer;
  REQUIRE(places.contains({NoSceneBuffer, 16}));
  CHECK(places.contains({table, 0}));
  CHECK(places.contains({table, 8}));
  const uint32_t root = places.at({NoSceneBuffer, 16});
  REQUIRE(places.contains({root, 8}));
  CHECK((std::set{table, root, places[{table, 0}], places[{table, 8}], places[{root, 8}]}.size() == 5));
  const std::vector<uint8_t> &leaf = scene.buffers.at(places.at({root, 8}));
  for (size_t element : {0, 32}) // of an array of them
    CHECK(floatAt(leaf, element) >= 0.1f);
  CHECK(checkScene(scene).has_value());
}

TEST_CASE("input attachments are as large as the framebuffer") {
  Scene scene = sceneOf(shadersOf(PassThrough, "layout(input_attachment_index = 0, binding = 0) uniform subpassInput i;"
                                               "layout(location = 0) out vec4 c; void main() { c = subpassLoad(i); }"));
  CHECK(scene.images.at(0).width == scene.width);
  CHECK(scene.images.at(0).height == scene.height);
  CHECK(scene.images.at(0).mipLevels == 1);
}

TEST_CASE("positions of whole numbers have corners, and positions that a shader picks lie apart") {
  ShaderSet shaders = shadersOf(PassThrough, "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
  PipelineState state;
  state.vertexBindings = {{0, 4, VK_VERTEX_INPUT_RATE_VERTEX, 1}};
  state.vertexAttributes = {{0, 0, VK_FORMAT_R16G16_SSCALED, 0}};
  Result<Scene> scene = makeScene(shaders, state, {1, 32, 32});
  REQUIRE(scene.has_value());
  std::set<int> numbers;
  for (size_t offset = 0; offset < scene->vertexBuffers.at(0).bytes.size(); offset += 2)
    numbers.insert(int16_t(wordAt(scene->vertexBuffers[0].bytes, offset & ~size_t(3)) >> (offset & 2 ? 16 : 0)));
  CHECK(numbers == std::set<int>{-1, 0, 1});

  shaders = shadersOf("layout(binding = 0) uniform Cube { vec4 position[12]; };"
                      "void main() { gl_Position = position[gl_VertexIndex]; }",
                      "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
  scene = makeScene(shaders, PipelineState(), {1, 32, 32});
  REQUIRE(scene.has_value());
  const std::vector<uint8_t> &block = scene->buffers.at(0);
  CHECK(std::signbit(floatAt(block, 0)) + std::signbit(floatAt(block, 16)) + std::signbit(floatAt(block, 32)) +
            std::signbit(floatAt(block, 48)) + std::signbit(floatAt(block, 64)) >
        0);
  CHECK(floatAt(block, 12) == 1);
}

TEST_CASE("what writes no colour is seen by its depth") {
  ShaderSet shaders = shadersOf(PassThrough, "layout(location = 0) out vec4 c; void main() { c = vec4(1); }");
  PipelineState state;
  state.colorTargets[0].format = VK_FORMAT_R8G8B8A8_UNORM;
  state.colorTargets[0].writeMask = 0;
  state.depthStencilFormat = VK_FORMAT_D32_SFLOAT;
  for (uint64_t seed = 1; seed < 10; ++seed) {
    Result<Scene> scene = makeScene(shaders, state, {seed, 32, 32});
    REQUIRE(scene.has_value());
    CHECK(scene->depthTestEnable);
    CHECK(scene->depthWriteEnable);
  }
}
