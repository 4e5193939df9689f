// SPDX-License-Identifier: MIT
//
// DWARF's tables of which line each instruction comes from (version 4 of the standard, sections 6.2 and 7), so that
// debuggers, profilers and llvm-symbolizer find lines of a pipeline ELF.
#pragma once

#include "merge/image.h"
#include "parts/compile/line_table.h"
#include "parts/elf/elf_file.h"
#include <span>
#include <vector>

namespace dovetail {

// .debug_abbrev, .debug_info with one unit for the whole text, and .debug_line with a sequence for each part that has
// lines. `lines`: rows with offsets in the image, sorted; empty: there are no sections. Addresses are offsets in .text.
std::vector<ElfDebugSection> makeDebugLines(const Image &image, std::span<const CodeLine> lines);

} // namespace dovetail
