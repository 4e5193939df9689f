// SPDX-License-Identifier: MIT
//
// A part as a relocatable ELF file and back: what an unlinked shader or a piece of glue is outside of this process.
//
//   .text, .rodata   code and constants
//   .rela.text       distances to both, and undefined symbols for what the join fills in: link constants
//                    (src/abi/interface/link_constant.h), layout constants (src/abi/interface/layout_constant.h;
//                    LayoutFieldPrefix in front: the field is that of a scalar load's offset), SecondHalfSymbol
//   .note            vendor DovetailVendor, type PartNote: the version of the toolchain, then the rest of the part
//                    (parts/part_bytes.h): key, contract, usage, interface, hazards
//   .symtab          one function: _amdgpu_vs_main and the like for what an API shader became, otherwise the kind's
//   name
#pragma once

#include "parts/elf/elf_file.h"
#include "parts/part.h"
#include "src/abi/target_info.h"

namespace dovetail {

constexpr std::string_view DovetailVendor = "Dovetail";
constexpr uint32_t PartNote = 1;
constexpr std::string_view SecondHalfSymbol = "dovetail.second_half";

ElfFile partElf(const Part &part, const TargetInfo &target);

// The hash in the key of a part that was made from these fields, as kinds/key_bytes.h computes it.
Hash128 hashOfKeyFields(std::span<const uint8_t> keyFields);

// What partElf() was made of, with everything in its order, but for how long it took to make. Any file is safe to read.
// Errors: InvalidInput if the file is no part, one of another toolchain, or damaged.
Result<Part> partOf(const ElfFile &file);

} // namespace dovetail
