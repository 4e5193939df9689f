// SPDX-License-Identifier: MIT
//
// A part's code as text, for tests that look for instructions.
#pragma once

#include "parts/part.h"
#include "src/mc/disassembler.h"
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace dovetail {

// One line per instruction.
inline std::vector<std::string> linesOf(const Part &part, std::string_view gpuName = "gfx900") {
  mc::Disassembler::Lease disassembler = std::move(mc::Disassembler::forGpu(gpuName).value());
  std::vector<std::string> lines;
  for (uint32_t offset = 0; offset < part.code.size();) {
    Result<isa::Instruction> instruction = disassembler->decode(part.code, offset);
    REQUIRE(instruction.has_value());
    lines.push_back(disassembler->print(part.code, offset).value());
    offset += instruction->size;
  }
  return lines;
}

inline std::string textOf(const Part &part, std::string_view gpuName = "gfx900") {
  std::string text;
  for (const std::string &line : linesOf(part, gpuName))
    text += line + "\n";
  return text;
}

// The number of lines with `needle`.
inline unsigned countLines(const Part &part, std::string_view needle) {
  unsigned count = 0;
  for (const std::string &line : linesOf(part))
    count += line.find(needle) != std::string::npos;
  return count;
}

} // namespace dovetail
