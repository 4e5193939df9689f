// SPDX-License-Identifier: MIT
//
// ImageView: a T# together with the memory that it describes, addressed by level, x, y, slice and sample.
#pragma once

#include "tools/emulator/image/image_descriptor.h"
#include "tools/emulator/wave/wave.h"
#include "tools/scene/texel.h"
#include <optional>
#include <span>
#include <vector>

namespace dovetail::emulator {

struct LevelSize {
  int32_t width = 1, height = 1;
  int32_t slices = 1; // 3D: depth; otherwise slices up to the last one of the view
};

// Where a texel is. `slice` counts the slices of the resource, or z of 3D images.
struct TexelPlace {
  unsigned level = 0; // of the resource
  int32_t x = 0, y = 0, slice = 0;
  int32_t sample = 0;
};

class ImageView {
public:
  // Reads the T# in SGPRs srsrc.. and finds its memory. Nothing if the wave has trapped: BadDescriptor, Unsupported,
  // MemoryOutOfBounds.
  static std::optional<ImageView> bind(Wave &wave, const Instruction &instruction, bool forWriting);
  // The same for accesses to single texels: those of a null descriptor (eight zeros) are 0, and GFX8 takes no cubes.
  static std::optional<ImageView> bindForTexels(Wave &wave, const Instruction &instruction, bool forWriting);

  Generation generation() const { return m_generation; }
  const ImageDescriptor &descriptor() const { return m_descriptor; }
  const TexelLayout &layout() const { return m_layout; }

  unsigned baseLevel() const { return m_descriptor.baseLevel; }
  unsigned lastLevel() const { return m_descriptor.isMultisampled() ? 0 : m_descriptor.lastLevel; }
  LevelSize size(unsigned level) const { return m_levels[level].size; }
  int32_t samples() const { return m_descriptor.isMultisampled() ? 1 << m_descriptor.lastLevel : 1; }

  bool contains(const TexelPlace &place) const;
  // The texel's bytes. The place must be contained.
  uint8_t *bytesOf(const TexelPlace &place) const;
  // Components X, Y, Z, W. Outside of the image all that have bits are 0, and those that have none are 0, 0, 0, 1.
  TexelValue load(const TexelPlace &place) const;

  // DST_SEL: from components to r, g, b, a, and back for stores.
  TexelValue select(const TexelValue &components) const;
  TexelValue unselect(const TexelValue &rgba) const;
  uint32_t one() const; // in the image's number format

private:
  struct Level {
    LevelSize size;
    size_t offset = 0;
  };

  static std::array<uint32_t, 8> readDescriptor(Wave &wave, const Instruction &instruction);

  Generation m_generation = Generation::Gfx9;
  ImageDescriptor m_descriptor;
  TexelLayout m_layout;
  std::vector<Level> m_levels;
  std::span<uint8_t> m_memory;
};

} // namespace dovetail::emulator
