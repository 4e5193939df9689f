// SPDX-License-Identifier: MIT
//
// A part as a relocatable ELF file and back. Unlinked shaders and pieces of glue have this form outside of this
// process.
//
//   .text, .rodata   code and constants
//   .rela.text       distances to both, and undefined symbols for the values that the join fills in: link constants
//                    (src/abi/interface/link_constant.h), layout constants (src/abi/interface/layout_constant.h;
//                    LayoutFieldPrefix in front: the field is that of a scalar load's offset), SecondHalfSymbol
//   .note            vendor DovetailVendor, type PartNote: the version of the toolchain, then the rest of the part
//                    (parts/part_bytes.h): key, contract, usage, interface, hazards
//   .symtab          one function: _amdgpu_vs_main and the like for main and monolithic parts, otherwise the
//                    kind's name
#pragma once

#include "parts/elf/elf_file.h"
#include "parts/part.h"
#include "src/abi/target_info.h"

namespace dovetail {

constexpr std::string_view DovetailVendor = "Dovetail";
constexpr uint32_t PartNote = 1;
constexpr std::string_view SecondHalfSymbol = "dovetail.second_half";

ElfFile partElf(const Part &part, const TargetInfo &target);

// The hash in the key of a part with these key fields, as kinds/key_bytes.h computes it.
Hash128 hashOfKeyFields(std::span<const uint8_t> keyFields);

// The part that partElf() made the file of, equal but for its build time. Any file is safe to read. Errors:
// InvalidInput if the file is no part, one of another toolchain, or damaged.
Result<Part> partOf(const ElfFile &file);

} // namespace dovetail
