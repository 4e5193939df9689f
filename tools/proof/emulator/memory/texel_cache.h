// SPDX-License-Identifier: MIT
//
// Caches decoded texels of sampled images. Most draws read each texel many times. A draw that reads few texels of a
// large image decodes them one by one.
#pragma once

#include "tools/proof/scene/texel.h"
#include <span>
#include <vector>

namespace dovetail::emulator {

class TexelCache {
public:
  // All texels of an image, one after the other, valid until the next call. nullptr if the memory was written after
  // the first call, as by a shader that writes images; and as long as the image has many more texels than instructions
  // have read. Each call counts as one instruction. `writes`: the number of writes to the memory so far.
  const TexelValue *find(std::span<const uint8_t> bytes, const TexelLayout &layout, uint64_t writes);

private:
  struct Image {
    std::span<const uint8_t> bytes;
    TexelLayout layout;
    uint64_t writes = 0;
    size_t readTexels = 0; // about
    std::vector<TexelValue> texels = {};
  };
  std::vector<Image> m_images;
};

} // namespace dovetail::emulator
