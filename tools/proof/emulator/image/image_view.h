// SPDX-License-Identifier: MIT
//
// ImageView: a T# and the memory that it describes, addressed by level, x, y, slice and sample.
#pragma once

#include "tools/proof/emulator/image/image_descriptor.h"
#include "tools/proof/emulator/wave/wave.h"
#include "tools/proof/scene/texel.h"
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dovetail::emulator {

struct LevelSize {
  int32_t width = 1, height = 1;
  int32_t slices = 1; // 3D: depth; otherwise slices up to the view's last
};

// The place of a texel. `slice` counts the slices of the resource, or z of 3D images.
struct TexelPlace {
  unsigned level = 0; // of the resource
  int32_t x = 0, y = 0, slice = 0;
  int32_t sample = 0;
};

class ImageView {
public:
  // Reads the T# in SGPRs srsrc.. and finds its memory. Returns nothing if the wave has trapped: BadDescriptor,
  // Unsupported, MemoryOutOfBounds.
  static std::optional<ImageView> bind(Wave &wave, const Instruction &instruction, bool forWriting);
  // The same for accesses to single texels. Texels of a null descriptor (eight zeros) are 0. On GFX8, cubes trap.
  static std::optional<ImageView> bindForTexels(Wave &wave, const Instruction &instruction, bool forWriting);

  Generation generation() const { return m_generation; }
  const ImageDescriptor &descriptor() const { return m_descriptor; }
  const TexelLayout &layout() const { return m_layout; }

  unsigned baseLevel() const { return m_descriptor.baseLevel; }
  unsigned lastLevel() const { return m_descriptor.isMultisampled() ? 0 : m_descriptor.lastLevel; }
  const LevelSize &size(unsigned level) const { return m_levels[level].size; }
  int32_t samples() const { return m_descriptor.isMultisampled() ? 1 << m_descriptor.lastLevel : 1; }

  bool contains(const TexelPlace &place) const {
    if (place.level < baseLevel() || place.level >= m_levelCount)
      return false;
    const LevelSize &size = m_levels[place.level].size;
    auto isInside = [](int32_t coordinate, int32_t end) { return uint32_t(coordinate) < uint32_t(end); };
    const bool isInView = m_descriptor.type == ImageType::Dim3D || place.slice >= int32_t(m_descriptor.baseArray);
    return isInside(place.x, size.width) && isInside(place.y, size.height) && isInside(place.slice, size.slices) &&
           isInView && isInside(place.sample, samples());
  }
  // Number of a texel among the image's texels, in the order of memory. The image must contain the place.
  size_t indexOf(const TexelPlace &place) const {
    const Level &level = m_levels[place.level];
    size_t index = (size_t(place.slice) * size_t(level.size.height) + size_t(place.y)) * size_t(level.size.width);
    index = (index + size_t(place.x)) * size_t(samples()) + size_t(place.sample);
    return level.firstTexel + index;
  }
  uint8_t *bytesOf(const TexelPlace &place) const { return &m_memory[indexOf(place) * m_layout.bytes]; }
  TexelValue texel(size_t index) const {
    if (mayMiss() && isAbsent(index)) {
      m_hasMissed = true;
      return {};
    }
    return m_texels != nullptr ? m_texels[index] : m_decoder(&m_memory[index * m_layout.bytes]);
  }
  // Decodes all texels. This pays if many are read, and some of them often.
  void decodeAll(Wave &wave) {
    if (!m_memory.empty())
      m_texels = wave.memory().texels(m_memory, m_layout);
  }
  // The decoded texels of a slice, row by row. nullptr if the view has no such slice, if texels are not decoded, or if
  // they may miss.
  const TexelValue *decodedSlice(unsigned level, int32_t slice) const {
    const Level &whole = m_levels[level];
    const bool isInView = m_descriptor.type == ImageType::Dim3D || slice >= int32_t(m_descriptor.baseArray);
    if (m_texels == nullptr || mayMiss() || !isInView || uint32_t(slice) >= uint32_t(whole.size.slices))
      return nullptr;
    return m_texels + whole.firstTexel + size_t(slice) * size_t(whole.size.height) * size_t(whole.size.width);
  }
  // Components X, Y, Z, W. Outside of the image, components with bits are 0, and the others are 0, 0, 0, 1.
  TexelValue load(const TexelPlace &place) const {
    return contains(place) ? texel(indexOf(place)) : TexelValue{0, 0, 0, m_layout.components[3].bits ? 0 : one()};
  }
  // Whether texel() has found a texel that is not resident since the last call of this function. Such a texel is 0.
  bool takeMiss() const { return std::exchange(m_hasMissed, false); }
  bool mayMiss() const { return !m_absent.empty(); }

  // DST_SEL: from components to r, g, b, a (all or one of them), and back for stores.
  uint32_t select(const TexelValue &components, unsigned index) const {
    const unsigned from = m_descriptor.dstSel[index] & 7;
    return from >= 4 ? components[from - 4] : from == 1 ? m_one : 0;
  }
  TexelValue select(const TexelValue &components) const {
    const std::array<uint32_t, 8> sources = {
        0, m_one, 0, 0, components[0], components[1], components[2], components[3]};
    TexelValue rgba;
    for (unsigned i = 0; i != 4; ++i)
      rgba[i] = sources[m_descriptor.dstSel[i] & 7];
    return rgba;
  }
  TexelValue unselect(const TexelValue &rgba) const;
  uint32_t one() const { return m_one; } // in the image's number format

private:
  struct Level {
    LevelSize size;
    size_t firstTexel = 0;
  };

  static constexpr unsigned MaxLevels = 16; // four bits of LAST_LEVEL

  static std::array<uint32_t, 8> readDescriptor(Wave &wave, const Instruction &instruction);

  bool isAbsent(size_t index) const;

  Generation m_generation = Generation::Gfx9;
  ImageDescriptor m_descriptor;
  TexelLayout m_layout;
  TexelDecoder m_decoder; // of m_layout
  uint32_t m_one = std::bit_cast<uint32_t>(1.0f);
  const TexelValue *m_texels = nullptr;
  std::array<Level, MaxLevels> m_levels;
  unsigned m_levelCount = 0;
  std::span<uint8_t> m_memory;
  std::vector<Memory::ByteRange> m_absent; // in m_memory
  mutable bool m_hasMissed = false;
};

} // namespace dovetail::emulator
