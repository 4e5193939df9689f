// SPDX-License-Identifier: MIT
//
// The format table against expectations that were written by hand from the Vulkan specification and the Vega ISA
// manual.
#include "src/state/format_table.h"
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;

namespace {

// "Required Format Support": formats for which VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT is mandatory.
constexpr VkFormat RequiredVertexFormats[] = {
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8_SNORM,
    VK_FORMAT_R8_UINT,
    VK_FORMAT_R8_SINT,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R8G8_SNORM,
    VK_FORMAT_R8G8_UINT,
    VK_FORMAT_R8G8_SINT,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_SNORM,
    VK_FORMAT_R8G8B8A8_UINT,
    VK_FORMAT_R8G8B8A8_SINT,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_A8B8G8R8_UNORM_PACK32,
    VK_FORMAT_A8B8G8R8_SNORM_PACK32,
    VK_FORMAT_A8B8G8R8_UINT_PACK32,
    VK_FORMAT_A8B8G8R8_SINT_PACK32,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_R16_UNORM,
    VK_FORMAT_R16_SNORM,
    VK_FORMAT_R16_UINT,
    VK_FORMAT_R16_SINT,
    VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R16G16_UNORM,
    VK_FORMAT_R16G16_SNORM,
    VK_FORMAT_R16G16_UINT,
    VK_FORMAT_R16G16_SINT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_UNORM,
    VK_FORMAT_R16G16B16A16_SNORM,
    VK_FORMAT_R16G16B16A16_UINT,
    VK_FORMAT_R16G16B16A16_SINT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R32_UINT,
    VK_FORMAT_R32_SINT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32_UINT,
    VK_FORMAT_R32G32_SINT,
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32B32_UINT,
    VK_FORMAT_R32G32B32_SINT,
    VK_FORMAT_R32G32B32_SFLOAT,
    VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R32G32B32A32_SINT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
};

// Those and VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT.
constexpr VkFormat RequiredColorFormats[] = {
    VK_FORMAT_R5G6B5_UNORM_PACK16,
    VK_FORMAT_A1R5G5B5_UNORM_PACK16,
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8_UINT,
    VK_FORMAT_R8_SINT,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R8G8_UINT,
    VK_FORMAT_R8G8_SINT,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_UINT,
    VK_FORMAT_R8G8B8A8_SINT,
    VK_FORMAT_R8G8B8A8_SRGB,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_B8G8R8A8_SRGB,
    VK_FORMAT_A8B8G8R8_UNORM_PACK32,
    VK_FORMAT_A8B8G8R8_UINT_PACK32,
    VK_FORMAT_A8B8G8R8_SINT_PACK32,
    VK_FORMAT_A8B8G8R8_SRGB_PACK32,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_A2B10G10R10_UINT_PACK32,
    VK_FORMAT_R16_UINT,
    VK_FORMAT_R16_SINT,
    VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R16G16_UINT,
    VK_FORMAT_R16G16_SINT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_UINT,
    VK_FORMAT_R16G16B16A16_SINT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R32_UINT,
    VK_FORMAT_R32_SINT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32_UINT,
    VK_FORMAT_R32G32_SINT,
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R32G32B32A32_SINT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_B10G11R11_UFLOAT_PACK32,
};

const FormatInfo &info(VkFormat format) {
  const FormatInfo *found = findFormat(format);
  REQUIRE(found);
  return *found;
}

} // namespace

TEST_CASE("every format that must be a vertex format is one") {
  for (VkFormat format : RequiredVertexFormats) {
    CAPTURE(formatName(format));
    CHECK(getVertexFormat(format).has_value());
  }
}

TEST_CASE("every format that must be a colour target is one") {
  for (VkFormat format : RequiredColorFormats) {
    CAPTURE(formatName(format));
    CHECK(getColorFormat(format).has_value());
  }
}

TEST_CASE("a format's size is the sum of its components, except for the shared exponent") {
  for (const FormatInfo &format : allFormats()) {
    CAPTURE(formatName(format.format));
    unsigned bits = format.bits[0] + format.bits[1] + format.bits[2] + format.bits[3];
    if (format.format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
      bits += 5;
    CHECK(bits == format.bytes * 8u);
  }
}

TEST_CASE("the components of a format are in different channels") {
  for (const FormatInfo &format : allFormats()) {
    CAPTURE(formatName(format.format));
    unsigned channels = 0;
    for (unsigned component = 0; component != format.componentCount; ++component)
      channels |= 1u << format.channel[component];
    CHECK(channels == (1u << format.componentCount) - 1);
  }
}

TEST_CASE("hardware numbers of vertex formats") {
  struct Expectation {
    VkFormat format;
    VertexFetchMethod method;
    unsigned dataFormat;
    unsigned numFormat;
    std::array<uint8_t, 4> channel;
  };
  const Expectation expectations[] = {
      {VK_FORMAT_R8_UNORM, VertexFetchMethod::Array, 1, 0, {0}},
      {VK_FORMAT_R8G8B8_SINT, VertexFetchMethod::Array, 1, 5, {0, 1, 2}},
      {VK_FORMAT_B8G8R8A8_UNORM, VertexFetchMethod::Array, 1, 0, {2, 1, 0, 3}},
      {VK_FORMAT_R16G16_SNORM, VertexFetchMethod::Array, 2, 1, {0, 1}},
      {VK_FORMAT_R16G16B16A16_SFLOAT, VertexFetchMethod::Array, 2, 7, {0, 1, 2, 3}},
      {VK_FORMAT_R16_USCALED, VertexFetchMethod::Array, 2, 2, {0}},
      {VK_FORMAT_R16_SSCALED, VertexFetchMethod::Array, 2, 3, {0}},
      {VK_FORMAT_R32G32B32_UINT, VertexFetchMethod::Array, 4, 4, {0, 1, 2}},
      {VK_FORMAT_A2B10G10R10_SNORM_PACK32, VertexFetchMethod::Packed, 9, 1, {0, 1, 2, 3}},
      {VK_FORMAT_A2R10G10B10_UINT_PACK32, VertexFetchMethod::Packed, 9, 4, {2, 1, 0, 3}},
      {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VertexFetchMethod::Packed, 6, 7, {0, 1, 2}},
      {VK_FORMAT_R64G64_SFLOAT, VertexFetchMethod::Wide, 4, 4, {0, 1}},
      {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VertexFetchMethod::SharedExponent, 4, 4, {0, 1, 2}},
  };
  for (const Expectation &expected : expectations) {
    CAPTURE(formatName(expected.format));
    const FormatInfo &found = info(expected.format);
    CHECK((found.vertexFetch == expected.method));
    CHECK(unsigned(found.dataFormat) == expected.dataFormat);
    CHECK(unsigned(found.numFormat) == expected.numFormat);
    CHECK(found.channel == expected.channel);
  }
}

TEST_CASE("array formats of several channels") {
  CHECK(unsigned(arrayDataFormat(8, 2)) == 3);
  CHECK(unsigned(arrayDataFormat(8, 4)) == 10);
  CHECK(unsigned(arrayDataFormat(16, 2)) == 5);
  CHECK(unsigned(arrayDataFormat(16, 4)) == 12);
  CHECK(unsigned(arrayDataFormat(32, 2)) == 11);
  CHECK(unsigned(arrayDataFormat(32, 3)) == 13);
  CHECK(unsigned(arrayDataFormat(32, 4)) == 14);
  // There are no formats of three small channels.
  CHECK(unsigned(arrayDataFormat(8, 3)) == 0);
  CHECK(unsigned(arrayDataFormat(16, 3)) == 0);
}

TEST_CASE("every row of the export-format table") {
  using enum ExportFormat;
  struct Row {
    VkFormat format;
    ExportFormat normal, alpha, blend, blendAlpha;
  };
  const Row rows[] = {
      {VK_FORMAT_R8_UNORM, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_R8G8B8A8_SRGB, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_R8G8B8A8_SNORM, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_R5G6B5_UNORM_PACK16, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_A2B10G10R10_UNORM_PACK32, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_B10G11R11_UFLOAT_PACK32, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_R8G8_UINT, Uint16Abgr, Uint16Abgr, Uint16Abgr, Uint16Abgr},
      {VK_FORMAT_R8_SINT, Sint16Abgr, Sint16Abgr, Sint16Abgr, Sint16Abgr},
      {VK_FORMAT_A2B10G10R10_UINT_PACK32, Uint16Abgr, Uint16Abgr, Uint16Abgr, Uint16Abgr},
      {VK_FORMAT_R16_UNORM, Unorm16Abgr, Unorm16Abgr, R32, Ar32},
      {VK_FORMAT_R16G16_UNORM, Unorm16Abgr, Unorm16Abgr, Gr32, Abgr32},
      {VK_FORMAT_R16G16B16A16_UNORM, Unorm16Abgr, Unorm16Abgr, Abgr32, Abgr32},
      {VK_FORMAT_R16_SNORM, Snorm16Abgr, Snorm16Abgr, R32, Ar32},
      {VK_FORMAT_R16G16B16A16_SNORM, Snorm16Abgr, Snorm16Abgr, Abgr32, Abgr32},
      {VK_FORMAT_R16G16_UINT, Uint16Abgr, Uint16Abgr, Uint16Abgr, Uint16Abgr},
      {VK_FORMAT_R16G16B16A16_SINT, Sint16Abgr, Sint16Abgr, Sint16Abgr, Sint16Abgr},
      {VK_FORMAT_R16G16_SFLOAT, Fp16Abgr, Fp16Abgr, Fp16Abgr, Fp16Abgr},
      {VK_FORMAT_R32_SFLOAT, R32, Ar32, R32, Ar32},
      {VK_FORMAT_R32G32_SFLOAT, Gr32, Abgr32, Gr32, Abgr32},
      {VK_FORMAT_R32G32B32A32_SFLOAT, Abgr32, Abgr32, Abgr32, Abgr32},
      {VK_FORMAT_R32_UINT, R32, Ar32, R32, Ar32},
      {VK_FORMAT_R32G32B32A32_SINT, Abgr32, Abgr32, Abgr32, Abgr32},
  };
  for (const Row &row : rows) {
    CAPTURE(formatName(row.format));
    CHECK((chooseExportFormat(info(row.format), false, false) == row.normal));
    CHECK((chooseExportFormat(info(row.format), false, true) == row.alpha));
    CHECK((chooseExportFormat(info(row.format), true, false) == row.blend));
    CHECK((chooseExportFormat(info(row.format), true, true) == row.blendAlpha));
  }
}

TEST_CASE("integer clamps belong to 8- and 10-bit integers only") {
  CHECK((integerClamp(info(VK_FORMAT_R8G8_UINT)) == IntegerClamp::Int8));
  CHECK((integerClamp(info(VK_FORMAT_A2R10G10B10_UINT_PACK32)) == IntegerClamp::Int10));
  CHECK((integerClamp(info(VK_FORMAT_R16_UINT)) == IntegerClamp::None));
  CHECK((integerClamp(info(VK_FORMAT_R8_UNORM)) == IntegerClamp::None));
}

TEST_CASE("a format that the table cannot use is named in the Error") {
  CHECK(getVertexFormat(VK_FORMAT_BC1_RGB_UNORM_BLOCK).error().text.find("VK_FORMAT_BC1_RGB_UNORM_BLOCK") !=
        std::string::npos);
  CHECK(getVertexFormat(VK_FORMAT_R8_SRGB).error().text.find("VK_FORMAT_R8_SRGB") != std::string::npos);
  CHECK(getColorFormat(VK_FORMAT_R64_SFLOAT).error().text.find("VK_FORMAT_R64_SFLOAT") != std::string::npos);
  CHECK(getColorFormat(VkFormat(123456)).error().text.find("123456") != std::string::npos);
}

TEST_CASE("names and formats are one to one") {
  std::set<std::string> names;
  for (const FormatInfo &format : allFormats()) {
    const std::string name = formatName(format.format);
    CHECK(name.starts_with("VK_FORMAT_"));
    CHECK(names.insert(name).second);
  }
}

TEST_CASE("depth and stencil aspects") {
  CHECK(hasDepth(VK_FORMAT_D16_UNORM));
  CHECK_FALSE(hasStencil(VK_FORMAT_D16_UNORM));
  CHECK(hasStencil(VK_FORMAT_S8_UINT));
  CHECK_FALSE(hasDepth(VK_FORMAT_S8_UINT));
  CHECK_FALSE(hasDepth(VK_FORMAT_UNDEFINED));
}
