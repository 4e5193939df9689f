// SPDX-License-Identifier: MIT
//
// Encodes with libpng's simplified interface (png_image), which reports errors as values and needs no setjmp.
#include "tools/proof/scene/picture_png.h"
#include "tools/proof/scene/texel.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <png.h>

namespace dovetail {

namespace {

constexpr std::array<uint8_t, 4> NanColor = {255, 0, 255, 255};
constexpr std::array<uint8_t, 4> LineColor = {128, 128, 128, 255};

uint8_t toByte(double value) {
  return static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
}

// The curve with which an sRGB format stores linear values.
double encodeSrgb(double linear) {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

double shownNumber(const TexelLayout &layout, uint32_t value) {
  if (layout.numeric == TexelNumeric::Uint)
    return value;
  if (layout.numeric == TexelNumeric::Sint)
    return static_cast<int32_t>(value);
  return std::bit_cast<float>(value);
}

// The largest magnitude of an integer in the picture, to scale the picture to 0 to 1.
double largestOf(const TexelLayout &layout, const ScenePicture &picture) {
  double largest = 0;
  for (size_t at = 0; at + layout.bytes <= picture.bytes.size(); at += layout.bytes) {
    TexelValue value = decodeTexel(layout, &picture.bytes[at]);
    for (unsigned channel = 0; channel < 4; ++channel)
      if (layout.components[channel].bits > 0)
        largest = std::max(largest, std::abs(shownNumber(layout, value[channel])));
  }
  return largest > 0 ? largest : 1;
}

double shownValue(const TexelLayout &layout, double value, double largest) {
  switch (layout.numeric) {
  case TexelNumeric::Uint:
  case TexelNumeric::Sint:
  case TexelNumeric::Uscaled:
  case TexelNumeric::Sscaled:
    return std::abs(value) / largest;
  case TexelNumeric::Snorm:
    return (value + 1) / 2;
  case TexelNumeric::Srgb:
    return encodeSrgb(value);
  default:
    return value;
  }
}

std::array<uint8_t, 4> showTexel(const TexelLayout &layout, const TexelValue &value, double largest) {
  std::array<uint8_t, 4> shown = {0, 0, 0, 255};
  unsigned components = 0;
  for (unsigned channel = 0; channel < 3; ++channel) {
    if (layout.components[channel].bits == 0)
      continue;
    double number = shownNumber(layout, value[channel]);
    if (std::isnan(number))
      return NanColor;
    shown[channel] = toByte(shownValue(layout, number, largest));
    ++components;
  }
  // Show a single component in grey.
  if (components == 1 && layout.components[0].bits > 0)
    shown[1] = shown[2] = shown[0];
  return shown;
}

uint8_t *pixelOf(Raster &raster, uint32_t x, uint32_t y) {
  return &raster.rgba[(size_t(y) * raster.width + x) * 4];
}

Raster singlePixel(const std::array<uint8_t, 4> &color) {
  return {1, 1, {color.begin(), color.end()}};
}

png_image describeRaster(uint32_t width, uint32_t height) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  return image;
}

} // namespace

Result<Raster> showPicture(const ScenePicture &picture) {
  TexelLayout layout = DOVETAIL_TRY(texelLayout(picture.format));
  uint64_t texels = uint64_t(picture.width) * picture.height * picture.layers;
  if (texels == 0 || picture.bytes.size() != texels * layout.bytes)
    return makeError(ErrorCode::InvalidInput, "a picture of {} texels has {} bytes", texels, picture.bytes.size());
  double largest = layout.isInteger() ? largestOf(layout, picture) : 1;
  Raster raster = {picture.width * picture.layers, picture.height, {}};
  raster.rgba.resize(texels * 4);
  const uint8_t *texel = picture.bytes.data();
  for (uint32_t layer = 0; layer < picture.layers; ++layer)
    for (uint32_t y = 0; y < picture.height; ++y)
      for (uint32_t x = 0; x < picture.width; ++x, texel += layout.bytes) {
        std::array<uint8_t, 4> shown = showTexel(layout, decodeTexel(layout, texel), largest);
        std::ranges::copy(shown, pixelOf(raster, layer * picture.width + x, y));
      }
  return raster;
}

Result<Raster> showResult(const SceneResult &result) {
  std::vector<Raster> rasters;
  for (const ScenePicture &picture : result.colors)
    if (picture.format != VK_FORMAT_UNDEFINED)
      rasters.push_back(DOVETAIL_TRY(showPicture(picture)));
  for (const ScenePicture *picture : {&result.depth, &result.stencil})
    if (rasters.empty() && picture->format != VK_FORMAT_UNDEFINED)
      rasters.push_back(DOVETAIL_TRY(showPicture(*picture)));
  if (rasters.empty())
    return singlePixel(LineColor);
  return placeSideBySide(rasters);
}

Raster showDifference(const Raster &ours, const Raster &reference) {
  if (ours.width != reference.width || ours.height != reference.height || ours.rgba.size() != reference.rgba.size())
    return singlePixel({255, 0, 0, 255});
  auto distance = [&](size_t index) { return std::abs(int(ours.rgba[index]) - int(reference.rgba[index])); };
  int largest = 0;
  for (size_t index = 0; index < ours.rgba.size(); ++index)
    largest = std::max(largest, distance(index));
  Raster difference = {ours.width, ours.height, std::vector<uint8_t>(ours.rgba.size(), 255)};
  for (size_t index = 0; index < ours.rgba.size(); ++index)
    if (index % 4 != 3)
      difference.rgba[index] = static_cast<uint8_t>(largest == 0 ? 0 : distance(index) * 255 / largest);
  return difference;
}

Raster placeSideBySide(std::span<const Raster> rasters) {
  Raster whole;
  for (const Raster &raster : rasters) {
    whole.width += raster.width + (&raster != &rasters.front());
    whole.height = std::max(whole.height, raster.height);
  }
  whole.rgba.resize(size_t(whole.width) * whole.height * 4);
  for (size_t index = 0; index < whole.rgba.size(); ++index)
    whole.rgba[index] = LineColor[index % 4];
  uint32_t left = 0;
  for (const Raster &raster : rasters) {
    for (uint32_t y = 0; y < raster.height; ++y)
      std::memcpy(pixelOf(whole, left, y), &raster.rgba[size_t(y) * raster.width * 4], size_t(raster.width) * 4);
    left += raster.width + 1;
  }
  return whole;
}

Result<std::vector<uint8_t>> encodePng(const Raster &raster) {
  if (raster.width == 0 || raster.height == 0 || raster.rgba.size() != size_t(raster.width) * raster.height * 4)
    return makeError(ErrorCode::Internal, "a raster of {}x{} has {} bytes", raster.width, raster.height,
                     raster.rgba.size());
  png_image image = describeRaster(raster.width, raster.height);
  std::vector<uint8_t> bytes(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = bytes.size();
  int written = png_image_write_to_memory(&image, bytes.data(), &size, 0, raster.rgba.data(), 0, nullptr);
  std::string message = image.message;
  png_image_free(&image);
  if (!written)
    return makeError(ErrorCode::Internal, "cannot encode a PNG: {}", message);
  bytes.resize(size);
  return bytes;
}

Result<Raster> decodePng(std::span<const uint8_t> bytes) {
  constexpr uint32_t MaxExtent = 8192;
  png_image image = describeRaster(0, 0);
  auto refuse = [&](const std::string &reason) {
    std::string text = "not a PNG that can be read: " + reason;
    png_image_free(&image);
    return makeError(ErrorCode::InvalidInput, text);
  };
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    return refuse(image.message);
  if (image.width > MaxExtent || image.height > MaxExtent)
    return refuse(fmt::format("{}x{} pixels are too many", image.width, image.height));
  image.format = PNG_FORMAT_RGBA;
  Raster raster = {image.width, image.height, std::vector<uint8_t>(PNG_IMAGE_SIZE(image))};
  if (!png_image_finish_read(&image, nullptr, raster.rgba.data(), 0, nullptr))
    return refuse(image.message);
  png_image_free(&image);
  return raster;
}

} // namespace dovetail
