// SPDX-License-Identifier: MIT
//
// Makes PAL's metadata of an image, on demand.
#pragma once

#include "merge/image.h"
#include "src/abi/metadata/pal_metadata.h"

namespace dovetail {

// The LDS that the hardware allocates for a group of this stage, in bytes.
uint32_t ldsBytesOf(const Image &image, const ImageStage &stage);

// The address of the code in the GPU's memory is a multiple of this; at least 256.
uint32_t codeAlignment(const Image &image);

// Thread-safe.
PalMetadata makePalMetadata(const Image &image);

} // namespace dovetail
