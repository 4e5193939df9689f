// SPDX-License-Identifier: MIT
//
// Gives text and constants their places. Control falls from one part into the next, so parts follow each other without
// gaps, at dword granularity: the alignment that their object files asked for is ignored. Each stage starts at a
// multiple of 256, as program addresses must. The constants of all parts follow all text, so that text stays dense.
// Behind the last instruction comes room that instruction prefetch may read.
#include "merge/steps.h"
#include <algorithm>
#include <array>

namespace dovetail {

namespace {

constexpr uint32_t StageAlignment = 256; // SPI_SHADER_PGM_LO has the address / 256
// Cache lines that may be fetched behind the end: LLVM's AMDGPUTargetELFStreamer::EmitCodeEnd, for GFX10. No source
// states it for GFX8 and GFX9 (docs/hardware-facts.md).
constexpr uint32_t PrefetchBytes = 3 * 64;
constexpr std::array<uint8_t, 4> Nop = {0, 0, 0x80, 0xbf}; // s_nop 0; the first byte has the wait states - 1

constexpr uint32_t alignTo(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Longer than any gap between two programs or behind the last program.
constexpr auto Nops = [] {
  std::array<uint8_t, 2 *StageAlignment> nops = {};
  for (size_t i = 0; i < nops.size(); ++i)
    nops[i] = Nop[i % 4];
  return nops;
}();
static_assert(Nops.size() >= PrefetchBytes + StageAlignment);

} // namespace

void layOutText(Image &image) {
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
}

uint32_t codeBytes(const Image &image) {
  return alignTo(std::max(image.constantsEnd, image.textSize + PrefetchBytes), StageAlignment);
}

// Writes the bytes in ascending order, each byte once.
void copyText(Image &image) {
  const uint32_t end = codeBytes(image);
  image.code.resize(end); // not cleared
  uint8_t *const code = image.code.data();
  uint32_t cursor = 0;
  auto append = [&](std::span<const uint8_t> bytes) {
    std::copy_n(bytes.data(), bytes.size(), code + cursor);
    cursor += uint32_t(bytes.size());
  };
  auto appendNopsUpTo = [&](uint32_t place) { append(std::span(Nops).first(place - cursor)); };
  auto clearUpTo = [&](uint32_t place) {
    std::fill(code + cursor, code + place, uint8_t(0));
    cursor = place;
  };
  for (const ImagePart &placed : image.parts) {
    appendNopsUpTo(placed.offset);
    if (placed.waitStates)
      code[placed.offset - 4] |= placed.waitStates - 1;
    append(placed.part->code);
  }
  if (image.constantsStart == image.constantsEnd) {
    appendNopsUpTo(end);
    return;
  }
  for (const ImagePart &placed : image.parts) {
    if (placed.part->constants.empty())
      continue;
    clearUpTo(placed.constantsOffset);
    append(placed.part->constants);
  }
  clearUpTo(end);
}

} // namespace dovetail
