// SPDX-License-Identifier: MIT
//
// Writes an image as a PAL pipeline ELF, on demand, and reads such a file as a driver does.
#pragma once

#include "merge/image.h"
#include "parts/compile/line_table.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Returns a complete ELF file in memory: .text, PAL metadata in .note, a global symbol per hardware stage
// (_amdgpu_vs_main), a local symbol per part (vs.vertex_prolog) and an object symbol per part's constants. `lines`: the
// source lines of the code (variants/assemble/source_lines.h), for DWARF's line tables (debug_lines.h); without them
// the file has no such tables. Thread-safe. Errors: Io with libelf's or the system's reason.
Result<std::vector<uint8_t>> writePalElf(const Image &image, std::span<const CodeLine> lines = {});

// Returns the image as a driver needs it, from PAL's metadata, registers and symbols: code, registers, where programs
// and their parts begin, the contents of user SGPRs, scratch, the sizes of groups and rings. The file does not have
// what only joining and checking need of parts (keys, contracts). Parts get their kind, code and constants, and main
// parts get the interface that the metadata describes. Any bytes are safe to read. Thread-safe. Errors: InvalidInput,
// with what is missing, for bytes that are damaged, are no pipeline ELF, or are for an unknown GPU.
Result<ImageRef> readPalElf(std::span<const uint8_t> elf);

} // namespace dovetail
