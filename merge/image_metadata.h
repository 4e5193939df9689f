// SPDX-License-Identifier: MIT
//
// What PAL's metadata says about an image, made on demand.
#pragma once

#include "merge/image.h"
#include "src/abi/pal_metadata.h"

namespace dovetail {

// Thread-safe.
PalMetadata makePalMetadata(const Image &image);

} // namespace dovetail
