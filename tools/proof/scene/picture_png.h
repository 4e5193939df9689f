// SPDX-License-Identifier: MIT
//
// Makes pictures for people: targets of any format as 8-bit RGBA, side by side, in a PNG file.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include <span>

namespace dovetail {

// Rows from the top, 4 bytes per pixel, alpha not premultiplied.
struct Raster {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgba;
};

// Shows a target, its layers from left to right. Normalised values and floats are clamped to 0 to 1 (sRGB targets show
// their stored bits), signed normalised values are scaled from -1 to 1, and integers are scaled by the largest one in
// the picture. A NaN is magenta. Alpha is opaque, so that a picture is visible. Errors: Unsupported for a format that
// texelLayout() does not know.
Result<Raster> showPicture(const ScenePicture &picture);

// Shows all colour targets of a result from left to right; without colour, the depth, or the stencil values. A result
// without a picture (of a compute shader) is a grey pixel.
Result<Raster> showResult(const SceneResult &result);

// Shows the difference of two pictures of the same size, channel by channel. The largest difference has full
// brightness; equal pixels are black. Pictures of different sizes give a red pixel.
Raster showDifference(const Raster &ours, const Raster &reference);

// Places them from left to right, with a grey line between.
Raster placeSideBySide(std::span<const Raster> rasters);

// Errors: Internal, with libpng's message.
Result<std::vector<uint8_t>> encodePng(const Raster &raster);
// Converts palettes, grey and 16-bit pictures. Errors: InvalidInput, with libpng's message.
Result<Raster> decodePng(std::span<const uint8_t> bytes);

} // namespace dovetail
