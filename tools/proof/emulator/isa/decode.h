// SPDX-License-Identifier: MIT
//
// Decoding of GFX8 and GFX9 machine code: the bit fields of all microcode formats, as in the "Vega" ISA manual, chapter
// 13.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <span>

namespace dovetail::emulator {

// Decodes the instruction at the start of the bytes, which lie at `address`. The opcode is null if the table lacks it.
// The size is 0 if the bytes are cut short or have no known format.
Instruction decode(InstructionSet set, uint64_t address, std::span<const uint8_t> bytes);

std::string_view formatName(Format format);

} // namespace dovetail::emulator
