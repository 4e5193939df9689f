// SPDX-License-Identifier: MIT
//
// Caches decoded texels of sampled images: a draw reads each texel many times, and the images are small.
#pragma once

#include "tools/proof/scene/texel.h"
#include <span>
#include <vector>

namespace dovetail::emulator {

class TexelCache {
public:
  // All texels of an image, one after the other, valid until the next call. nullptr if the memory was written after
  // they were decoded, as by a shader that writes images. `writes`: the number of writes to the memory so far.
  const TexelValue *find(std::span<const uint8_t> bytes, const TexelLayout &layout, uint64_t writes);

private:
  struct Image {
    std::span<const uint8_t> bytes;
    TexelLayout layout;
    uint64_t writes = 0;
    std::vector<TexelValue> texels;
  };
  std::vector<Image> m_images;
};

} // namespace dovetail::emulator
