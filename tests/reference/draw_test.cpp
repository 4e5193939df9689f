// SPDX-License-Identifier: MIT
//
// Pictures whose pixels follow from Vulkan's rules alone.
#include "tests/reference/shader_scene.h"
#include <bit>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

using Bytes = std::vector<uint8_t>;

const char *const White = "layout(location = 0) out vec4 c; void main() { c = vec4(1); }";

std::string constantColor(const std::string &color) {
  return "layout(location = 0) out vec4 c; void main() { c = vec4(" + color + "); }";
}

std::vector<uint8_t> bytesOf(const std::vector<float> &values) {
  std::vector<uint8_t> bytes(values.size() * 4);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<uint32_t> wordsOf(const std::vector<uint8_t> &bytes) {
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// The Error of a scene that cannot be drawn.
std::string refusal(const Scene &scene) {
  Result<SceneResult> result = drawReference(scene);
  if (result)
    return "";
  CHECK((result.error().code == ErrorCode::Unsupported));
  return result.error().text;
}

} // namespace

TEST_CASE("a draw of nothing leaves the clear values in every target") {
  Scene scene = graphicsScene(FullScreenVertex, White);
  scene.vertexCount = 0;
  scene.clearColors[0].float32[1] = 1;
  scene.state.colorTargets[2].format = VK_FORMAT_R32_UINT; // target 1 does not exist
  scene.clearColors[2].uint32[0] = 12345;
  scene.clearDepth = 0.5f;
  scene.clearStencil = 77;
  SceneResult result = drawn(scene);
  CHECK(texelAt(result.colors[0], 3, 3) == Bytes{0, 255, 0, 0});
  CHECK((result.colors[1].format == VK_FORMAT_UNDEFINED));
  CHECK(wordsOf(texelAt(result.colors[2], 1, 2)) == std::vector<uint32_t>{12345});
  CHECK(floatAt(result.depth, 0, 0) == 0.5f);
  CHECK(texelAt(result.stencil, 0, 0) == Bytes{77});
}

TEST_CASE("a triangle covers the pixels whose centres are in it") {
  // The upper left half of 4x4 pixels. Its edge goes through no pixel's centre.
  Scene scene = graphicsScene("layout(location = 0) in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }", White);
  scene.state.vertexBindings = {{0, 8}};
  scene.state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}};
  scene.vertexBuffers = {{0, bytesOf({-1, -1, 0.9f, -1, -1, 0.9f})}};
  SceneResult result = drawn(scene);
  for (uint32_t y = 0; y < 4; ++y)
    for (uint32_t x = 0; x < 4; ++x) {
      CAPTURE(x);
      CAPTURE(y);
      bool inside = x + y < 3; // (x + 0.5) + (y + 0.5) < 3.8
      CHECK(texelAt(result.colors[0], x, y) == (inside ? Bytes{255, 255, 255, 255} : Bytes{0, 0, 0, 0}));
    }
}

TEST_CASE("indices, their offset, and instances choose what is fetched") {
  Scene scene = graphicsScene("layout(location = 0) in vec2 p; layout(location = 1) in float shade;\n"
                              "layout(location = 0) out float s;\n"
                              "void main() { gl_Position = vec4(p, 0, 1); s = shade; }",
                              "layout(location = 0) in float s; layout(location = 0) out vec4 c;\n"
                              "void main() { c = vec4(s); }");
  scene.state.vertexBindings = {{0, 8}, {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE, 2}};
  scene.state.vertexAttributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}, {1, 1, VK_FORMAT_R32_SFLOAT, 0}};
  scene.vertexBuffers = {{0, bytesOf({9, 9, -1, -1, 9, 9, 3, -1, -1, 3})}, {1, bytesOf({0.2f, 0.4f, 0.6f})}};
  scene.indices = {7, 0, 2, 3};
  scene.firstVertex = 1;
  scene.vertexOffset = 1;
  scene.instanceCount = 4; // the last one is the fourth: element 1 of those behind the first instance
  scene.firstInstance = 1;
  scene.state.colorTargets[0].format = VK_FORMAT_R32_SFLOAT;
  CHECK(floatAt(drawn(scene).colors[0], 2, 1) == 0.6f);
}

TEST_CASE("blending, write masks and blend constants") {
  Scene scene = graphicsScene(FullScreenVertex, constantColor("0.5, 1, 1, 0.25"));
  ColorTarget &target = scene.state.colorTargets[0];
  target = {VK_FORMAT_R32G32B32A32_SFLOAT,
            0xd,
            true,
            VK_BLEND_FACTOR_SRC_ALPHA,
            VK_BLEND_FACTOR_CONSTANT_COLOR,
            VK_BLEND_OP_ADD,
            VK_BLEND_FACTOR_ONE,
            VK_BLEND_FACTOR_ONE,
            VK_BLEND_OP_REVERSE_SUBTRACT};
  scene.blendConstants = {0.5f, 0, 0.25f, 0};
  scene.clearColors[0] = {{1, 0.75f, 2, 1}};
  // r: 0.5 * 0.25 + 1 * 0.5, g is masked, b: 1 * 0.25 + 2 * 0.25, a: 1 - 0.25.
  CHECK(texelAt(drawn(scene).colors[0], 0, 0) == bytesOf({0.625f, 0.75f, 0.75f, 0.75f}));
}

TEST_CASE("the depth test lets the nearer fragment pass and keeps its depth") {
  Scene scene = graphicsScene(FullScreenVertex, White); // at depth 0.25
  scene.depthTestEnable = scene.depthWriteEnable = true;
  scene.depthCompareOp = VK_COMPARE_OP_LESS;
  scene.stencilTestEnable = true;
  scene.setStencilReference(9);
  SceneResult result = drawn(scene);
  CHECK(texelAt(result.colors[0], 0, 0) == Bytes{255, 255, 255, 255});
  CHECK(floatAt(result.depth, 0, 0) == 0.25f);
  CHECK(texelAt(result.stencil, 0, 0) == Bytes{9});
  scene.clearDepth = 0.125f;
  result = drawn(scene);
  CHECK(texelAt(result.colors[0], 0, 0) == Bytes{0, 0, 0, 0});
  CHECK(floatAt(result.depth, 0, 0) == 0.125f);
  CHECK(texelAt(result.stencil, 0, 0) == Bytes{0});
}

TEST_CASE("a multisampled target is resolved to the mean of its samples") {
  Scene scene = graphicsScene(FullScreenVertex, White);
  scene.state.rasterizationSamples = 4;
  scene.sampleMask = 0x7;
  scene.state.colorTargets[0].format = VK_FORMAT_R32G32B32A32_SFLOAT;
  SceneResult result = drawn(scene);
  CHECK(floatAt(result.colors[0], 1, 1) == 0.75f);
  CHECK((result.depth.format == VK_FORMAT_UNDEFINED));
}

TEST_CASE("viewports, scissors and layers are chosen by the vertex shader") {
  Scene scene =
      graphicsScene("#extension GL_ARB_shader_viewport_layer_array : require\n"
                    "void main() {\n"
                    "  gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1);\n"
                    "  gl_Layer = gl_InstanceIndex; gl_ViewportIndex = gl_InstanceIndex;\n"
                    "}",
                    White);
  scene.layers = 2;
  scene.instanceCount = 2;
  scene.viewports = {{0, 0, 4, 4, 0, 1}, {2, 0, 2, 4, 0, 1}};
  scene.scissors = {{{0, 0}, {4, 1}}, {{0, 0}, {4, 4}}};
  SceneResult result = drawn(scene);
  const Bytes white = {255, 255, 255, 255}, black = {0, 0, 0, 0};
  CHECK(texelAt(result.colors[0], 0, 0, 0) == white);
  CHECK(texelAt(result.colors[0], 0, 1, 0) == black);
  CHECK(texelAt(result.colors[0], 1, 3, 1) == black);
  CHECK(texelAt(result.colors[0], 2, 3, 1) == white);
}

TEST_CASE("the provoking vertex is the first or the last") {
  Scene scene = graphicsScene("layout(location = 0) flat out float s;\n"
                              "void main() { s = gl_VertexIndex;\n"
                              "gl_Position = vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1); }",
                              "layout(location = 0) flat in float s; layout(location = 0) out vec4 c;\n"
                              "void main() { c = vec4(s); }");
  scene.state.colorTargets[0].format = VK_FORMAT_R32_SFLOAT;
  CHECK(floatAt(drawn(scene).colors[0], 0, 0) == 0);
  scene.state.flatProvokingVertexLast = true;
  CHECK(floatAt(drawn(scene).colors[0], 0, 0) == 2);
}

TEST_CASE("textures of several levels, samplers, uniforms and push constants reach the shader") {
  Scene scene = graphicsScene(FullScreenVertex, "layout(set = 1, binding = 0) uniform sampler2D t[2];\n"
                                                "layout(set = 0, binding = 3) uniform U { float level; };\n"
                                                "layout(push_constant) uniform P { vec2 at; };\n"
                                                "layout(location = 0) out vec4 c;\n"
                                                "void main() { c = textureLod(t[1], at, level); }");
  SceneImage image;
  image.width = image.height = 2;
  image.mipLevels = 2;
  image.bytes = {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 200, 100, 50, 25};
  scene.images = {image, image};
  scene.images[0].bytes.assign(20, 99);
  scene.samplers.resize(1);
  scene.samplers[0].magFilter = scene.samplers[0].minFilter = VK_FILTER_NEAREST;
  scene.buffers = {bytesOf({1})};
  scene.pushConstants = bytesOf({0.75f, 0.25f});
  scene.descriptors = {{1, 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                       {1, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                       {0, 3, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}};
  scene.descriptors[0].image = 0;
  scene.descriptors[1].image = 1;
  CHECK(texelAt(drawn(scene).colors[0], 0, 0) == Bytes{200, 100, 50, 25});
  scene.buffers = {bytesOf({0})};
  CHECK(texelAt(drawn(scene).colors[0], 0, 0) == Bytes{2, 2, 2, 2});
}

TEST_CASE("a multisampled texture has the value of its layer in every sample") {
  Scene scene = graphicsScene(FullScreenVertex, "layout(binding = 0) uniform sampler2DMSArray t;\n"
                                                "layout(location = 0) out vec4 c;\n"
                                                "void main() { c = texelFetch(t, ivec3(1, 1, 1), 3); }");
  SceneImage image;
  image.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  image.width = image.height = 2;
  image.layers = 2;
  image.samples = 4;
  image.bytes = {1, 2, 3, 4, 50, 60, 70, 80};
  scene.images = {image};
  scene.samplers.resize(1);
  scene.descriptors = {{0, 0, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
  CHECK(texelAt(drawn(scene).colors[0], 0, 0) == Bytes{50, 60, 70, 80});
}

TEST_CASE("a compute shader changes buffers, texel buffers and storage images") {
  Scene scene = computeScene("layout(local_size_x = 4) in;\n"
                             "layout(constant_id = 5) const uint factor = 1;\n"
                             "layout(binding = 0) buffer B { uint words[]; };\n"
                             "layout(binding = 1, rgba8ui) uniform uimage2D image;\n"
                             "layout(binding = 2, r32ui) uniform uimageBuffer texels;\n"
                             "void main() {\n"
                             "  uint i = gl_GlobalInvocationID.x;\n"
                             "  words[i] = words[i] * factor + i;\n"
                             "  imageStore(image, ivec2(i % 4, i / 4), uvec4(i));\n"
                             "  imageAtomicAdd(texels, int(i), i);\n"
                             "}");
  scene.workgroups = {2, 1, 1};
  scene.shaders[0].specConstants = {{5, 4, 10}};
  scene.buffers.resize(2);
  for (uint32_t word = 0; word < 8; ++word)
    for (auto &buffer : scene.buffers)
      buffer.insert(buffer.end(), {uint8_t(word + 1), 0, 0, 0});
  SceneImage image;
  image.format = VK_FORMAT_R8G8B8A8_UINT;
  image.width = 4;
  image.height = 2;
  image.bytes.assign(32, 77);
  scene.images = {image};
  scene.descriptors = {{0, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                       {0, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                       {0, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 1, VK_FORMAT_R32_UINT}};
  SceneResult result = drawn(scene);
  CHECK(wordsOf(result.buffers[0]) == std::vector<uint32_t>{10, 21, 32, 43, 54, 65, 76, 87});
  CHECK(wordsOf(result.buffers[1]) == std::vector<uint32_t>{1, 3, 5, 7, 9, 11, 13, 15});
  CHECK(Bytes(result.images[0].begin() + 16, result.images[0].begin() + 24) == Bytes{4, 4, 4, 4, 5, 5, 5, 5});
}

TEST_CASE("what Vulkan or lavapipe cannot do is refused with its reason") {
  Scene scene = graphicsScene(FullScreenVertex, White);
  scene.state.alphaTestFunc = VK_COMPARE_OP_LESS;
  CHECK(refusal(scene) == "Vulkan has no alpha test");
  scene = graphicsScene(FullScreenVertex, White);
  scene.state.rasterizationSamples = 8;
  CHECK(refusal(scene).find("8 samples") != std::string::npos);
  scene = graphicsScene(FullScreenVertex, White);
  scene.state.colorTargets[0].format = VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
  CHECK(refusal(scene).find("VK_FORMAT_E5B9G9R9_UFLOAT_PACK32") != std::string::npos);
  scene = graphicsScene(FullScreenVertex, "\n#extension GL_ARB_fragment_shader_interlock : require\n"
                                          "layout(pixel_interlock_ordered) in; void main() {"
                                          "beginInvocationInterlockARB(); endInvocationInterlockARB(); }");
  CHECK(refusal(scene) == "lavapipe has no fragment shader interlock");
  scene = computeScene("\n#extension GL_AMD_shader_ballot : require\n"
                       "layout(local_size_x = 64) in; layout(binding = 0) buffer B { uint b; };"
                       "void main() { b = addInvocationsNonUniformAMD(gl_LocalInvocationIndex); }");
  CHECK(refusal(scene).find("lavapipe's subgroups have") == 0);
}

TEST_CASE("a scene that is none is refused before lavapipe sees it") {
  Scene scene = graphicsScene(FullScreenVertex, White);
  scene.width = 0;
  Result<SceneResult> result = drawReference(scene);
  REQUIRE_FALSE(result.has_value());
  CHECK((result.error().code == ErrorCode::InvalidInput));
  CHECK(result.error().text == "scene: width: 0 is not in 1 to 16384");
}
