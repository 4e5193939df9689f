// SPDX-License-Identifier: MIT
//
// The fields of a V#, word by word, once for reading and writing.
#include "tools/proof/emulator/memory/buffer_descriptor.h"
#include "tools/proof/emulator/isa/buffer_formats.h"

namespace dovetail::emulator {

namespace {

struct Field {
  unsigned word, shift, bits;
};

constexpr Field BaseHi = {1, 0, 16}, Stride = {1, 16, 14}, CacheSwizzle = {1, 30, 1}, SwizzleEnable = {1, 31, 1},
                NumFormat = {3, 12, 3}, DataFormat = {3, 15, 4}, ElementSize = {3, 19, 2}, IndexStride = {3, 21, 2},
                AddTid = {3, 23, 1}, Type = {3, 30, 2};
// GFX10. RESOURCE_LEVEL is always set (Mesa: ac_make_buffer_descriptor and its predecessors).
constexpr Field UnifiedFormat = {3, 12, 7}, ResourceLevel = {3, 24, 1}, OobSelect = {3, 28, 2};
constexpr Field DstSel[] = {{3, 0, 3}, {3, 3, 3}, {3, 6, 3}, {3, 9, 3}};

// With ADD_TID_ENABLE, the data format's field holds the upper bits of the stride, for untyped accesses.
constexpr unsigned StrideBits = 14;

void put(std::array<uint32_t, 4> &words, Field field, uint32_t value) {
  words[field.word] |= (value & ((1u << field.bits) - 1)) << field.shift;
}

uint32_t get(const std::array<uint32_t, 4> &words, Field field) {
  return words[field.word] >> field.shift & ((1u << field.bits) - 1);
}

} // namespace

std::array<uint32_t, 4> encode(const BufferDescriptor &descriptor, Generation generation) {
  std::array<uint32_t, 4> words = {uint32_t(descriptor.base), 0, descriptor.numRecords, 0};
  put(words, BaseHi, uint32_t(descriptor.base >> 32));
  put(words, Stride, descriptor.stride);
  put(words, CacheSwizzle, descriptor.cacheSwizzle);
  put(words, SwizzleEnable, descriptor.swizzleEnable);
  for (unsigned i = 0; i != 4; ++i)
    put(words, DstSel[i], descriptor.dstSel[i]);
  if (factsOf(generation).hasUnifiedFormats) {
    put(words, UnifiedFormat, unifiedBufferFormat({descriptor.dataFormat, descriptor.numFormat}));
    put(words, ResourceLevel, 1);
    put(words, OobSelect, descriptor.rangeCheck);
  } else {
    put(words, NumFormat, descriptor.numFormat);
    put(words, DataFormat,
        descriptor.stride >> StrideBits != 0 ? descriptor.stride >> StrideBits : descriptor.dataFormat);
    put(words, ElementSize, descriptor.elementSize);
  }
  put(words, IndexStride, descriptor.indexStride);
  put(words, AddTid, descriptor.addTidEnable);
  put(words, Type, descriptor.type);
  return words;
}

BufferDescriptor decodeBufferDescriptor(const std::array<uint32_t, 4> &words, BufferReader reader,
                                        Generation generation) {
  BufferDescriptor descriptor;
  descriptor.base = words[0] | uint64_t(get(words, BaseHi)) << 32;
  descriptor.stride = get(words, Stride);
  descriptor.cacheSwizzle = get(words, CacheSwizzle) != 0;
  descriptor.swizzleEnable = get(words, SwizzleEnable) != 0;
  descriptor.numRecords = words[2];
  for (unsigned i = 0; i != 4; ++i)
    descriptor.dstSel[i] = uint8_t(get(words, DstSel[i]));
  descriptor.indexStride = uint8_t(get(words, IndexStride));
  descriptor.addTidEnable = get(words, AddTid) != 0;
  descriptor.type = uint8_t(get(words, Type));
  if (factsOf(generation).hasUnifiedFormats) {
    const BufferFormat format = splitBufferFormat(get(words, UnifiedFormat));
    descriptor.dataFormat = format.data;
    descriptor.numFormat = format.number;
    descriptor.rangeCheck = uint8_t(get(words, OobSelect));
    return descriptor;
  }
  descriptor.numFormat = uint8_t(get(words, NumFormat));
  descriptor.dataFormat = uint8_t(get(words, DataFormat));
  descriptor.elementSize = uint8_t(get(words, ElementSize));
  if (descriptor.addTidEnable && reader == BufferReader::Untyped) {
    descriptor.stride |= uint32_t(descriptor.dataFormat) << StrideBits;
    descriptor.dataFormat = 0;
  }
  return descriptor;
}

} // namespace dovetail::emulator
