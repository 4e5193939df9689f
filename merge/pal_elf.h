// SPDX-License-Identifier: MIT
//
// The PAL pipeline ELF of an image, made on demand.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include <cstdint>
#include <vector>

namespace dovetail {

// A complete ELF file in memory: .text, PAL metadata in .note, a global symbol per hardware stage (_amdgpu_vs_main), a
// local one per part (vs.vertex_prolog) and an object symbol per part's constants. Thread-safe. Errors: Io with
// libelf's or the system's reason.
Result<std::vector<uint8_t>> writePalElf(const Image &image);

} // namespace dovetail
