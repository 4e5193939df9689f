// SPDX-License-Identifier: MIT
//
// AMDGPU's part of the ELF format (LLVM's "User Guide for AMDGPU Backend", Code Object Format), under our own names:
// LLVM's header for it and libelf's exclude each other.
#pragma once

#include <cstdint>

namespace dovetail {

// R_AMDGPU_….
enum class ElfRelocationType : uint32_t {
  Abs32Lo = 1,
  Abs32Hi = 2,
  Abs64 = 3,
  Rel32 = 4,
  Rel64 = 5,
  Abs32 = 6,
  Rel32Lo = 10,
  Rel32Hi = 11,
  Rel16 = 14, // the 16 bits of a branch
};

constexpr unsigned MachineAmdgpu = 224; // EM_AMDGPU, which older elf.h files lack
// NT_AMDGPU_METADATA, a type of the notes of vendor "AMDGPU".
constexpr uint32_t AmdgpuMetadataNote = 32;

} // namespace dovetail
