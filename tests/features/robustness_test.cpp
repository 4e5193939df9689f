// SPDX-License-Identifier: MIT
//
// Accesses outside of a buffer, an image or a vertex buffer, at the strictest level of VK_EXT_pipeline_robustness.
// Reads give 0 (or 0, 0, 0, 1 where texels and attributes have no more components), and writes do nothing.
#include "tests/features/computed_words.h"
#include "tests/features/drawn_texels.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

SceneDescriptor &descriptorAt(Scene &scene, uint32_t binding) {
  const auto found = std::ranges::find(scene.descriptors, binding, &SceneDescriptor::binding);
  REQUIRE(found != scene.descriptors.end());
  return *found;
}

// The buffer at binding 1 has exactly these words.
std::function<void(Scene &)> withBuffer(const std::vector<uint32_t> &words) {
  return [words](Scene &scene) {
    std::vector<uint8_t> &bytes = scene.buffers.at(descriptorAt(scene, 1).buffer);
    bytes.resize(words.size() * sizeof(uint32_t));
    std::memcpy(bytes.data(), words.data(), bytes.size());
  };
}

const std::vector<uint32_t> SixWords = {11, 12, 13, 14, 15, 16};

// The index of each invocation, and one that the compiler knows to be the same for all.
const char *const Indices[] = {"(i % 4u)", "data[191]"};

} // namespace

TEST_CASE("storage and uniform buffers end with their last word, also within a vector") {
  for (const char *block : {"readonly buffer", "buffer", "uniform"}) {
    CAPTURE(block);
    for (const char *index : Indices) {
      CAPTURE(index);
      const ShaderSet shaders =
          computeOf("", std::string("layout(binding = 1, std140) ") + block + " Given { uvec4 given[4]; };",
                    std::string("uint at = ") + index +
                        "; uvec4 x = given[at]; uvec4 y = given[at + 1u & 3u];"
                        "data[i] = x.x + (x.y << 8) + (x.z << 16) + (x.w << 24);"
                        "data[i + 64u] = y.x + (y.y << 8) + (y.z << 16) + (y.w << 24);");
      std::vector<uint32_t> words(192);
      words[191] = 1;
      const std::vector<uint32_t> after = computedWords(shaders, words, withBuffer(SixWords));
      const uint32_t vectors[] = {0x0e0d0c0b, 0x0000100f, 0, 0};
      for (uint32_t i = 0; i < 64; ++i) {
        const uint32_t at = index == Indices[0] ? i % 4 : 1;
        CHECK(after[i] == vectors[at]);
        CHECK(after[i + 64] == vectors[(at + 1) & 3]);
      }
    }
  }
}

TEST_CASE("what constant offsets lead out of a buffer to reads as 0") {
  for (const char *block : {"readonly buffer", "uniform"}) {
    CAPTURE(block);
    const ShaderSet shaders =
        computeOf("GL_EXT_shader_explicit_arithmetic_types_int64",
                  std::string("layout(binding = 1, std140) ") + block + " Given { uvec4 given[64]; uint64_t far; };",
                  "uvec4 sum = given[0] + given[1] + given[2] + given[63];"
                  "data[i] = sum.x + (sum.y << 8) + (sum.z << 16) + (sum.w << 24); data[i + 64u] = uint(far >> 7);");
    const std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192, 7), withBuffer(SixWords));
    for (uint32_t i = 0; i < 64; ++i) {
      CHECK(after[i] == 0x0e0d1c1a);
      CHECK(after[i + 64] == 0);
    }
  }
}

TEST_CASE("stores and atomics outside of a buffer change nothing, and atomics return 0") {
  const ShaderSet shaders = computeOf(
      "", "layout(binding = 1, std430) buffer Given { uint given[]; };",
      "uint at = i + 6u; given[at] = 99u; data[i] = atomicAdd(given[at], 5u) + atomicMax(given[at + 1000000u], 5u);"
      "if (i == 3u) { given[4] = 1u; given[5] = 2u; given[6] = 3u; given[7] = 4u; }"
      "barrier(); data[i + 64u] = i < 6u ? given[i] : uint(given.length());");
  std::vector<uint32_t> words(192, 7);
  const std::vector<uint32_t> after = computedWords(shaders, words, withBuffer(SixWords));
  const uint32_t left[] = {11, 12, 13, 14, 1, 2};
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(after[i] == 0);
    CHECK(after[i + 64] == (i < 6 ? left[i] : 6));
  }
}

// As in Mesa's drivers, an offset has 32 bits.
TEST_CASE("an index whose offset needs more than 32 bits wraps around") {
  const ShaderSet shaders = computeOf("", "layout(binding = 1, std430) readonly buffer Given { uvec4 given[]; };",
                                      "data[i] = given[0x10000000u + (i & 1u)].y;");
  const std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192, 7), withBuffer(SixWords));
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == (i & 1 ? 16 : 12));
}

TEST_CASE("the largest indices are outside of a buffer") {
  const ShaderSet shaders = computeOf("", "layout(binding = 1, std430) readonly buffer Given { uint given[]; };",
                                      "uint at = 0xffffffffu - i; data[i] = given[at]; data[i + 64u] = given[at + 1u]; "
                                      "data[i + 128u] = given[at / 4u];");
  const std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192, 7), withBuffer(SixWords));
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(after[i] == 0);
    CHECK(after[i + 64] == (i == 0 ? 11 : 0));
    CHECK(after[i + 128] == 0);
  }
}

TEST_CASE("texel buffers end with their last texel") {
  for (const char *kind : {"samplerBuffer given;", "imageBuffer given;"}) {
    CAPTURE(kind);
    const bool isImage = std::string_view(kind).starts_with("image");
    const std::string read = isImage ? "imageLoad(given, int(i))" : "texelFetch(given, int(i))";
    const ShaderSet shaders =
        computeOf("", std::string("layout(binding = 1") + (isImage ? ", r32f) readonly" : ")") + " uniform " + kind,
                  "vec4 texel = " + read +
                      "; data[i] = uint(texel.x); data[i + 64u] = uint(texel.y + texel.z);"
                      "data[i + 128u] = uint(texel.w);");
    const std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192, 7), [](Scene &scene) {
      SceneDescriptor &descriptor = descriptorAt(scene, 1);
      descriptor.texelFormat = VK_FORMAT_R32_SFLOAT;
      const float texels[] = {1, 2, 3};
      std::vector<uint8_t> &bytes = scene.buffers.at(descriptor.buffer);
      bytes.resize(sizeof(texels));
      std::memcpy(bytes.data(), texels, sizeof(texels));
    });
    for (uint32_t i = 0; i < 64; ++i) {
      CHECK(after[i] == (i < 3 ? i + 1 : 0));
      CHECK(after[i + 64] == 0);
      CHECK(after[i + 128] <= 1);
    }
  }
}

TEST_CASE("texels outside of an image read as 0, and are not written") {
  const auto smallImage = [](Scene &scene) {
    SceneImage &image = scene.images.at(0);
    image.format = VK_FORMAT_R32_UINT;
    image.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    image.width = image.height = 4;
    image.layers = 2;
    image.mipLevels = 1;
    image.bytes.assign(4 * 4 * 2 * sizeof(uint32_t), 0);
    for (size_t texel = 0; texel < image.bytes.size(); texel += sizeof(uint32_t))
      image.bytes[texel] = 5;
  };
  const std::string places = "ivec3 place = i < 16u ? ivec3(i % 4u, i / 4u, 1) : i < 32u ? ivec3(4 + int(i), 1, 0)"
                             "  : i < 48u ? ivec3(1, -int(i), 0) : ivec3(1, 1, int(i));";
  std::vector<uint32_t> after = computedWords(
      computeOf("", "layout(binding = 1, r32ui) uniform uimage2DArray image;",
                places + "uvec4 texel = imageLoad(image, place); data[i] = texel.x;"
                         "data[i + 64u] = texel.y + texel.z;"
                         "imageStore(image, i < 16u ? ivec3(9) : place, uvec4(99u));"
                         "barrier(); data[i + 128u] = imageLoad(image, ivec3(i % 4u, i / 4u % 4u, i / 32u))"
                         ".x;"),
      std::vector<uint32_t>(192, 7), smallImage);
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(after[i] == (i < 16 ? 5 : 0));
    CHECK(after[i + 64] == 0);
    CHECK(after[i + 128] == 5);
  }
  after = computedWords(computeOf("", "layout(binding = 1) uniform usampler2DArray image;",
                                  places + "data[i] = texelFetch(image, place, 0).x;"
                                           "data[i + 64u] = texelFetch(image, ivec3(1, 1, 0), int(i)).x;"),
                        std::vector<uint32_t>(192, 7), smallImage);
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(after[i] == (i < 16 ? 5 : 0));
    CHECK(after[i + 64] == (i == 0 ? 5 : 0));
  }
}

TEST_CASE("attributes outside of a vertex buffer are 0, 0, 0 and 0 or 1") {
  const ShaderSet shaders =
      programOf({{lgc::ShaderStage::Vertex, wholeTarget("layout(location = 0) in vec4 given;"
                                                        "layout(location = 1) flat out vec4 seen;",
                                                        "seen = given;")},
                 {lgc::ShaderStage::Fragment, "layout(location = 1) flat in vec4 seen;"
                                              "layout(location = 0) out vec4 color; void main() { color = seen; }"}});
  // The provoking vertex of the first of two triangles is in the buffer.
  const std::vector<DrawnTexel> texels = drawnTexels(shaders, [](Scene &scene) {
    const std::array<float, 4> given = {2, 3, 4, 5};
    scene.state.vertexAttributes = {{.location = 0, .binding = 0, .format = VK_FORMAT_R32G32B32A32_SFLOAT}};
    scene.state.vertexBindings = {{.binding = 0, .stride = sizeof(given)}};
    std::vector<uint8_t> bytes(3 * sizeof(given));
    for (unsigned vertex = 0; vertex < 3; ++vertex)
      std::memcpy(&bytes[vertex * sizeof(given)], given.data(), sizeof(given));
    scene.vertexBuffers = {{0, bytes}};
  });
  unsigned inside = 0, outside = 0;
  for (const DrawnTexel &texel : texels) {
    inside += texel == DrawnTexel{2, 3, 4, 5};
    outside += texel[0] == 0 && texel[1] == 0 && texel[2] == 0 && (texel[3] == 0 || texel[3] == 1);
  }
  CHECK(inside > 0);
  CHECK(outside > 0);
  CHECK(inside + outside == texels.size());
}
