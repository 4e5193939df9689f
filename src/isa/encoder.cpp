// SPDX-License-Identifier: MIT
#include "src/isa/encoder.h"
#include "src/abi/target_info.h"
#include "src/isa/encoding.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <cassert>
#include <cstring>

namespace dovetail::isa {

namespace {

// The registers of an operand; constants have none.
std::optional<RegisterRange> registersOf(Operand operand, unsigned dwords) {
  const uint16_t code = operand.code, count = uint16_t(dwords);
  if (operand.isVgpr())
    return RegisterRange{RegisterFile::Vgpr, uint16_t(code - 256), count};
  if (code < NumberedSgprs)
    return RegisterRange{RegisterFile::Sgpr, code, count};
  struct Special {
    uint16_t first, count;
    RegisterFile file;
  };
  static constexpr Special Specials[] = {
      {106, 2, RegisterFile::Vcc},         {124, 1, RegisterFile::M0},        {126, 2, RegisterFile::Exec},
      {102, 2, RegisterFile::FlatScratch}, {104, 2, RegisterFile::XnackMask}, {251, 1, RegisterFile::Vccz},
      {252, 1, RegisterFile::Execz},       {253, 1, RegisterFile::Scc},
  };
  for (const Special &special : Specials)
    if (code >= special.first && code < special.first + special.count)
      return RegisterRange{special.file, uint16_t(code - special.first), std::min(count, special.count)};
  assert(operand.isConstant() || operand.isLiteral());
  return std::nullopt;
}

} // namespace

bool exists(Opcode opcode, bool isGfx9) {
  return rowOf(opcode).exists(isGfx9);
}

Encoder::Encoder(bool isGfx9, size_t expectedInstructions) : m_isGfx9(isGfx9) {
  m_words.reserve(2 * expectedInstructions);
  m_instructions.reserve(expectedInstructions);
}

Instruction &Encoder::append(const OpcodeRow &row, uint32_t word) {
  assert(row.exists(m_isGfx9));
  Instruction &instruction = m_instructions.emplace_back();
  instruction.offset = offset();
  instruction.size = 4;
  instruction.encoding = row.encoding;
  instruction.flags = flagsOf(row.encoding);
  if (row.is(traits::Loads))
    instruction.flags |= Load;
  if (row.is(traits::Stores))
    instruction.flags |= Store;
  instruction.mnemonic = row.mnemonic(m_isGfx9);
  m_words.push_back(word);
  return instruction;
}

void Encoder::appendWord(uint32_t word) {
  m_words.push_back(word);
  m_instructions.back().size += 4;
}

void Encoder::addRead(Instruction &instruction, Operand operand, unsigned dwords, bool tied) {
  std::optional<RegisterRange> range = registersOf(operand, dwords);
  if (!range)
    return;
  range->tied = tied;
  m_use.add(*range);
  instruction.reads.push_back(*range);
}

void Encoder::addWrite(Instruction &instruction, Operand operand, unsigned dwords) {
  const std::optional<RegisterRange> range = registersOf(operand, dwords);
  assert(range);
  m_use.add(*range);
  instruction.writes.push_back(*range);
}

void Encoder::addReads(Instruction &instruction, const OpcodeRow &row, std::span<const Operand> sources) {
  for (size_t i = 0; i < sources.size(); ++i)
    addRead(instruction, sources[i], row.sourceDwords[i]);
}

// Adds implicit registers in the order in which the disassembler lists them.
void Encoder::addImplicit(uint32_t traits, Instruction &instruction) {
  auto add = [&](uint32_t bits, auto &list, RegisterFile file, uint16_t count) {
    if (!(traits & bits))
      return;
    const RegisterRange range{file, 0, count, true};
    m_use.add(range);
    list.push_back(range);
  };
  using namespace traits;
  add(ReadsScc, instruction.reads, RegisterFile::Scc, 1);
  add(ReadsMode, instruction.reads, RegisterFile::Mode, 1);
  add(ReadsM0 | (m_isGfx9 ? 0u : ReadsM0OnGfx8), instruction.reads, RegisterFile::M0, 1);
  add(ReadsVcc | MaskIn, instruction.reads, RegisterFile::Vcc, 2);
  add(ReadsExec, instruction.reads, RegisterFile::Exec, 2);
  add(ReadsM0Last, instruction.reads, RegisterFile::M0, 1);
  add(ReadsFlatScratch, instruction.reads, RegisterFile::FlatScratch, 2);
  add(WritesExec, instruction.writes, RegisterFile::Exec, 2);
  add(WritesScc, instruction.writes, RegisterFile::Scc, 1);
  add(WritesMode, instruction.writes, RegisterFile::Mode, 1);
  add(MaskOut, instruction.writes, RegisterFile::Vcc, 2);
}

void Encoder::emit(Opcode opcode, Operand destination, Operand source0, Operand source1, Operand source2) {
  const OpcodeRow &row = rowOf(opcode);
  const std::array all = {source0, source1, source2};
  const std::span sources = std::span<const Operand>(all).first(row.sourceCount);
  switch (row.encoding) {
  case Encoding::Sop1:
  case Encoding::Sop2:
    return salu(opcode, destination, sources);
  case Encoding::Vop3p:
    return vop3p(opcode, destination, sources, 0, 7, 0, 0, false);
  default:
    return valu(opcode, destination, sources);
  }
}

void Encoder::emitClamped(Opcode opcode, Operand destination, Operand source0, Operand source1) {
  valu(opcode, destination, std::array{source0, source1}, {.clamp = true});
}

void Encoder::compare(Opcode opcode, Operand source0, Operand source1) {
  const std::array sources = {source0, source1};
  if (rowOf(opcode).encoding == Encoding::Sopc)
    salu(opcode, std::nullopt, sources);
  else
    valu(opcode, std::nullopt, sources);
}

// VM_CNT [3:0], EXP_CNT [6:4], LGKM_CNT [11:8]; GFX9 has two more bits of VM_CNT in [15:14]. A counter at its limit may
// stand for more outstanding operations, so the highest count to wait for is one below the limit (LLVM:
// SIInsertWaitcnts, determineWait).
void Encoder::wait(WaitCounts counts) {
  const unsigned limit = m_isGfx9 ? 63 : 15;
  const unsigned vm = counts.vm == WaitCounts().vm ? limit : std::min(counts.vm, limit - 1);
  sopp(Opcode::SWaitcnt, uint16_t((vm & 15) | counts.exp << 4 | counts.lgkm << 8 | (vm >> 4) << 14));
}

void Encoder::patch(uint32_t offset, uint16_t immediate) {
  uint32_t &word = m_words[offset / 4];
  word = (word & 0xffff0000) | immediate;
  auto patched = std::ranges::lower_bound(m_instructions, offset, {}, &Instruction::offset);
  assert(patched != m_instructions.end() && patched->offset == offset && patched->encoding == Encoding::Sopp);
  describeControl(word, *patched);
}

std::vector<uint8_t> Encoder::bytes() const {
  std::vector<uint8_t> bytes(m_words.size() * 4);
  std::memcpy(bytes.data(), m_words.data(), bytes.size());
  return bytes;
}

} // namespace dovetail::isa
