// SPDX-License-Identifier: MIT
//
// Debuggers, profilers and llvm-symbolizer need to know which source line each instruction of a pipeline ELF comes
// from. This file writes that as DWARF's line tables (version 4 of the standard, sections 6.2 and 7).
#pragma once

#include "merge/image.h"
#include "parts/compile/line_table.h"
#include "parts/elf/elf_file.h"
#include <span>
#include <vector>

namespace dovetail {

// Returns .debug_abbrev, .debug_info with one unit for the whole text, and .debug_line with a sequence for each part
// that has lines. `lines`: rows with offsets in the image, sorted; without rows, no sections are returned. Addresses
// are offsets in .text.
std::vector<ElfDebugSection> makeDebugLines(const Image &image, std::span<const CodeLine> lines);

} // namespace dovetail
