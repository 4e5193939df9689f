// SPDX-License-Identifier: MIT
//
// Writes instructions as LLVM's assembler reads them, from their operands.
#pragma once

#include "src/isa/encoder.h"
#include "src/isa/opcode_rows.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <span>
#include <string>

namespace dovetail::test {

inline std::string rangeName(const char *file, unsigned first, unsigned dwords) {
  if (dwords == 1)
    return file + std::to_string(first);
  return file + ("[" + std::to_string(first)) + ":" + std::to_string(first + dwords - 1) + "]";
}

inline std::string nameOf(isa::Operand operand, unsigned dwords) {
  if (operand.isVgpr())
    return rangeName("v", operand.code - 256u, dwords);
  if (operand == isa::VccLo)
    return dwords == 2 ? "vcc" : "vcc_lo";
  if (operand == isa::VccHi)
    return "vcc_hi";
  if (operand == isa::Exec)
    return dwords == 2 ? "exec" : "exec_lo";
  if (operand == isa::ExecHi)
    return "exec_hi";
  if (operand == isa::M0)
    return "m0";
  if (operand == isa::Scc)
    return "src_scc";
  if (operand.isLiteral())
    return fmt::format("{:#x}", operand.literal);
  if (operand.code >= 128 && operand.code <= 192)
    return std::to_string(operand.code - 128);
  if (operand.code > 192 && operand.code <= 208)
    return std::to_string(192 - operand.code);
  REQUIRE(operand.code < 102);
  return rangeName("s", operand.code, dwords);
}

// Writes "mnemonic a, b, c".
class InstructionText {
public:
  explicit InstructionText(std::string mnemonic) : m_text(std::move(mnemonic)) {}
  InstructionText &operand(isa::Operand operand, unsigned dwords = 1) { return word(nameOf(operand, dwords)); }
  InstructionText &operands(const isa::OpcodeRow &row, std::span<const isa::Operand> sources) {
    for (size_t i = 0; i < sources.size(); ++i)
      operand(sources[i], row.sourceDwords[i]);
    return *this;
  }
  InstructionText &word(const std::string &text) {
    m_text += (m_isFirst ? " " : ", ") + text;
    m_isFirst = false;
    return *this;
  }
  InstructionText &flag(bool isSet, const std::string &text) {
    if (isSet)
      m_text += " " + text;
    return *this;
  }
  operator std::string() const { return m_text; }

private:
  std::string m_text;
  bool m_isFirst = true;
};

} // namespace dovetail::test
