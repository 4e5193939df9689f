// SPDX-License-Identifier: MIT
//
// Variants as bytes that leave the process: the parts of one, to be joined elsewhere, or its pipeline ELF, to be drawn
// with as it is.
#pragma once

#include "src/base/error.h"
#include "variants/variant.h"
#include <span>
#include <vector>

namespace dovetail {

// The parts of a variant, for Device::importParts(). Who has those of a joined variant compiles nothing to make it
// again; of a monolithic one, only code generation is spared: its parts are found by what their shaders read, which
// takes lowering them. Thread-safe. Errors: InvalidInput for a variant that was read from a file, whose parts have no
// keys.
Result<std::vector<uint8_t>> exportParts(const Variant &variant);

// What writePalElf() wrote of a variant's image, as a variant: with what readPalElf() finds. Its key is the hash of the
// file. Thread-safe. Errors: those of readPalElf().
Result<VariantRef> readVariant(std::span<const uint8_t> elf);

} // namespace dovetail
