// SPDX-License-Identifier: MIT
//
// A table gives the bits of the components of each IMG_DATA_FORMAT. The name of a packed format lists its components
// from the highest bits to the lowest, and X is the lowest ("Vega" ISA manual, section 8.4.4; AMD's register headers,
// IMG_DATA_FORMAT). A Vulkan format becomes the data format with the same components in any order; DST_SEL puts them in
// order.
#include "tools/proof/emulator/image/image_format.h"
#include "src/state/format_table.h"
#include <algorithm>
#include <span>

namespace dovetail::emulator {

namespace {

struct DataFormat {
  uint8_t number;
  uint8_t bytes;
  std::array<uint8_t, 4> bits; // of X, Y, Z, W, from bit 0 upward
};

constexpr DataFormat DataFormats[] = {
    {1, 1, {8}},             // 8
    {2, 2, {16}},            // 16
    {3, 2, {8, 8}},          // 8_8
    {4, 4, {32}},            // 32
    {5, 4, {16, 16}},        // 16_16
    {6, 4, {11, 11, 10}},    // 10_11_11
    {7, 4, {10, 11, 11}},    // 11_11_10
    {8, 4, {2, 10, 10, 10}}, // 10_10_10_2
    {9, 4, {10, 10, 10, 2}}, // 2_10_10_10
    {10, 4, {8, 8, 8, 8}},
    {11, 8, {32, 32}},
    {12, 8, {16, 16, 16, 16}},
    {13, 12, {32, 32, 32}},
    {14, 16, {32, 32, 32, 32}},
    {16, 2, {5, 6, 5}},
    {17, 2, {5, 5, 5, 1}}, // 1_5_5_5
    {18, 2, {1, 5, 5, 5}}, // 5_5_5_1
    {19, 2, {4, 4, 4, 4}},
    {20, 4, {24, 8}},   // 8_24
    {21, 4, {8, 24}},   // 24_8
    {34, 4, {9, 9, 9}}, // 5_9_9_9: the exponent is no component of its own
    {57, 1, {4, 4}},
};
constexpr unsigned Format10_11_11 = 6, Format11_11_10 = 7, Format5_9_9_9 = 34;

std::array<TexelComponent, 4> componentsOf(const DataFormat &format) {
  std::array<TexelComponent, 4> components = {};
  uint8_t shift = 0;
  for (unsigned i = 0; i != 4; ++i) {
    components[i] = {shift, format.bits[i]};
    shift = uint8_t(shift + format.bits[i]);
  }
  return components;
}

std::optional<TexelNumeric> numericOf(unsigned dataFormat, ImageNumFormat numFormat) {
  switch (numFormat) {
  case ImageNumFormat::Unorm:
    return TexelNumeric::Unorm;
  case ImageNumFormat::Snorm:
    return TexelNumeric::Snorm;
  case ImageNumFormat::Uscaled:
    return TexelNumeric::Uscaled;
  case ImageNumFormat::Sscaled:
    return TexelNumeric::Sscaled;
  case ImageNumFormat::Uint:
    return TexelNumeric::Uint;
  case ImageNumFormat::Sint:
    return TexelNumeric::Sint;
  case ImageNumFormat::Srgb:
    return TexelNumeric::Srgb;
  case ImageNumFormat::Float:
    if (dataFormat == Format5_9_9_9)
      return TexelNumeric::SharedExponent;
    return dataFormat == Format10_11_11 || dataFormat == Format11_11_10 ? TexelNumeric::Ufloat : TexelNumeric::Float;
  }
  return std::nullopt;
}

ImageNumFormat numFormatOf(TexelNumeric numeric) {
  switch (numeric) {
  case TexelNumeric::Unorm:
    return ImageNumFormat::Unorm;
  case TexelNumeric::Snorm:
    return ImageNumFormat::Snorm;
  case TexelNumeric::Uscaled:
    return ImageNumFormat::Uscaled;
  case TexelNumeric::Sscaled:
    return ImageNumFormat::Sscaled;
  case TexelNumeric::Uint:
    return ImageNumFormat::Uint;
  case TexelNumeric::Sint:
    return ImageNumFormat::Sint;
  case TexelNumeric::Srgb:
    return ImageNumFormat::Srgb;
  case TexelNumeric::Float:
  case TexelNumeric::Ufloat:
  case TexelNumeric::SharedExponent:
    break;
  }
  return ImageNumFormat::Float;
}

bool canBeFloat(const DataFormat &format) {
  return std::all_of(format.bits.begin(), format.bits.end(),
                     [](uint8_t bits) { return bits == 0 || bits == 16 || bits == 32; });
}

} // namespace

std::optional<TexelLayout> imageTexelLayout(unsigned dataFormat, unsigned numFormat) {
  auto found = std::find_if(std::begin(DataFormats), std::end(DataFormats),
                            [&](const DataFormat &row) { return row.number == dataFormat; });
  if (found == std::end(DataFormats))
    return std::nullopt;
  std::optional<TexelNumeric> numeric = numericOf(dataFormat, ImageNumFormat(numFormat));
  if (!numeric || (*numeric == TexelNumeric::Float && !canBeFloat(*found)))
    return std::nullopt;
  if (dataFormat == Format5_9_9_9 && *numeric != TexelNumeric::SharedExponent)
    return std::nullopt;
  return TexelLayout{found->bytes, *numeric, componentsOf(*found)};
}

Result<ImageFormat> imageFormat(VkFormat format) {
  TexelLayout layout = DOVETAIL_TRY(texelLayout(format));
  ImageNumFormat numFormat = numFormatOf(layout.numeric);
  std::optional<ImageFormat> best;
  unsigned fewest = 5;
  for (const DataFormat &row : DataFormats) {
    std::optional<TexelLayout> candidate = imageTexelLayout(row.number, unsigned(numFormat));
    if (!candidate || candidate->bytes != layout.bytes || candidate->numeric != layout.numeric)
      continue;
    ImageFormat result = {row.number, uint8_t(numFormat), {}};
    bool hasAll = true;
    for (unsigned i = 0; i != 4; ++i) {
      const TexelComponent &wanted = layout.components[i];
      if (wanted.bits == 0) {
        result.dstSel[i] = i == 3 ? 1 : 0;
        continue;
      }
      auto component =
          std::find_if(candidate->components.begin(), candidate->components.end(),
                       [&](const TexelComponent &has) { return has.bits == wanted.bits && has.shift == wanted.shift; });
      hasAll &= component != candidate->components.end();
      result.dstSel[i] = uint8_t(4 + (component - candidate->components.begin()));
    }
    auto count = unsigned(std::count_if(row.bits.begin(), row.bits.end(), [](uint8_t bits) { return bits != 0; }));
    if (hasAll && count < fewest) {
      best = result;
      fewest = count;
    }
  }
  if (!best)
    return makeError(ErrorCode::Unsupported, "GFX9 images have no format like {}", formatName(format));
  return *best;
}

} // namespace dovetail::emulator
