// SPDX-License-Identifier: MIT
//
// Parts are pasted at dword granularity, because control falls from one into the next: the alignment that their object
// files asked for is ignored. Each stage starts at a multiple of 256, as program addresses must. The constants of all
// parts follow all text, so that text stays dense. Behind the last instruction comes room that instruction prefetch may
// read.
#include "merge/steps.h"
#include <algorithm>
#include <cstring>

namespace dovetail {

namespace {

constexpr uint32_t StageAlignment = 256; // SPI_SHADER_PGM_LO has the address / 256
// Cache lines that may be fetched behind the end: LLVM's AMDGPUTargetELFStreamer::EmitCodeEnd, for GFX10. Of GFX8 and
// GFX9 nothing is said (docs/hardware-facts.md).
constexpr uint32_t PrefetchBytes = 3 * 64;
constexpr uint32_t Nop = 0xbf800000; // s_nop 0; [3:0] wait states - 1

constexpr uint32_t alignTo(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

void fillWithNops(Image &image, uint32_t begin, uint32_t end) {
  for (uint32_t offset = begin; offset < end; offset += 4)
    std::memcpy(&image.code[offset], &Nop, 4);
}

} // namespace

void layOutText(Image &image) {
  // Places.
  uint32_t cursor = 0;
  for (ImageStage &stage : image.stages) {
    cursor = alignTo(cursor, StageAlignment);
    stage.entry = cursor;
    for (unsigned i = 0; i < stage.partCount; ++i) {
      ImagePart &placed = image.parts[stage.firstPart + i];
      cursor += placed.waitStates ? 4 : 0;
      placed.offset = cursor;
      cursor += placed.size;
    }
    stage.size = cursor - stage.entry;
  }
  image.textSize = cursor;
  image.constantsStart = cursor;
  bool isFirst = true;
  for (ImagePart &placed : image.parts) {
    const Part &part = *placed.part;
    if (part.constants.empty())
      continue;
    uint32_t alignment = std::max(part.constantsAlignment, 4u);
    cursor = alignTo(cursor, alignment);
    if (isFirst)
      image.constantsStart = cursor;
    isFirst = false;
    placed.constantsOffset = cursor;
    cursor += uint32_t(part.constants.size());
    image.constantsAlignment = std::max(image.constantsAlignment, alignment);
  }
  image.constantsEnd = cursor;

  // Bytes.
  image.code.resize(alignTo(std::max(cursor, image.textSize + PrefetchBytes), StageAlignment));
  uint32_t end = 0;
  for (const ImagePart &placed : image.parts) {
    uint32_t begin = placed.offset - (placed.waitStates ? 4 : 0);
    fillWithNops(image, end, begin);
    if (placed.waitStates) {
      uint32_t nop = Nop | (placed.waitStates - 1u);
      std::memcpy(&image.code[begin], &nop, 4);
    }
    if (placed.size != 0) // an empty part has no bytes to point to
      std::memcpy(&image.code[placed.offset], placed.part->code.data(), placed.size);
    end = placed.offset + placed.size;
    if (!placed.part->constants.empty())
      std::memcpy(&image.code[placed.constantsOffset], placed.part->constants.data(), placed.part->constants.size());
  }
  if (image.constantsStart == image.constantsEnd)
    fillWithNops(image, end, uint32_t(image.code.size()));
}

} // namespace dovetail
