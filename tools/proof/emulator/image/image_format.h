// SPDX-License-Identifier: MIT
//
// IMG_DATA_FORMAT and IMG_NUM_FORMAT of T#s: the bits of a texel and their meaning.
#pragma once

#include "tools/proof/scene/texel.h"
#include <array>
#include <cstdint>
#include <optional>

namespace dovetail::emulator {

// IMG_NUM_FORMAT_*.
enum class ImageNumFormat : uint8_t {
  Unorm = 0,
  Snorm = 1,
  Uscaled = 2,
  Sscaled = 3,
  Uint = 4,
  Sint = 5,
  Float = 7,
  Srgb = 9,
};

// Layout of components X, Y, Z, W. Nothing if images cannot have the combination, or if it is not modelled (compressed
// and subsampled formats; for FMASK formats see fmask.h).
std::optional<TexelLayout> imageTexelLayout(unsigned dataFormat, unsigned numFormat);

struct ImageFormat {
  uint8_t dataFormat, numFormat;
  std::array<uint8_t, 4> dstSel; // SQ_SEL for r, g, b, a
};

// Errors: Unsupported, naming the format.
Result<ImageFormat> imageFormat(VkFormat format);

} // namespace dovetail::emulator
