// SPDX-License-Identifier: MIT
//
// image_load, image_store, image_atomic_* and image_get_resinfo: texels by integer coordinates. Outside of the image,
// loads give 0 in the components of the format, stores are dropped, and atomics are dropped and return 0. Source:
// "Vega" ISA manual, section 8.3; Mesa, ac_nir_lower_resinfo.c, for the results of image_get_resinfo.
#include "tools/proof/emulator/image/image_instructions.h"
#include "tools/proof/emulator/image/image_operands.h"
#include "tools/proof/emulator/numerics/conversion_noise.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace dovetail::emulator {

namespace {

// x, y, slice or z, sample, level, in this order. A slice of a cube is a face; a cube has six, since the hardware sees
// an array of faces.
class AccessOperands {
public:
  AccessOperands(Wave &wave, const Instruction &instruction, const ImageView &image, unsigned flags)
      : m_image(image), m_count(coordinateCount(image, instruction)) {
    bool isMultisampled = image.descriptor().isMultisampled();
    bool hasLast = isMultisampled || flags & Mip;
    unsigned coordinates = m_count.position + m_count.hasSlice;
    m_coordinates = AddressOperands(wave, instruction).group<4>(coordinates + hasLast, false);
    if (hasLast)
      (isMultisampled ? m_sample : m_level) = m_coordinates[coordinates];
  }

  TexelPlace place(unsigned lane) const {
    TexelPlace place;
    // A level beyond the last must not wrap around into the view.
    uint64_t level = uint64_t(m_image.baseLevel()) + m_level[lane];
    place.level = unsigned(std::min<uint64_t>(level, ~0u));
    place.x = int32_t(m_coordinates[0][lane]);
    place.y = m_count.position > 1 ? int32_t(m_coordinates[1][lane]) : 0;
    place.sample = int32_t(m_sample[lane]);
    if (m_image.descriptor().type == ImageType::Dim3D) {
      place.slice = int32_t(m_coordinates[2][lane]);
      return place;
    }
    uint64_t slice = m_count.hasSlice ? m_coordinates[m_count.position][lane] : 0;
    place.slice = int32_t(std::min<uint64_t>(slice + m_image.descriptor().baseArray, INT32_MAX));
    return place;
  }

private:
  const ImageView &m_image;
  CoordinateCount m_count;
  std::array<Lanes, 4> m_coordinates = {};
  Lanes m_sample = {}, m_level = {};
};

// The dwords of a texel as they are. A texel of fewer bits than a dword is extended.
TexelValue loadRaw(const ImageView &image, const TexelPlace &place, bool isSigned) {
  TexelValue value = {};
  if (!image.contains(place))
    return value;
  unsigned bytes = image.layout().bytes;
  std::memcpy(value.data(), image.bytesOf(place), bytes);
  if (isSigned && bytes < 4)
    value[0] = uint32_t(int32_t(value[0] << (32 - 8 * bytes)) >> (32 - 8 * bytes));
  return value;
}

template <typename T> T dataOf(const std::array<const Lanes *, 4> &registers, unsigned first, unsigned lane) {
  if constexpr (sizeof(T) == 4)
    return (*registers[first])[lane];
  else
    return (*registers[first])[lane] | uint64_t((*registers[first + 1])[lane]) << 32;
}

// `update` gives the new value from the old one and the lane's operands.
template <typename T, typename F>
void atomicLanes(Wave &wave, const Instruction &instruction, const ImageView &image, unsigned operandCount, F update) {
  constexpr unsigned Dwords = sizeof(T) / 4;
  if (image.layout().bytes != 0 && image.layout().bytes != sizeof(T))
    return wave.trap(TrapKind::BadDescriptor, "atomic of {} bytes on texels of {}", sizeof(T), image.layout().bytes);
  AccessOperands operands(wave, instruction, image, 0);
  std::array<const Lanes *, 4> registers = {};
  for (unsigned i = 0; i != Dwords * operandCount; ++i)
    registers[i] = &wave.readVgpr(instruction.vdata + i);
  if (wave.trapped())
    return;
  std::array<Lanes, 4> old = {};
  forEachLaneOn(wave, [&](unsigned lane) {
    TexelPlace place = operands.place(lane);
    if (!image.contains(place))
      return;
    T memory;
    std::memcpy(&memory, image.bytesOf(place), sizeof(T));
    T data = dataOf<T>(registers, 0, lane);
    T compared = operandCount == 2 ? dataOf<T>(registers, Dwords, lane) : T(0);
    T result = update(memory, data, compared);
    std::memcpy(image.bytesOf(place), &result, sizeof(T));
    for (unsigned i = 0; i != Dwords; ++i)
      old[i][lane] = uint32_t(uint64_t(memory) >> 32 * i);
  });
  if (instruction.glc)
    writeTexels(wave, instruction, old, (1u << Dwords) - 1, false);
  else
    wave.issueStore();
}

// DMASK has a bit for each dword of an operand of type T; compare and swap has two operands.
template <typename F32, typename F64>
void dispatchAtomic(Wave &wave, const Instruction &instruction, unsigned operandCount, F32 on32, F64 on64) {
  std::optional<ImageView> image = ImageView::bindForTexels(wave, instruction, true);
  if (!image)
    return;
  auto dwords = unsigned(std::popcount(instruction.dmask));
  if (dwords == operandCount)
    return atomicLanes<uint32_t>(wave, instruction, *image, operandCount, on32);
  if (dwords == 2 * operandCount)
    return atomicLanes<uint64_t>(wave, instruction, *image, operandCount, on64);
  wave.trap(TrapKind::Unsupported, "image atomic with dmask {:#x}", instruction.dmask);
}

} // namespace

void imageLoad(Wave &wave, const Instruction &instruction, unsigned flags) {
  if (instruction.dmask == 0)
    return wave.trap(TrapKind::Unsupported, "image load with dmask 0");
  std::optional<ImageView> image = ImageView::bindForTexels(wave, instruction, false);
  if (!image)
    return;
  AccessOperands operands(wave, instruction, *image, flags);
  if (wave.trapped())
    return;
  const bool isConverted = !(flags & Raw) && image->layout().isNormalized();
  std::array<Lanes, 4> components = {};
  Lanes status = {};
  forEachLaneOn(wave, [&](unsigned lane) {
    TexelPlace place = operands.place(lane);
    TexelValue value = flags & Raw ? loadRaw(*image, place, flags & Signed) : image->select(image->load(place));
    if (isConverted)
      addConversionNoise(wave.roundingNoise(), value);
    for (unsigned i = 0; i != 4; ++i)
      components[i][lane] = value[i];
    status[lane] = image->takeMiss();
  });
  writeTexels(wave, instruction, components, instruction.dmask, !(flags & Raw) && !image->layout().isInteger(), status);
}

void imageStore(Wave &wave, const Instruction &instruction, unsigned flags) {
  std::optional<ImageView> image = ImageView::bindForTexels(wave, instruction, true);
  if (!image)
    return;
  AccessOperands operands(wave, instruction, *image, flags);
  TexelNumeric numeric = flags & Raw ? TexelNumeric::Uint : image->layout().numeric;
  std::array<Lanes, 4> components = readTexels(wave, instruction, numeric);
  if (wave.trapped())
    return;
  forEachLaneOn(wave, [&](unsigned lane) {
    TexelPlace place = operands.place(lane);
    if (!image->contains(place))
      return;
    TexelValue value = {components[0][lane], components[1][lane], components[2][lane], components[3][lane]};
    if (flags & Raw)
      std::memcpy(image->bytesOf(place), value.data(), image->layout().bytes);
    else
      encodeTexel(image->layout(), image->unselect(value), image->bytesOf(place));
  });
  wave.issueStore();
}

void imageAtomic(Wave &wave, const Instruction &instruction, const ImageAtomic &atomic) {
  dispatchAtomic(
      wave, instruction, 1, [&](uint32_t memory, uint32_t data, uint32_t) { return atomic.on32(memory, data); },
      [&](uint64_t memory, uint64_t data, uint64_t) { return atomic.on64(memory, data); });
}

// VDATA holds the new value, followed by the comparand.
void imageAtomicCompareSwap(Wave &wave, const Instruction &instruction) {
  auto swap = [](auto memory, auto data, auto compared) { return memory == compared ? data : memory; };
  dispatchAtomic(wave, instruction, 2, swap, swap);
}

// Width, height, depth or slices (of cubes: faces), levels, as integers. A 1D array has its number of slices in place
// of the height. The operand is a level counted from BASE_LEVEL; beyond the last level, sizes are 0.
void imageGetResinfo(Wave &wave, const Instruction &instruction) {
  std::optional<ImageView> image = ImageView::bind(wave, instruction, false);
  if (!image)
    return;
  Lanes levels = AddressOperands(wave, instruction).single(false);
  if (wave.trapped())
    return;
  const ImageDescriptor &descriptor = image->descriptor();
  std::array<Lanes, 4> components = {};
  forEachLaneOn(wave, [&](unsigned lane) {
    components[3][lane] = image->lastLevel() - (descriptor.isMultisampled() ? 0 : image->baseLevel()) + 1;
    uint64_t level = uint64_t(image->baseLevel()) + levels[lane];
    if (level > image->lastLevel())
      return;
    LevelSize size = image->size(unsigned(level));
    components[0][lane] = uint32_t(size.width);
    components[1][lane] = uint32_t(size.height);
    components[2][lane] = uint32_t(size.slices);
    if (descriptor.type != ImageType::Dim3D)
      components[2][lane] -= descriptor.baseArray;
    if (descriptor.type == ImageType::Array1D)
      components[1][lane] = std::exchange(components[2][lane], 0u);
  });
  writeTexels(wave, instruction, components, instruction.dmask, false);
}

} // namespace dovetail::emulator
