// SPDX-License-Identifier: MIT
//
// The PAL pipeline ELF of an image, made on demand, and what a driver finds in one.
#pragma once

#include "merge/image.h"
#include "parts/compile/line_table.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// A complete ELF file in memory: .text, PAL metadata in .note, a global symbol per hardware stage (_amdgpu_vs_main), a
// local one per part (vs.vertex_prolog) and an object symbol per part's constants. `lines`: where code comes from
// (variants/assemble/source_lines.h), for DWARF's line tables (debug_lines.h); without them the file has none.
// Thread-safe. Errors: Io with libelf's or the system's reason.
Result<std::vector<uint8_t>> writePalElf(const Image &image, std::span<const CodeLine> lines = {});

// The image as a driver needs it, from what PAL's metadata, registers and symbols say: code, registers, where programs
// and their parts begin, what goes into user SGPRs, scratch, the sizes of groups and rings. What only joining and
// checking know of parts (keys, contracts) is not in the file: the parts have their kind, code and constants, and main
// parts of their interface what the metadata says. Any bytes are safe to read. Thread-safe. Errors: InvalidInput for
// what is no pipeline ELF for a GPU that is known here, or is damaged, with what is missing.
Result<ImageRef> readPalElf(std::span<const uint8_t> elf);

} // namespace dovetail
