// SPDX-License-Identifier: MIT
//
// T# and S#: bits put together by hand from the register tables, and back.
#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/emulator/image/image_format.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::emulator;

namespace {

SceneImage rgbaImage(VkImageViewType type) {
  SceneImage image;
  image.viewType = type;
  image.width = 64;
  image.height = 32;
  image.mipLevels = 3;
  return image;
}

using Words = std::array<uint32_t, 8>;

} // namespace

TEST_CASE("the T# of a 2D image has its fields where GFX9 reads them") {
  Words words = imageDescriptor(Generation::Gfx9, rgbaImage(VK_IMAGE_VIEW_TYPE_2D), 0x12345678900).value();
  CHECK(words[0] == 0x23456789);                                               // address >> 8
  CHECK(words[1] == (0x1u | 10u << 20));                                       // address >> 40, 8_8_8_8, UNORM
  CHECK(words[2] == (63u | 31u << 14));                                        // width - 1, height - 1
  CHECK(words[3] == (4u | 5u << 3 | 6u << 6 | 7u << 9 | 2u << 16 | 9u << 28)); // xyzw, last level 2, 2D
  CHECK(words[4] == 63u << 13);                                                // pitch - 1
  CHECK(words[5] == 2u << 28);                                                 // MAX_MIP
  CHECK(words[6] == 0);
  CHECK(words[7] == 0);
}

TEST_CASE("the T# of a cube array counts its faces") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY);
  image.layers = 12;
  Words words = imageDescriptor(Generation::Gfx9, image, 0).value();
  CHECK((words[3] >> 28) == 11);
  CHECK((words[4] & 0x1fff) == 11);
}

TEST_CASE("GFX8 has the number of cubes in DEPTH and the last face in LAST_ARRAY") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_CUBE_ARRAY);
  image.layers = 12;
  Words words = imageDescriptor(Generation::Gfx8, image, 0).value();
  CHECK((words[4] & 0x1fff) == 1);
  CHECK((words[5] >> 13) == 11);
}

TEST_CASE("the T# of a 3D image has its depth") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_3D);
  image.depth = 16;
  Words words = imageDescriptor(Generation::Gfx9, image, 0).value();
  CHECK((words[3] >> 28) == 10);
  CHECK((words[4] & 0x1fff) == 15);
}

TEST_CASE("1D images are 2D ones on GFX9, and only there") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_1D);
  image.height = 1;
  CHECK((imageDescriptor(Generation::Gfx9, image, 0).value()[3] >> 28) == 9);
  CHECK((imageDescriptor(Generation::Gfx8, image, 0).value()[3] >> 28) == 8);
}

TEST_CASE("the last level of a multisampled image is the logarithm of its samples") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_2D);
  image.mipLevels = 1;
  image.samples = 4;
  Words words = imageDescriptor(Generation::Gfx9, image, 0).value();
  CHECK((words[3] >> 28) == 14);
  CHECK((words[3] >> 16 & 0xf) == 2);
}

TEST_CASE("all samples of a multisampled layer have its value") {
  SceneImage image;
  image.format = VK_FORMAT_R8_UNORM;
  image.width = 2;
  image.layers = 2;
  image.samples = 2;
  image.bytes = {7, 9};
  CHECK((imageMemory(image) == std::vector<uint8_t>{7, 7, 7, 7, 9, 9, 9, 9}));
}

TEST_CASE("components that lie the other way round are put right by DST_SEL, and the border by BC_SWIZZLE") {
  SceneImage image = rgbaImage(VK_IMAGE_VIEW_TYPE_2D);
  image.format = VK_FORMAT_B8G8R8A8_SRGB;
  Words words = imageDescriptor(Generation::Gfx9, image, 0).value();
  CHECK((words[1] >> 20 & 0x3f) == 10);
  CHECK((words[1] >> 26 & 0xf) == 9);
  CHECK((words[3] & 0xfff) == (6u | 5u << 3 | 4u << 6 | 7u << 9)); // z, y, x, w
  CHECK((words[4] >> 29) == 4);                                    // ZYXW
}

TEST_CASE("image formats, by name") {
  struct Expected {
    VkFormat format;
    unsigned data, number;
    std::array<uint8_t, 4> select;
  };
  for (const Expected &expected : std::initializer_list<Expected>{
           {VK_FORMAT_R8_UNORM, 1, 0, {4, 0, 0, 1}},
           {VK_FORMAT_R8G8_SNORM, 3, 1, {4, 5, 0, 1}},
           {VK_FORMAT_R16_SFLOAT, 2, 7, {4, 0, 0, 1}},
           {VK_FORMAT_R16G16_SSCALED, 5, 3, {4, 5, 0, 1}},
           {VK_FORMAT_R32_UINT, 4, 4, {4, 0, 0, 1}},
           {VK_FORMAT_R32G32B32A32_SFLOAT, 14, 7, {4, 5, 6, 7}},
           {VK_FORMAT_R16G16B16A16_SINT, 12, 5, {4, 5, 6, 7}},
           {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 9, 0, {4, 5, 6, 7}},
           {VK_FORMAT_A2R10G10B10_UINT_PACK32, 9, 4, {6, 5, 4, 7}},
           {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 6, 7, {4, 5, 6, 1}},
           {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 34, 7, {4, 5, 6, 1}},
           {VK_FORMAT_R5G6B5_UNORM_PACK16, 16, 0, {6, 5, 4, 1}},
           {VK_FORMAT_A1R5G5B5_UNORM_PACK16, 17, 0, {6, 5, 4, 7}},
           {VK_FORMAT_R5G5B5A1_UNORM_PACK16, 18, 0, {7, 6, 5, 4}},
           {VK_FORMAT_B4G4R4A4_UNORM_PACK16, 19, 0, {5, 6, 7, 4}},
           {VK_FORMAT_D16_UNORM, 2, 0, {4, 0, 0, 1}},
           {VK_FORMAT_X8_D24_UNORM_PACK32, 20, 0, {4, 0, 0, 1}},
           {VK_FORMAT_D32_SFLOAT, 4, 7, {4, 0, 0, 1}},
           {VK_FORMAT_S8_UINT, 1, 4, {4, 0, 0, 1}},
       }) {
    CAPTURE(expected.format);
    auto format = imageFormat(expected.format);
    REQUIRE(format);
    CHECK(format->dataFormat == expected.data);
    CHECK(format->numFormat == expected.number);
    CHECK((format->dstSel == expected.select));
  }
}

TEST_CASE("formats that images do not have are Errors that name them") {
  auto format = imageFormat(VK_FORMAT_R8G8B8_UNORM);
  REQUIRE(!format);
  CHECK((format.error().code == ErrorCode::Unsupported));
  CHECK(format.error().text.find("R8G8B8_UNORM") != std::string::npos);
}

TEST_CASE("decoding a T# gives back what was encoded, on both generations") {
  ImageDescriptor descriptor;
  descriptor.address = 0xab'cdef'1234'00;
  descriptor.minLod = 0x123;
  descriptor.dataFormat = 12;
  descriptor.numFormat = 7;
  descriptor.widthMinusOne = 16383;
  descriptor.heightMinusOne = 1;
  descriptor.dstSel = {7, 1, 0, 4};
  descriptor.baseLevel = 1;
  descriptor.lastLevel = 13;
  descriptor.type = ImageType::Array2D;
  descriptor.depthMinusOne = descriptor.lastArray = 2047;
  descriptor.pitchMinusOne = 16383;
  descriptor.baseArray = 8;
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    ImageDescriptor decoded = decodeImageDescriptor(generation, encode(generation, descriptor));
    CHECK(decoded.address == descriptor.address);
    CHECK(decoded.minLod == 0x123);
    CHECK(decoded.widthMinusOne == 16383);
    CHECK(decoded.heightMinusOne == 1);
    CHECK((decoded.dstSel == descriptor.dstSel));
    CHECK((decoded.type == ImageType::Array2D));
    CHECK(decoded.baseLevel == 1);
    CHECK(decoded.lastLevel == 13);
    CHECK(decoded.baseArray == 8);
    CHECK(decoded.lastArray == 2047);
  }
}

TEST_CASE("an S# has its fields where the hardware reads them") {
  SceneSampler sampler;
  sampler.addressModeU = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
  sampler.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  sampler.addressModeW = VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
  sampler.compareEnable = true;
  sampler.compareOp = VK_COMPARE_OP_GREATER;
  sampler.minLod = 1.5f;
  sampler.maxLod = 3;
  sampler.mipLodBias = -0.5f;
  sampler.minFilter = VK_FILTER_NEAREST;
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
  sampler.borderColor = VK_BORDER_COLOR_INT_OPAQUE_WHITE;
  std::array<uint32_t, 4> words = samplerDescriptor(sampler);
  CHECK(words[0] == (1u | 6u << 3 | 3u << 6 | 4u << 12));
  CHECK(words[1] == (0x180u | 0x300u << 12));
  CHECK(words[2] == (0x3f80u | 1u << 20 | 2u << 26)); // -128 in 14 bits; bilinear magnification
  CHECK(words[3] == 2u << 30);
  CHECK((samplerDescriptor(SceneSampler())[1] >> 12) == 0xfff); // no limit: the largest that there is

  const SceneSampler back = toSceneSampler(words);
  CHECK(samplerDescriptor(back) == words);
  CHECK(back.addressModeU == sampler.addressModeU);
  CHECK(back.addressModeV == sampler.addressModeV);
  CHECK(back.addressModeW == sampler.addressModeW);
  CHECK(back.compareOp == sampler.compareOp);
  CHECK(back.mipLodBias == sampler.mipLodBias);
  CHECK(back.minLod == sampler.minLod);
  CHECK(back.magFilter == VK_FILTER_LINEAR);
  CHECK(back.minFilter == VK_FILTER_NEAREST);
  CHECK(back.mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR);
}
