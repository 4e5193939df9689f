// SPDX-License-Identifier: MIT
#include "parts/listing/listing.h"

namespace dovetail {

Bounds boundsOf(Operation pack, unsigned bits) {
  if (pack == Operation::PackUint16)
    return {0, (1 << bits) - 1};
  return {-(1 << (bits - 1)), (1 << (bits - 1)) - 1};
}

PackedBounds boundsOf(Operation pack, PackedClamp clamp) {
  const Bounds low = boundsOf(pack, clamp.lowBits), high = boundsOf(pack, clamp.highBits);
  auto pair = [](int32_t a, int32_t b) { return uint32_t(uint16_t(a)) | uint32_t(uint16_t(b)) << 16; };
  return {pair(low.least, high.least), pair(low.most, high.most)};
}

} // namespace dovetail
