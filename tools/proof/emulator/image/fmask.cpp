// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/image/fmask.h"
#include <algorithm>
#include <cstring>
#include <iterator>

namespace dovetail::emulator {

namespace {

// FMASK formats of images with as many fragments as samples. Sources: Mesa's registers/gfx6.json and gfx9.json,
// IMG_DATA_FORMAT and IMG_NUM_FORMAT_FMASK; radv_image.c, si_set_mutable_tex_desc_fields and
// si_make_texture_descriptor.
struct FormatRow {
  Generation generation;
  uint32_t samples, dataFormat, numFormat;
};
constexpr uint32_t Uint = 4;
constexpr FormatRow Formats[] = {
    {Generation::Gfx8, 2, 47, Uint}, // FMASK8_S2_F2
    {Generation::Gfx8, 4, 49, Uint}, // FMASK8_S4_F4
    {Generation::Gfx8, 8, 54, Uint}, // FMASK32_S8_F8
    {Generation::Gfx9, 2, 45, 3},    // FMASK, FMASK_8_2_2
    {Generation::Gfx9, 4, 45, 5},    // FMASK, FMASK_8_4_4
    {Generation::Gfx9, 8, 45, 10},   // FMASK, FMASK_32_8_8
};

// The fragment of a sample: one of two fragments of its pixel.
uint32_t fragmentOf(uint32_t layer, uint32_t y, uint32_t x, uint32_t sample, uint32_t samples) {
  uint32_t hash = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ layer * 0xc2b2ae3du;
  hash ^= hash >> 15;
  hash *= 0x2c1b3c6du;
  hash ^= hash >> 12;
  const uint32_t first = hash % samples, second = (first + 1 + (hash >> 8) % (samples - 1)) % samples;
  return (hash >> 16 >> sample & 1) != 0 ? first : second;
}

template <typename Visit> void forEachPixel(const SceneImage &image, Visit visit) {
  for (uint32_t layer = 0; layer != image.layers; ++layer)
    for (uint32_t y = 0; y != image.height; ++y)
      for (uint32_t x = 0; x != image.width; ++x)
        visit(layer, y, x);
}

} // namespace

std::optional<TexelLayout> fmaskLayout(Generation generation, unsigned dataFormat, unsigned numFormat) {
  const bool isFmask = std::any_of(std::begin(Formats), std::end(Formats), [&](const FormatRow &row) {
    return row.generation == generation && row.dataFormat == dataFormat && row.numFormat == numFormat;
  });
  if (!isFmask)
    return std::nullopt;
  TexelLayout layout;
  layout.bytes = sizeof(uint32_t);
  layout.numeric = TexelNumeric::Uint;
  layout.components[0] = {0, 32};
  return layout;
}

Result<std::array<uint32_t, 8>> fmaskDescriptor(Generation generation, const SceneImage &image, uint64_t address) {
  const FormatRow *row = std::find_if(std::begin(Formats), std::end(Formats), [&](const FormatRow &candidate) {
    return candidate.generation == generation && candidate.samples == image.samples;
  });
  if (row == std::end(Formats))
    return makeError(ErrorCode::Unsupported, "no FMASK for an image of {} samples", image.samples);
  ImageDescriptor descriptor;
  descriptor.address = address;
  descriptor.dataFormat = row->dataFormat;
  descriptor.numFormat = row->numFormat;
  descriptor.dstSel = {4, 4, 4, 4};
  descriptor.type = image.viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? ImageType::Array2D : ImageType::Dim2D;
  descriptor.widthMinusOne = descriptor.pitchMinusOne = image.width - 1;
  descriptor.heightMinusOne = image.height - 1;
  descriptor.lastArray = descriptor.depthMinusOne = image.layers - 1;
  return encode(generation, descriptor);
}

std::vector<uint8_t> fmaskMemory(const SceneImage &image) {
  std::vector<uint8_t> memory;
  forEachPixel(image, [&](uint32_t layer, uint32_t y, uint32_t x) {
    uint32_t nibbles = 0;
    for (uint32_t sample = 0; sample != image.samples; ++sample)
      nibbles |= fragmentOf(layer, y, x, sample, image.samples) << (4 * sample);
    const size_t end = memory.size();
    memory.resize(end + sizeof(nibbles));
    std::memcpy(&memory[end], &nibbles, sizeof(nibbles));
  });
  return memory;
}

std::vector<uint8_t> compressedImageMemory(const SceneImage &image) {
  const size_t texelBytes = image.bytes.size() / image.layers;
  std::vector<uint8_t> memory;
  forEachPixel(image, [&](uint32_t layer, uint32_t y, uint32_t x) {
    uint32_t used = 0;
    for (uint32_t sample = 0; sample != image.samples; ++sample)
      used |= 1u << fragmentOf(layer, y, x, sample, image.samples);
    for (uint32_t fragment = 0; fragment != image.samples; ++fragment)
      for (size_t i = 0; i != texelBytes; ++i) {
        const uint8_t byte = image.bytes[layer * texelBytes + i];
        memory.push_back((used >> fragment & 1) != 0 ? byte : uint8_t(~byte));
      }
  });
  return memory;
}

} // namespace dovetail::emulator
