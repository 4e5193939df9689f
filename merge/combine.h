// SPDX-License-Identifier: MIT
//
// An image of two that are known. What lies in front of the rasteriser does not depend on the colour output of a state,
// nor the pixel shader on its vertex input. So of the images of some shaders that agree in the rest of the state, the
// front of one and the pixel shader of another are an image, too: that of the one's vertex input with the other's
// colour output. Nothing has to be checked or merged again, and code is copied in two runs.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"

namespace dovetail {

// Fills the image that `make` gives. Both are joined images of the same main parts, with a pixel shader, under states
// that differ in vertex input and colour output alone, and no monolithic part is in them. The result is the one that
// join() gives of the same parts. Thread-safe. Errors: those of relocations (JoinRefused).
Result<void> combine(const Image &front, const Image &pixel, const MakeImage &make);

} // namespace dovetail
