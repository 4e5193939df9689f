// SPDX-License-Identifier: MIT
//
// Images in ways that few shaders use: fragments of multisampled images, residency, texels of 64 bits, chosen levels.
// The tests compare the result of each instruction with that of ordinary instructions on the same image.
#include "tests/features/computed_words.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// `body` sets `bool good`, and `uint seen` to some value of the image. `good` must be true in all invocations, and
// `seen` must not be the same in all.
void checkGood(const std::string &extensions, const std::string &declarations, const std::string &body,
               const std::function<void(Scene &)> &change = {}) {
  CAPTURE(body);
  ShaderSet shaders = computeOf(extensions, declarations,
                                "bool good = true; uint seen = 0u; ivec2 p = ivec2(i & 7u, i >> 3u);" + body +
                                    "data[i] = good ? 1u : 0u; data[i + 64u] = seen;");
  std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192), change);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == 1);
  CHECK(std::count(after.begin() + 64, after.begin() + 128, after[64]) < 64);
}

const std::string Sampled = "layout(binding = 1) uniform sampler2D image;\n";

} // namespace

TEST_CASE("a sample has the fragment that the fragment mask says") {
  checkGood("GL_AMD_shader_fragment_mask", "layout(binding = 1) uniform sampler2DMSArray samples;",
            "ivec3 q = ivec3(p, i % 3u); uint mask = fragmentMaskFetchAMD(samples, q);"
            "for (int s = 0; s < textureSamples(samples); ++s) { vec4 texel = texelFetch(samples, q, s);"
            "  good = good && texel == fragmentFetchAMD(samples, q, mask >> (4 * s) & 7u);"
            "  seen += floatBitsToUint(dot(texel, vec4(1.0, 3.0, 5.0, 7.0))); }");
}

TEST_CASE("samples, gathers, fetches and loads that tell residency give the same texels") {
  checkGood("GL_ARB_sparse_texture2", Sampled,
            "vec2 uv = (vec2(p) + 0.3) / 8.0; vec4 texel; int code = sparseTextureLodARB(image, uv, 0.0, texel);"
            "good = sparseTexelsResidentARB(code) && texel == textureLod(image, uv, 0.0);"
            "seen = floatBitsToUint(texel.x);");
  checkGood("GL_ARB_sparse_texture2", Sampled,
            "vec2 uv = (vec2(p) + 0.3) / 8.0; vec4 texels; int code = sparseTextureGatherARB(image, uv, texels, 0);"
            "good = sparseTexelsResidentARB(code) && texels == textureGather(image, uv, 0);"
            "seen = floatBitsToUint(texels.y);");
  checkGood("GL_ARB_sparse_texture2", Sampled,
            "vec4 texel; int code = sparseTexelFetchARB(image, p, 0, texel);"
            "good = sparseTexelsResidentARB(code) && texel == texelFetch(image, p, 0);"
            "seen = floatBitsToUint(texel.x);");
  checkGood("GL_ARB_sparse_texture2", "layout(binding = 1, r32ui) coherent uniform uimage2D image;",
            "imageStore(image, p, uvec4(i * 77u)); uvec4 texel; int code = sparseImageLoadARB(image, p, texel);"
            "good = sparseTexelsResidentARB(code) && texel == imageLoad(image, p); seen = texel.x;");
  checkGood(
      "GL_ARB_sparse_texture2", "layout(binding = 1) uniform sampler2DShadow shadow;",
      "vec3 at = vec3((vec2(p) + 0.3) / 8.0, 0.5); float lit; int code = sparseTextureLodARB(shadow, at, 0.0, lit);"
      "good = sparseTexelsResidentARB(code) && lit == textureLod(shadow, at, 0.0); seen = i;");
}

TEST_CASE("what lies on pages that are not resident is 0, and the code says so") {
  struct Row {
    std::string access;
    uint32_t firstResident; // row
  };
  for (const Row &row : {Row{"code = sparseTexelFetchARB(image, p, 0, texel);", 4},
                         Row{"code = sparseTextureGatherARB(image, (vec2(p) + 1.0) / size, texel, 0);", 4},
                         Row{"code = sparseTextureLodARB(image, (vec2(p) + 1.5) / size, 0.0, texel);", 3}}) {
    CAPTURE(row.access);
    ShaderSet shaders = computeOf("GL_ARB_sparse_texture2", Sampled,
                                  "ivec2 p = ivec2(i & 7u, i >> 3u); vec2 size = vec2(textureSize(image, 0));"
                                  "vec4 texel; int code; " +
                                      row.access +
                                      "data[i] = sparseTexelsResidentARB(code) ? 1u : 0u;"
                                      "data[i + 64u] = code == 0 ? 0u : 1u;"
                                      "data[i + 128u] = texel.x == 0.0 ? 1u : 0u;");
    std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(192), [](Scene &scene) {
      // The first four rows of the first level.
      SceneImage &image = scene.images.at(0);
      image.absentEnd = 4 * image.width * texelLayout(image.format)->bytes;
      scene.samplers.at(0).magFilter = scene.samplers.at(0).minFilter = VK_FILTER_NEAREST;
    });
    for (unsigned i = 0; i < 64; ++i) {
      const bool isResident = i / 8 >= row.firstResident;
      CHECK(after[i] == (isResident ? 1 : 0));
      CHECK(after[i + 64] == (isResident ? 0 : 1));
      if (isResident)
        CHECK(after[i + 128] == 0);
      else if (i / 8 < 3) // all accessed texels are absent
        CHECK(after[i + 128] == 1);
    }
  }
}

TEST_CASE("gathers of four offsets that tell residency") {
  checkGood("GL_ARB_sparse_texture2",
            Sampled + "const ivec2 Offsets[4] = ivec2[4](ivec2(0), ivec2(1, 0), ivec2(0, 2), "
                      "ivec2(-1));",
            "vec2 uv = (vec2(p) + 1.3) / 16.0; vec4 texels;"
            "int code = sparseTextureGatherOffsetsARB(image, uv, Offsets, texels, 1);"
            "good = sparseTexelsResidentARB(code) && texels == textureGatherOffsets(image, uv, Offsets, 1);"
            "seen = floatBitsToUint(texels.z);");
}

TEST_CASE("gathers from a chosen level") {
  checkGood("GL_AMD_texture_gather_bias_lod", Sampled,
            "float level = uintBitsToFloat(data[128]); vec2 uv = (vec2(p) + 0.3) / 8.0;"
            "vec4 chosen = textureGatherLodAMD(image, uv, level, 1);"
            "good = chosen == textureGather(image, uv, 1); seen = floatBitsToUint(chosen.x);");
}

// GFX8 moves a gather of integers by half a texel of the level that the sampler allows.
TEST_CASE("gathers of integers from a chosen level are within the sampler's limits") {
  checkGood("GL_AMD_texture_gather_bias_lod", "layout(binding = 1) uniform usampler2D image;\n",
            "vec2 uv = (vec2(p) + 0.3) / 8.0; uvec4 chosen = textureGatherLodAMD(image, uv, 3.0, 1);"
            "good = chosen == textureGather(image, uv, 1) && textureQueryLevels(image) == 3; seen = chosen.x;",
            [](Scene &scene) {
              SceneImage &image = scene.images.at(0);
              image.width = image.height = 8;
              image.layers = 1;
              image.mipLevels = 3;
              image.bytes.resize((64 + 16 + 4) * texelLayout(image.format)->bytes);
              for (size_t i = 0; i < image.bytes.size(); ++i)
                image.bytes[i] = uint8_t(i * 37);
              scene.samplers.at(0).maxLod = 0;
            });
}

TEST_CASE("loads from a chosen level, which storage images of one level do not have") {
  checkGood("GL_AMD_shader_image_load_store_lod", "layout(binding = 1, r32ui) coherent uniform uimage2D image;",
            "int first = int(data[128]); imageStore(image, p, uvec4(i * 77u)); uvec4 texel = imageLoad(image, p); seen "
            "= texel.x;"
            "good = imageLoadLodAMD(image, p, first) == texel && imageLoadLodAMD(image, p, first + 9).x == 0u;"
            "imageStoreLodAMD(image, p, first, texel + 5u); good = good && imageLoad(image, p).x == texel.x + 5u;");
}

TEST_CASE("images of half floats are sampled, gathered and fetched like those of floats") {
  checkGood(
      "GL_AMD_gpu_shader_half_float_fetch GL_EXT_shader_explicit_arithmetic_types_float16",
      "layout(binding = 1) uniform f16sampler2D image;\n"
      "layout(binding = 1) uniform sampler2D whole;\n"
      "bool isNear(f16vec4 a, vec4 b) { return all(lessThan(abs(vec4(a) - b), vec4(0.001))); }\n",
      "vec2 uv = (vec2(p) + 0.5) / 8.0; vec4 texel = textureLod(whole, uv, 0.0);"
      "good = isNear(textureLod(image, uv, 0.0), texel) && isNear(texelFetch(image, p, 0), texelFetch(whole, p, 0));"
      "good = good && isNear(textureLod(image, f16vec2(uv), 0.0hf), texel);"
      "good = good && isNear(textureGather(image, uv + 0.01, 1), textureGather(whole, uv + 0.01, 1));"
      "seen = floatBitsToUint(texel.x);");
  checkGood("GL_AMD_gpu_shader_half_float_fetch GL_EXT_shader_explicit_arithmetic_types_float16",
            "layout(binding = 1, rgba16f) coherent uniform f16image2D image;\n",
            "f16vec4 texel = f16vec4(i, 0.5, -2.0, 7.0); imageStore(image, p, texel);"
            "good = imageLoad(image, p) == texel; seen = i;");
}

TEST_CASE("images of 64 bits are read, written and changed by atomics") {
  checkGood("GL_EXT_shader_explicit_arithmetic_types_int64 GL_EXT_shader_image_int64",
            "layout(binding = 1, r64ui) coherent uniform u64image2D image;",
            "uint64_t before = imageLoad(image, p).x; uint64_t added = uint64_t(i) << 40 | 7ul;"
            "uint64_t old = imageAtomicAdd(image, p, added); seen = uint(before) ^ i;"
            "good = old == before && imageLoad(image, p).x == before + added;"
            "good = good && imageAtomicCompSwap(image, p, before + added, 5ul) == before + added;"
            "good = good && imageAtomicExchange(image, p, 9ul << 33) == 5ul;"
            "imageStore(image, p, u64vec4(imageLoad(image, p).x + 1ul));"
            "good = good && imageLoad(image, p) == u64vec4((9ul << 33) + 1ul, 0ul, 0ul, 1ul);");
}

TEST_CASE("texels of 64 bits have the layer that is asked for, and 0, 0 and 1 behind their one component") {
  for (const char *kind : {"2DArray", "Cube", "CubeArray", "3D"}) {
    CAPTURE(kind);
    const std::string name = std::string("u64image") + kind;
    checkGood("GL_EXT_shader_explicit_arithmetic_types_int64 GL_EXT_shader_image_int64 GL_ARB_sparse_texture2",
              "layout(binding = 1, r64ui) coherent uniform " + name + " image;",
              "ivec3 q = ivec3(p & 3, i >> 4u & 1u); uint64_t value = uint64_t(q.x + 4 * q.y + 16 * q.z) << 33 | 5ul;"
              "imageStore(image, q, u64vec4(value)); memoryBarrierImage(); barrier();"
              "u64vec4 texel; int code = sparseImageLoadARB(image, q, texel);"
              "good = imageLoad(image, q) == u64vec4(value, 0ul, 0ul, 1ul) && sparseTexelsResidentARB(code) &&"
              "  texel == u64vec4(value, 0ul, 0ul, 1ul); seen = uint(value >> 33);",
              [](Scene &scene) {
                SceneImage &image = scene.images.at(0);
                image.width = image.height = 4;
                const bool isCube =
                    image.viewType == VK_IMAGE_VIEW_TYPE_CUBE || image.viewType == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
                image.layers = isCube ? 6 : image.viewType == VK_IMAGE_VIEW_TYPE_3D ? 1 : 2;
                image.depth = image.viewType == VK_IMAGE_VIEW_TYPE_3D ? 2 : 1;
                image.mipLevels = 1;
                image.bytes.assign(4 * 4 * image.layers * image.depth * sizeof(uint64_t), 0);
              });
  }
}
