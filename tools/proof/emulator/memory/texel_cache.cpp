// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/memory/texel_cache.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {
constexpr size_t TexelsPerCall = 64 * 4; // a bilinear sample in all lanes
constexpr size_t MaxExcess = 4;          // texels of an image for each that has been read
} // namespace

const TexelValue *TexelCache::find(std::span<const uint8_t> bytes, const TexelLayout &layout, uint64_t writes) {
  auto found = std::ranges::find_if(m_images, [&](const Image &image) {
    return image.bytes.data() == bytes.data() && image.bytes.size() == bytes.size() && image.layout == layout;
  });
  if (found == m_images.end())
    found = m_images.insert(found, Image{bytes, layout, writes});
  Image &image = *found;
  if (image.writes != writes)
    return nullptr;
  if (!image.texels.empty())
    return image.texels.data();
  const size_t count = bytes.size() / layout.bytes;
  image.readTexels += TexelsPerCall;
  if (image.readTexels < count / MaxExcess)
    return nullptr;
  const TexelDecoder decode(layout);
  image.texels.reserve(count);
  for (size_t i = 0; i != count; ++i)
    image.texels.push_back(decode(&bytes[i * layout.bytes]));
  return image.texels.data();
}

} // namespace dovetail::emulator
