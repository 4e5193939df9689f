// SPDX-License-Identifier: MIT
//
// What the encoder's files have in common. They are inline because encoding is on the path of a draw.
#pragma once

#include "src/abi/target_info.h"
#include "src/isa/encoder.h"
#include "src/isa/encoding.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace dovetail::isa {

namespace detail {
// The register behind the numbered ones that an operand's code below 256 names ("Vega" ISA manual, section 5.2).
// `count` is 0 for constants.
struct SpecialRegister {
  RegisterFile file = RegisterFile::Other;
  uint8_t first = 0, count = 0;
};
constexpr auto SpecialRegisters = [] {
  std::array<SpecialRegister, 256> registers = {};
  for (uint8_t half = 0; half < 2; ++half) {
    registers[102 + half] = {RegisterFile::FlatScratch, half, uint8_t(2 - half)};
    registers[104 + half] = {RegisterFile::XnackMask, half, uint8_t(2 - half)};
    registers[VccLo.code + half] = {RegisterFile::Vcc, half, uint8_t(2 - half)};
    registers[Exec.code + half] = {RegisterFile::Exec, half, uint8_t(2 - half)};
  }
  registers[M0.code] = {RegisterFile::M0, 0, 1};
  registers[251] = {RegisterFile::Vccz, 0, 1};
  registers[252] = {RegisterFile::Execz, 0, 1};
  registers[Scc.code] = {RegisterFile::Scc, 0, 1};
  return registers;
}();
} // namespace detail

inline Instruction &Encoder::append(const OpcodeRow &row, uint32_t word) {
  assert(row.exists(m_isGfx9));
  Instruction &instruction = m_instructions.emplace_back();
  instruction.offset = offset();
  instruction.size = 4;
  instruction.encoding = row.encoding;
  instruction.flags =
      flagsOf(row.encoding) | (row.is(traits::Loads) ? Load : 0u) | (row.is(traits::Stores) ? Store : 0u);
  instruction.mnemonic = row.mnemonic(m_isGfx9);
  m_words.push_back(word);
  return instruction;
}

inline void Encoder::appendWord(Instruction &instruction, uint32_t word) {
  m_words.push_back(word);
  instruction.size += 4;
}

// Adds the registers of an operand; constants have none.
template <typename List> void Encoder::addScalar(List &list, Operand operand, unsigned dwords, bool tied) {
  if (operand.code < NumberedSgprs) {
    const uint16_t end = uint16_t(operand.code + dwords);
    assert(end <= NumberedSgprs);
    m_use.numberedSgprs = std::max(m_use.numberedSgprs, end);
    list.push_back({RegisterFile::Sgpr, operand.code, uint16_t(dwords), false, tied});
    return;
  }
  const detail::SpecialRegister &named = detail::SpecialRegisters[operand.code];
  if (!named.count) {
    assert(operand.isConstant());
    return;
  }
  const unsigned count = named.file == RegisterFile::Scc ? 1 : dwords;
  assert(count <= named.count);
  const RegisterRange range = {named.file, named.first, uint16_t(count), false, tied};
  m_use.add(range);
  list.push_back(range);
}

template <typename List>
[[gnu::always_inline]] inline void Encoder::addRange(List &list, Operand operand, unsigned dwords, bool tied) {
  if (!operand.isVgpr())
    return addScalar(list, operand, dwords, tied);
  const uint16_t first = uint16_t(operand.code - 256), end = uint16_t(first + dwords);
  m_use.vgprs = std::max(m_use.vgprs, end);
  list.push_back({RegisterFile::Vgpr, first, uint16_t(dwords), false, tied});
}

[[gnu::always_inline]] inline void Encoder::addRead(Instruction &instruction, Operand operand, unsigned dwords,
                                                    bool tied) {
  addRange(instruction.reads, operand, dwords, tied);
}

[[gnu::always_inline]] inline void Encoder::addWrite(Instruction &instruction, Operand operand, unsigned dwords) {
  assert(!operand.isConstant());
  addRange(instruction.writes, operand, dwords, false);
}

// Sources of a row, each with its number of dwords.
[[gnu::always_inline]] inline void Encoder::addReads(Instruction &instruction, const OpcodeRow &row,
                                                     std::span<const Operand> sources) {
  for (size_t i = 0; i < sources.size(); ++i)
    addRead(instruction, sources[i], row.sourceDwords[i]);
}

[[gnu::always_inline]] inline void Encoder::addImplicit(uint32_t traits, Instruction &instruction) {
  using namespace traits;
  const uint32_t implicit = traits & Implicit;
  if (implicit & ~VectorFloat)
    return addOtherImplicit(implicit, instruction);
  // Nearly all instructions of most programs.
  if (implicit & ReadsMode)
    instruction.reads.push_back({RegisterFile::Mode, 0, 1, true});
  if (implicit & ReadsExec)
    instruction.reads.push_back({RegisterFile::Exec, 0, 2, true});
}

} // namespace dovetail::isa
