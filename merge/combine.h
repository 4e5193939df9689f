// SPDX-License-Identifier: MIT
//
// Builds an image out of two known images. The programs in front of the rasteriser do not depend on a state's colour
// output, and the pixel shader does not depend on its vertex input. So take two images of the same shaders whose states
// agree in everything else: the front of one and the pixel shader of the other make the image for the vertex input of
// the one and the colour output of the other. Nothing has to be checked or joined again; code is copied in two runs.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"

namespace dovetail {

// Fills the image that `make` gives. Both images are joined from the same main parts, have a pixel shader and no
// monolithic part, and their states differ in vertex input and colour output alone. The result equals that of join()
// with the same parts. Thread-safe. Errors: those of relocations (JoinRefused).
Result<void> combine(const Image &front, const Image &pixel, const MakeImage &make);

} // namespace dovetail
