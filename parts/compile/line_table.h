// SPDX-License-Identifier: MIT
//
// Reads the table of lines in an object file's debug information.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dovetail {

// The line of the code from this offset up to the next row.
struct CodeLine {
  uint32_t offset = 0; // bytes
  std::string file;    // "": it comes from nowhere in particular
  uint32_t line = 0;

  bool operator==(const CodeLine &) const = default;
};

// Sorted by offset; rows that repeat the row before are left out. Empty for an object without debug information.
// Errors: InvalidInput for bytes that are no object file.
Result<std::vector<CodeLine>> readLineTable(std::span<const uint8_t> elf);

} // namespace dovetail
