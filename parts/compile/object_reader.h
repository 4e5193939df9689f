// SPDX-License-Identifier: MIT
//
// Reads the relocatable object file that LLVM makes of one part, once, when the part is made. Joining works on the
// plain data only.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>

namespace dovetail {

// The content of an object file, as a part needs it.
struct ObjectCode {
  std::vector<uint8_t> code;
  std::vector<uint8_t> constants; // all read-only data sections, one behind the other
  uint32_t constantsAlignment = 4;
  std::vector<Relocation> relocations;
  std::vector<LayoutRelocation> layoutRelocations; // sorted by offset
  Usage usage;
};

// The object must hold one function of the stage's calling convention. Errors: Internal for an object that LLVM did not
// make; Unsupported for contents that a part cannot hold (writable data, calls, relocation types without a
// RelocationKind), naming section or symbol.
Result<ObjectCode> readObject(std::span<const uint8_t> elf, HardwareStage stage);

} // namespace dovetail
