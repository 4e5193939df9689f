// SPDX-License-Identifier: MIT
//
// Images in compiled shaders. Storage images of every format are compared with lavapipe. Operations that lavapipe (Mesa
// 22.3) gets wrong are compared with each other.
#include "src/state/format_table.h"
#include "tests/driver/shared_device.h"
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/emulator/driver/emulate.h"
#include "tools/proof/reference/reference.h"
#include "tools/proof/scene/compare.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/texel.h"
#include <array>
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

SceneResult run(const Scene &scene, const ShaderSet &shaders, const std::string &gpu = "gfx900") {
  Result<VariantRef> variant = sharedDevice(gpu).bind(shaders, scene.state, {});
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

void compareWithReference(const Scene &scene, const ShaderSet &shaders, const std::string &gpu = "gfx900") {
  CAPTURE(gpu);
  SceneResult ours = run(scene, shaders, gpu);
  Result<SceneResult> reference = drawReference(scene);
  REQUIRE_MESSAGE(reference, reference.error().text);
  Comparison comparison = compare(scene, ours, *reference);
  CHECK_MESSAGE(comparison.matches, comparison.text);
}

void compareStoresWithReference(const std::string &text, const std::string &gpu = "gfx900") {
  ShaderSet shaders = computeOf(text);
  Scene scene = sceneOf(shaders);
  SceneResult ours = run(scene, shaders, gpu);
  for (size_t i = 0; i != scene.images.size(); ++i)
    CHECK(ours.images[i] != scene.images[i].bytes);
  compareWithReference(scene, shaders, gpu);
}

// A compute shader writes pairs of vectors, one pair to an invocation: `one` and `other` must be the same.
void checkEqual(const std::string &declarations, const std::string &one, const std::string &other,
                const std::string &gpu = "gfx900") {
  ShaderSet shaders = computeOf(declarations +
                                "layout(std430, set = 3, binding = 0) buffer Out { vec4 pairs[128]; };\n"
                                "void main() {\n  uint n = gl_GlobalInvocationID.x;\n"
                                "  vec2 uv = vec2(n & 7u, n >> 3) * 0.13 + 0.01;\n"
                                "  pairs[2u * n] = " +
                                one + ";\n  pairs[2u * n + 1u] = " + other + ";\n}\n");
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  SceneResult result = run(scene, shaders, gpu);
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

// Gives the image other texels. Each component is the next number of a row that fits into every format of these tests.
void renumber(SceneImage &image, VkFormat format) {
  image.format = format;
  const TexelLayout layout = texelLayout(format).value();
  image.mipLevels = 1;
  image.bytes.clear();
  for (uint32_t i = 0; i != image.width * image.height * image.layers; ++i) {
    const bool isSigned = layout.numeric == TexelNumeric::Sint;
    TexelValue value = {};
    for (uint32_t c = 0; c != 4; ++c)
      value[c] = (i * 7 + c * 31) % 120 - (isSigned ? 60 : 0);
    image.bytes.resize(image.bytes.size() + layout.bytes);
    encodeTexel(layout, value, &image.bytes[image.bytes.size() - layout.bytes]);
  }
}

// 64 invocations gather integers, away from the places between two texels.
void compareGathers(const std::string &type, const std::string &place, std::initializer_list<VkFormat> formats) {
  const std::string letter = type.substr(0, 1);
  ShaderSet shaders = computeOf("layout(binding = 0) uniform " + type +
                                " image;\n"
                                "layout(std430, set = 3, binding = 0) buffer Out { " +
                                letter +
                                "vec4 texels[128]; };\n"
                                "void main() {\n  uint n = gl_GlobalInvocationID.x;\n"
                                "  vec2 uv = vec2(n & 7u, n >> 3) * 0.1173 + 0.031;\n"
                                "  texels[2u * n] = textureGather(image, " +
                                place +
                                ");\n"
                                "  texels[2u * n + 1u] = textureGather(image, " +
                                place + ", 3);\n}\n");
  for (VkFormat format : formats) {
    Scene scene = sceneOf(shaders);
    scene.workgroups = {1, 1, 1};
    renumber(scene.images[0], format);
    CAPTURE(formatName(format));
    for (const char *gpu : {"gfx803", "gfx900"})
      compareWithReference(scene, shaders, gpu);
  }
}

} // namespace

TEST_CASE("storage images of floating-point and normalised formats") {
  compareStoresWithReference(
      changeTexels("image2D", "vec4", "* 0.75 + 0.125",
                   {"rgba32f", "rgba16f", "rg32f", "rg16f", "r11f_g11f_b10f", "r32f", "r16f", "rgba16", "rgb10_a2",
                    "rgba8", "rg16", "rg8", "r16", "r8", "rgba8_snorm", "rg8_snorm", "r8_snorm"}));
}

TEST_CASE("storage images of integer formats") {
  compareStoresWithReference(
      changeTexels("iimage2D", "ivec4", "* 2 - 5",
                   {"rgba32i", "rgba16i", "rgba8i", "rg32i", "rg16i", "rg8i", "r32i", "r16i", "r8i"}));
  compareStoresWithReference(changeTexels(
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

TEST_CASE("gathers of integers take the texels that a linear filter would, also on GFX8") {
  compareGathers("isampler2D", "uv", {VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16G16_SINT});
  compareGathers("usampler2D", "uv", {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R8G8B8A8_UINT});
  compareGathers("usampler2DArray", "vec3(uv, float(n & 3u))", {VK_FORMAT_R16G16B16A16_UINT});
}

TEST_CASE("gathers of integers from cubes are right on GFX8, whatever their format") {
  const std::string place = "vec3(uv * 1.8 - 0.9, 1.0).xzy * (1.0 - 2.0 * float(n & 1u))";
  compareGathers(
      "isamplerCube", place,
      {VK_FORMAT_R32G32B32A32_SINT, VK_FORMAT_R8G8B8A8_SINT, VK_FORMAT_R16G16B16A16_SINT, VK_FORMAT_R32_SINT});
  compareGathers("usamplerCube", place, {VK_FORMAT_R32_UINT, VK_FORMAT_R8G8B8A8_UINT, VK_FORMAT_R8_UINT});
}

TEST_CASE("storage images that are cubes: loads, stores and atomics, also on GFX8") {
  for (const char *gpu : {"gfx803", "gfx900"}) {
    compareStoresWithReference("layout(binding = 0, rgba8) uniform imageCube cube;\n"
                               "layout(binding = 1, rgba32f) uniform imageCubeArray cubes;\n"
                               "layout(binding = 2, r32ui) uniform uimageCube counts;\n"
                               "void main() {\n"
                               "  ivec3 p = ivec3(gl_GlobalInvocationID.x & 7, gl_GlobalInvocationID.x >> 3, 0);\n"
                               "  for (int face = 0; face < 6; ++face) {\n"
                               "    p.z = face;\n"
                               "    imageStore(cube, p, imageLoad(cube, p) * 0.75 + 0.125);\n"
                               "    imageAtomicAdd(counts, p, uint(face) * 3u + 1u);\n"
                               "  }\n"
                               "  for (int face = 0; face < 12; ++face) {\n"
                               "    p.z = face;\n"
                               "    imageStore(cubes, p, imageLoad(cubes, p) * 0.5 + 0.125);\n"
                               "  }\n}\n",
                               gpu);
  }
}

TEST_CASE("cubes in front of the first one of an array are the first one, on every face") {
  for (const char *gpu : {"gfx803", "gfx900"})
    checkEqual("layout(binding = 0) uniform samplerCubeArray s;\n",
               "textureLod(s, vec4(uv - 0.5, 0.3, -1.0 - float(n & 3u)).yzxw, 0.0)",
               "textureLod(s, vec4(uv - 0.5, 0.3, 0.0).yzxw, 0.0)", gpu);
}

// Two fetches of the same texel, which the compiler cannot know to be the same. It could let the texture unit round the
// first one, and nobody knows how the texture unit rounds.
TEST_CASE("a rounding to half floats that the shader asks for is not left to the texture unit") {
  ShaderSet shaders = computeOf(
      "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
      "#extension GL_EXT_spirv_intrinsics : require\n"
      "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4467], 4462, 16);\n" // RTE
      "layout(binding = 0) uniform sampler2D image;\n"
      "layout(std430, set = 3, binding = 0) buffer Out { vec2 pairs[64]; };\n"
      "float fetched(uint nothing) {\n  uint n = gl_GlobalInvocationID.x + nothing;\n"
      "  return texelFetch(image, ivec2(n & 7u, n >> 3), 0).x;\n}\n"
      "void main() {\n  float rounded = fetched(gl_WorkGroupID.y) + float(gl_WorkGroupID.z);\n"
      "  pairs[gl_GlobalInvocationID.x] = vec2(float16_t(fetched(0u)), float16_t(rounded));\n}\n");
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  REQUIRE(scene.images.size() == 1);
  SceneImage &image = scene.images[0];
  REQUIRE((image.width >= 8 && image.height >= 8));
  image.format = VK_FORMAT_R8_UNORM; // few of its values are half floats
  image.mipLevels = 1;
  image.bytes.resize(size_t(image.width) * image.height);
  for (size_t i = 0; i != image.bytes.size(); ++i)
    image.bytes[i] = uint8_t(i * 37 + 11);
  for (const char *gpu : {"gfx803", "gfx900"}) {
    INFO(std::string(gpu));
    const SceneResult result = run(scene, shaders, gpu);
    REQUIRE(result.buffers.size() == 1);
    std::array<std::array<float, 2>, 64> pairs;
    REQUIRE(result.buffers[0].size() >= sizeof(pairs));
    std::memcpy(&pairs, result.buffers[0].data(), sizeof(pairs));
    for (const auto &[direct, rounded] : pairs)
      CHECK(direct == rounded);
  }
}

namespace {

ShaderSet multisampledFetches() {
  return computeOf(
      "#extension GL_EXT_samplerless_texture_functions : require\n"
      "layout(binding = 0) uniform sampler2DMS one;\n"
      "layout(binding = 1) uniform isampler2DMSArray layers;\n"
      "layout(binding = 2) uniform texture2DMS many[2];\n"
      "layout(std430, set = 3, binding = 0) buffer Out { vec4 texels[128]; };\n"
      "void main() {\n  int n = int(gl_GlobalInvocationID.x);\n"
      "  ivec2 p = ivec2(n & 7, n >> 3);\n"
      "  texels[2 * n] = texelFetch(one, p, n & 3) + vec4(texelFetch(layers, ivec3(p, n & 1), n >> 1 & 3));\n"
      "  texels[2 * n + 1] = texelFetch(many[0], p, n & 3) + texelFetch(many[1], p, 3 - (n & 3));\n}\n");
}

} // namespace

TEST_CASE("fetches of multisampled images read through FMASK where the layout has it") {
  ShaderSet shaders = multisampledFetches();
  CHECK(std::ranges::count(shaders.userDataNodes(), UserDataNodeType::Fmask, &UserDataNode::type) == 3);
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  for (const char *gpu : {"gfx803", "gfx900"})
    compareWithReference(scene, shaders, gpu);
}

TEST_CASE("fetches of multisampled images read sample by sample where the layout has no FMASK") {
  ShaderSet shaders = multisampledFetches();
  UserDataNodes nodes = shaders.userDataNodes();
  std::erase_if(nodes, [](const UserDataNode &node) { return node.type == UserDataNodeType::Fmask; });
  shaders.layout = std::make_shared<const ResourceLayout>(std::move(nodes));
  Scene scene = sceneOf(shaders);
  scene.workgroups = {1, 1, 1};
  for (const char *gpu : {"gfx803", "gfx900"})
    compareWithReference(scene, shaders, gpu);
}

// An image that is stored to as well is expanded, and has no FMASK.
TEST_CASE("a FMASK descriptor of zeros means that each sample is its own fragment") {
  ShaderSet shaders = multisampledFetches();
  Scene compressed = sceneOf(shaders);
  compressed.workgroups = {1, 1, 1};
  Scene expanded = compressed;
  for (SceneDescriptor descriptor : compressed.descriptors)
    if (descriptor.set == 0) {
      descriptor.set = 7;
      descriptor.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
      expanded.descriptors.push_back(descriptor);
    }
  for (const char *gpu : {"gfx803", "gfx900"})
    CHECK(run(expanded, shaders, gpu).buffers == run(compressed, shaders, gpu).buffers);
}
