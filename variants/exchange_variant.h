// SPDX-License-Identifier: MIT
//
// Variants as bytes that leave the process: a variant's parts, to be joined elsewhere, or its pipeline ELF, to be drawn
// with as it is.
#pragma once

#include "src/base/error.h"
#include "variants/variant.h"
#include <span>
#include <vector>

namespace dovetail {

// The parts of a variant except for first code, for Device::importParts(). With those of a joined variant, a process
// compiles nothing to make the variant again. With those of a monolithic one, it saves only code generation: the
// shaders must be lowered, because the parts are found by what their shaders read. Thread-safe. Errors: InvalidInput
// for a variant that was read from a file, because its parts have no keys.
Result<std::vector<uint8_t>> exportParts(const Variant &variant);

// Makes a variant of an ELF file that writePalElf() wrote, with what readPalElf() finds in it. Its key is the hash of
// the file. Thread-safe. Errors: those of readPalElf().
Result<VariantRef> readVariant(std::span<const uint8_t> elf);

} // namespace dovetail
