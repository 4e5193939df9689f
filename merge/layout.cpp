// SPDX-License-Identifier: MIT
//
// Parts are pasted at dword granularity, because control falls from one into the next: the alignment that their object
// files asked for is ignored. Each stage starts at a multiple of 256, as program addresses must. The constants of all
// parts follow all text, so that text stays dense. Behind the last instruction comes room that instruction prefetch may
// read.
#include "merge/steps.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

constexpr uint32_t StageAlignment = 256; // SPI_SHADER_PGM_LO has the address / 256
// Cache lines that may be fetched behind the end: LLVM's AMDGPUTargetELFStreamer::EmitCodeEnd, for GFX10. Of GFX8 and
// GFX9 nothing is said (docs/hardware-facts.md).
constexpr uint32_t PrefetchBytes = 3 * 64;
constexpr std::array<uint8_t, 4> Nop = {0, 0, 0x80, 0xbf}; // s_nop 0; the first byte has the wait states - 1

constexpr uint32_t alignTo(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// More than between two programs, or behind the last one.
constexpr auto Nops = [] {
  std::array<uint8_t, 2 *StageAlignment> nops = {};
  for (size_t i = 0; i < nops.size(); ++i)
    nops[i] = Nop[i % 4];
  return nops;
}();
static_assert(Nops.size() >= PrefetchBytes + StageAlignment);

void append(std::vector<uint8_t> &code, std::span<const uint8_t> bytes) {
  code.insert(code.end(), bytes.begin(), bytes.end());
}

void appendNopsUpTo(std::vector<uint8_t> &code, uint32_t end) {
  append(code, std::span(Nops).first(end - code.size()));
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

  // Bytes, one behind the other, so that none is written twice.
  std::vector<uint8_t> &code = image.code;
  const uint32_t end = alignTo(std::max(cursor, image.textSize + PrefetchBytes), StageAlignment);
  code.reserve(end);
  for (const ImagePart &placed : image.parts) {
    appendNopsUpTo(code, placed.offset - (placed.waitStates ? 4 : 0));
    if (placed.waitStates) {
      append(code, Nop);
      code[placed.offset - 4] |= placed.waitStates - 1;
    }
    append(code, placed.part->code);
  }
  if (image.constantsStart == image.constantsEnd) {
    appendNopsUpTo(code, end);
    return;
  }
  for (const ImagePart &placed : image.parts) {
    if (placed.part->constants.empty())
      continue;
    code.resize(placed.constantsOffset);
    append(code, placed.part->constants);
  }
  code.resize(end);
}

} // namespace dovetail
