// SPDX-License-Identifier: MIT
//
// Pictures that people can look at: targets of any format as 8-bit RGBA, side by side, in a PNG file.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <span>

namespace dovetail {

// Rows from the top, 4 bytes a pixel, alpha not premultiplied.
struct Raster {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

// What a target holds, its layers from left to right. Normalised values and floats are shown as they are, clamped to
// 0 to 1 (sRGB targets by their stored bits), signed normalised ones from -1 to 1; integers are scaled by the largest
// one in the picture; a NaN is magenta. Alpha is shown as opaque: a picture that is compared must be seen. Errors:
// Unsupported for a format that texelLayout() does not know.
Result<Raster> showPicture(const ScenePicture &picture);

// All colour targets of a result from left to right, or the depth if there is no colour, or the stencil values. A
// result without any picture (of a compute shader) is a grey pixel.
Result<Raster> showResult(const SceneResult &result);

// How far two pictures of the same size are apart: the difference of each channel, scaled so that the largest in the
// whole is full brightness, and black where there is none. Pictures of different sizes give a red pixel.
Raster showDifference(const Raster &ours, const Raster &reference);

// From left to right, with a grey line between.
Raster placeSideBySide(std::span<const Raster> rasters);

// Errors: Internal with libpng's message.
Result<std::vector<uint8_t>> encodePng(const Raster &raster);
// Errors: InvalidInput with libpng's message; palettes, grey and 16-bit pictures are converted.
Result<Raster> decodePng(std::span<const uint8_t> bytes);

} // namespace dovetail
