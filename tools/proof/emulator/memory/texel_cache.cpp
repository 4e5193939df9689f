// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/memory/texel_cache.h"

namespace dovetail::emulator {

const TexelValue *TexelCache::find(std::span<const uint8_t> bytes, const TexelLayout &layout, uint64_t writes) {
  for (const Image &image : m_images)
    if (image.bytes.data() == bytes.data() && image.bytes.size() == bytes.size() && image.layout == layout)
      return image.writes == writes ? image.texels.data() : nullptr;
  Image &image = m_images.emplace_back(Image{bytes, layout, writes, {}});
  const TexelDecoder decode(layout);
  const size_t count = bytes.size() / layout.bytes;
  image.texels.reserve(count);
  for (size_t i = 0; i != count; ++i)
    image.texels.push_back(decode(&bytes[i * layout.bytes]));
  return image.texels.data();
}

} // namespace dovetail::emulator
