// SPDX-License-Identifier: MIT
//
// The table of lines in an object file's debug information.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

// From this offset on, up to the next row, code comes from this line.
struct CodeLine {
  uint32_t offset = 0; // bytes
  std::string file;    // "": it comes from nowhere in particular
  uint32_t line = 0;

  bool operator==(const CodeLine &) const = default;
};

// Sorted by offset, and without rows that say what the one before says. Empty for an object without debug information.
// Errors: InvalidInput for what is no object file.
Result<std::vector<CodeLine>> readLineTable(std::span<const uint8_t> elf);

} // namespace dovetail
