// SPDX-License-Identifier: MIT
//
// Texels lie level by level, in each level slice by slice, row by row, sample by sample, without padding. The memory of
// a view begins at slice 0 and ends with the resource; BASE_ARRAY and BASE_LEVEL only limit the addresses.
// Sources: Mesa, radv_image.c, si_make_texture_descriptor, for the meaning of DEPTH, LAST_ARRAY and the levels in
// views; LLPC, ImageBuilder.cpp, for cubes.
#include "tools/proof/emulator/image/image_view.h"
#include "tools/proof/emulator/image/fmask.h"
#include "tools/proof/emulator/image/image_format.h"
#include <algorithm>
#include <bit>

namespace dovetail::emulator {

namespace {

// GFX8 also counts the layers of an array in DEPTH; for an array of cubes, it counts the cubes.
int32_t sliceCount(Generation generation, const ImageDescriptor &descriptor) {
  if (generation == Generation::Gfx9)
    return int32_t(descriptor.lastArray + 1);
  const uint32_t depth = descriptor.depthMinusOne + 1;
  return int32_t(std::min(descriptor.lastArray + 1, descriptor.type == ImageType::Cube ? 6 * depth : depth));
}

} // namespace

std::array<uint32_t, 8> ImageView::readDescriptor(Wave &wave, const Instruction &instruction) {
  // An instruction without lanes uses no descriptor. It gets the descriptor of a 2D image with one texel of four bytes.
  constexpr std::array<uint32_t, 8> unused = {0, 10u << 20, 0, 9u << 28 | 0xfac};
  if (wave.exec() == 0)
    return unused;
  std::array<uint32_t, 8> words = {};
  for (unsigned i = 0; i != (instruction.r128 ? 4 : 8); ++i)
    words[i] = wave.readSgpr(instruction.srsrc + i);
  return words;
}

// For GFX8, LLPC's ImageBuilder::patchCubeDescriptor makes an array of faces of a cube; the effect of a cube is not
// known. Null descriptors are Vulkan's (nullDescriptor), and the FMASK of images without one.
std::optional<ImageView> ImageView::bindForTexels(Wave &wave, const Instruction &instruction, bool forWriting) {
  const std::array<uint32_t, 8> words = readDescriptor(wave, instruction);
  if (wave.trapped())
    return std::nullopt;
  if (words == std::array<uint32_t, 8>()) {
    ImageView null;
    null.m_descriptor.dstSel = {};
    return null;
  }
  if (wave.generation() == Generation::Gfx8 &&
      decodeImageDescriptor(wave.generation(), words).type == ImageType::Cube) {
    wave.trap(TrapKind::BadDescriptor, "T# in s{} is a cube, whose texels GFX8 accesses as an array of faces",
              instruction.srsrc);
    return std::nullopt;
  }
  return bind(wave, instruction, forWriting);
}

std::optional<ImageView> ImageView::bind(Wave &wave, const Instruction &instruction, bool forWriting) {
  const std::array<uint32_t, 8> words = readDescriptor(wave, instruction);
  if (wave.trapped())
    return std::nullopt;
  if (!wave.facts().knowsImages) {
    wave.trap(TrapKind::Unsupported, "images of this generation");
    return std::nullopt;
  }

  ImageView view;
  view.m_generation = wave.generation();
  view.m_descriptor = decodeImageDescriptor(wave.generation(), words);
  const ImageDescriptor &descriptor = view.m_descriptor;
  if (descriptor.type < ImageType::Dim1D) {
    wave.trap(TrapKind::BadDescriptor, "T# in s{} is of type {}, no image", instruction.srsrc,
              unsigned(descriptor.type));
    return std::nullopt;
  }
  if (descriptor.swizzleMode != 0) {
    wave.trap(TrapKind::Unsupported, "T# in s{} has swizzle mode {}", instruction.srsrc, descriptor.swizzleMode);
    return std::nullopt;
  }
  if (!descriptor.isMultisampled() && descriptor.baseLevel > descriptor.lastLevel) {
    wave.trap(TrapKind::BadDescriptor, "T# in s{} has base level {} behind last level {}", instruction.srsrc,
              descriptor.baseLevel, descriptor.lastLevel);
    return std::nullopt;
  }
  std::optional<TexelLayout> layout = fmaskLayout(wave.generation(), descriptor.dataFormat, descriptor.numFormat);
  if (!layout)
    layout = imageTexelLayout(descriptor.dataFormat, descriptor.numFormat);
  if (!layout) {
    wave.trap(TrapKind::Unsupported, "T# in s{} has data format {} with number format {}", instruction.srsrc,
              descriptor.dataFormat, descriptor.numFormat);
    return std::nullopt;
  }
  view.m_layout = *layout;
  view.m_decoder = TexelDecoder(*layout);
  if (layout->isInteger())
    view.m_one = 1;

  size_t texels = 0;
  for (unsigned level = 0; level <= view.lastLevel(); ++level) {
    LevelSize size;
    size.width = int32_t(std::max((descriptor.widthMinusOne + 1) >> level, 1u));
    size.height = int32_t(std::max((descriptor.heightMinusOne + 1) >> level, 1u));
    size.slices = int32_t(descriptor.type == ImageType::Dim3D ? std::max((descriptor.depthMinusOne + 1) >> level, 1u)
                                                              : sliceCount(wave.generation(), descriptor));
    view.m_levels[view.m_levelCount++] = {size, texels};
    texels += size_t(size.width) * size_t(size.height) * size_t(size.slices) * size_t(view.samples());
  }
  const size_t bytes = texels * layout->bytes;
  if (bytes > UINT32_MAX) {
    wave.trap(TrapKind::BadDescriptor, "T# in s{} describes {} bytes", instruction.srsrc, bytes);
    return std::nullopt;
  }
  // An instruction without lanes touches no memory.
  if (wave.exec() != 0) {
    view.m_memory = wave.global(descriptor.address, unsigned(bytes), forWriting);
    if (wave.trapped())
      return std::nullopt;
    view.m_absent = wave.memory().absent(descriptor.address, bytes);
  }
  return view;
}

bool ImageView::isAbsent(size_t index) const {
  const uint64_t begin = uint64_t(index) * m_layout.bytes;
  return std::ranges::any_of(m_absent, [&](const Memory::ByteRange &range) {
    return range.begin < begin + m_layout.bytes && begin < range.end;
  });
}

TexelValue ImageView::unselect(const TexelValue &rgba) const {
  TexelValue components = {};
  for (unsigned i = 4; i-- != 0;)
    if (uint32_t select = m_descriptor.dstSel[i]; select >= 4)
      components[select - 4] = rgba[i];
  return components;
}

} // namespace dovetail::emulator
