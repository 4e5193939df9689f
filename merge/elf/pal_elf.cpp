// SPDX-License-Identifier: MIT
#include "merge/elf/pal_elf.h"
#include "merge/elf/debug_lines.h"
#include "merge/image_metadata.h"
#include "parts/elf/elf_file.h"
#include <algorithm>

namespace dovetail {

namespace {

// ELF asks for local symbols first: one per part, and one per part's constants. The entry points follow.
std::vector<ElfSymbol> makeSymbols(const Image &image) {
  std::vector<ElfSymbol> symbols;
  for (const ImagePart &placed : image.parts) {
    const std::string name = partSymbol(image, placed);
    symbols.push_back({.name = name, .value = placed.offset, .size = placed.size});
    if (!placed.part->constants.empty())
      symbols.push_back({.name = name + ".constants",
                         .isFunction = false,
                         .value = placed.constantsOffset,
                         .size = placed.part->constants.size()});
  }
  for (const ImageStage &stage : image.stages)
    symbols.push_back(
        {.name = palEntrySymbol(stage.stage), .isGlobal = true, .value = stage.entry, .size = stage.size});
  return symbols;
}

} // namespace

Result<std::vector<uint8_t>> writePalElf(const Image &image, std::span<const CodeLine> lines) {
  constexpr uint64_t textAlignment = 256;
  ElfFile file;
  file.machine = image.elfMachine;
  file.text.assign(image.code.begin(), image.code.end());
  file.textAlignment = std::max<uint64_t>(textAlignment, image.constantsAlignment);
  file.notes.push_back({std::string(AmdgpuVendor), AmdgpuMetadataNote, encodePalMetadata(makePalMetadata(image))});
  file.symbols = makeSymbols(image);
  for (const LoadRelocation &relocation : image.loadRelocations)
    file.relocations.push_back({relocation.offset, relocation.kind, std::nullopt, ElfPlace::Text, relocation.target});
  file.debugSections = makeDebugLines(image, lines);
  return writeElf(file);
}

} // namespace dovetail
