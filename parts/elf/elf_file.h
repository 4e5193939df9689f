// SPDX-License-Identifier: MIT
//
// ElfFile: an ELF file that Dovetail writes, as plain data: code, read-only data, notes, symbols, and relocations of
// the code. Parts (part_elf.h) and finished images (merge/elf/pal_elf.h) are written and read in this form.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

enum class ElfPlace : uint8_t { Undefined, Text, Constants };

struct ElfSymbol {
  std::string name;
  ElfPlace place = ElfPlace::Text;
  bool isGlobal = false;
  bool isFunction = true; // otherwise data
  uint64_t value = 0;     // from the start of its section
  uint64_t size = 0;

  bool operator==(const ElfSymbol &) const = default;
};

// A field of the code.
struct ElfRelocation {
  uint64_t offset = 0;
  RelocationKind kind = RelocationKind::Abs32;
  // The index of the symbol; nothing: the start of the section `place`.
  std::optional<uint32_t> symbol;
  ElfPlace place = ElfPlace::Text;
  int64_t addend = 0;

  bool operator==(const ElfRelocation &) const = default;
};

struct ElfNote {
  std::string vendor;
  uint32_t type = 0;
  std::vector<uint8_t> bytes;

  bool operator==(const ElfNote &) const = default;
};

// A section for debuggers, which is not loaded.
struct ElfDebugSection {
  std::string name; // ".debug_line"
  std::vector<uint8_t> bytes;

  bool operator==(const ElfDebugSection &) const = default;
};

// AMDGPU's part of the format (LLVM's "User Guide for AMDGPU Backend"). LLVM's header for it and libelf's exclude each
// other.
constexpr unsigned MachineAmdgpu = 224; // EM_AMDGPU, which older elf.h files lack
constexpr std::string_view AmdgpuVendor = "AMDGPU";
constexpr uint32_t AmdgpuMetadataNote = 32; // NT_AMDGPU_METADATA, a type of the vendor's notes

struct ElfFile {
  uint32_t machine = 0; // e_flags: EF_AMDGPU_MACH
  std::vector<uint8_t> text;
  uint64_t textAlignment = 256;
  std::vector<uint8_t> constants; // empty: the file has no section for them
  uint64_t constantsAlignment = 4;
  std::vector<ElfNote> notes;
  std::vector<ElfSymbol> symbols; // local ones first
  std::vector<ElfRelocation> relocations;
  std::vector<ElfDebugSection> debugSections;

  bool operator==(const ElfFile &) const = default;

  // nullptr: there is none.
  const ElfNote *findNote(std::string_view vendor, uint32_t type) const;
};

// A complete relocatable file in memory. Errors: Io with libelf's or the system's reason.
Result<std::vector<uint8_t>> writeElf(const ElfFile &file);

// Reads a file. A file that writeElf() wrote comes back equal, but without debug sections. Several sections of
// constants become one. Any bytes are safe to read. Errors: InvalidInput, naming the section, if the file is no
// relocatable file for AMDGPUs, is damaged, or has something that an ElfFile does not have.
Result<ElfFile> readElf(std::span<const uint8_t> bytes);

} // namespace dovetail
