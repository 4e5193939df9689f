// SPDX-License-Identifier: MIT
//
// Code and contracts as text, as the tools and the C API show them.
#pragma once

#include "src/abi/value.h"
#include "src/mc/disassembler.h"
#include <optional>
#include <string>
#include <vector>

namespace dovetail {

struct AssemblyLine {
  uint32_t offset = 0; // bytes, as given to disassemble()
  uint32_t size = 0;
  std::string text; // "v_mov_b32_e32 v0, s3"
  std::optional<uint32_t> branchTarget;
};

// The instructions of text[begin, end). Errors: InvalidInput for bytes that are no instruction.
Result<std::vector<AssemblyLine>> disassemble(mc::Disassembler &disassembler, std::span<const uint8_t> text,
                                              uint32_t begin, uint32_t end);

// "000010  s_branch 4  ; to 000024", one line for each instruction.
std::string printLines(const std::vector<AssemblyLine> &lines);

// "v6 attr3.x".
std::string printBinding(const Binding &binding);

} // namespace dovetail
