// SPDX-License-Identifier: MIT
#include "src/isa/encoder.h"
#include "src/isa/encoding.h"
#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>

namespace dovetail::isa {

namespace {

constexpr RegisterRange Scc = {RegisterFile::Scc, 0, 1, /*implicit=*/true};
constexpr RegisterRange AllOfExec = {RegisterFile::Exec, 0, 2, /*implicit=*/true};
constexpr RegisterRange Mode = {RegisterFile::Mode, 0, 1, /*implicit=*/true};

uint32_t vgprField(Operand operand) {
  return operand.code & 0xff;
}

// Constants are no registers.
template <typename List> void addOperand(List &list, Operand operand, unsigned dwords) {
  if (operand.code < 102)
    list.push_back({RegisterFile::Sgpr, operand.code, uint16_t(dwords)});
  else if (operand.code == VccLo.code)
    list.push_back({RegisterFile::Vcc, 0, uint16_t(dwords)});
  else if (operand.code == Exec.code)
    list.push_back({RegisterFile::Exec, 0, uint16_t(dwords)});
  else if (operand.code >= 256)
    list.push_back({RegisterFile::Vgpr, uint16_t(operand.code - 256), uint16_t(dwords)});
  else
    assert(operand.code >= 128);
}

struct Row {
  Opcode opcode;
  std::string_view mnemonic;
  Encoding encoding;
  uint8_t number;
  uint8_t destinationDwords = 1, sourceDwords = 1;
  const RegisterRange *reads = nullptr;  // beside its operands
  const RegisterRange *writes = nullptr; // likewise
};

constexpr Row Rows[] = {
    {Opcode::SAndB32, "s_and_b32", Encoding::Sop2, 12, 1, 1, nullptr, &Scc},
    {Opcode::SLshlB32, "s_lshl_b32", Encoding::Sop2, 28, 1, 1, nullptr, &Scc},
    {Opcode::SBfmB64, "s_bfm_b64", Encoding::Sop2, 35, 2, 1},
    {Opcode::SBfeU32, "s_bfe_u32", Encoding::Sop2, 37, 1, 1, nullptr, &Scc},
    {Opcode::SMovB32, "s_mov_b32", Encoding::Sop1, 0},
    {Opcode::SMovB64, "s_mov_b64", Encoding::Sop1, 1, 2, 2},
    {Opcode::SCmovB64, "s_cmov_b64", Encoding::Sop1, 3, 2, 2, &Scc},
    {Opcode::SBitcmp1B32, "s_bitcmp1_b32", Encoding::Sopc, 13, 0, 1, nullptr, &Scc},
    {Opcode::SSetregImm32B32, "s_setreg_imm32_b32", Encoding::Sopk, 20, 0, 0, &Mode, &Mode},
    {Opcode::SEndpgm, "s_endpgm", Encoding::Sopp, 1},
    {Opcode::SCbranchScc0, "s_cbranch_scc0", Encoding::Sopp, 4, 0, 0, &Scc},
    {Opcode::SCbranchScc1, "s_cbranch_scc1", Encoding::Sopp, 5, 0, 0, &Scc},
    {Opcode::SCbranchExecz, "s_cbranch_execz", Encoding::Sopp, 8, 0, 0, &AllOfExec},
    {Opcode::SBarrier, "s_barrier", Encoding::Sopp, 10},
    {Opcode::SWaitcnt, "s_waitcnt", Encoding::Sopp, 12},
    {Opcode::VMovB32, "v_mov_b32", Encoding::Vop1, 1, 1, 1, &AllOfExec},
    {Opcode::VAndB32, "v_and_b32", Encoding::Vop2, 19, 1, 1, &AllOfExec},
    {Opcode::VLshrrevB32, "v_lshrrev_b32", Encoding::Vop2, 16, 1, 1, &AllOfExec},
};

static_assert(std::size(Rows) == OpcodeCount && std::ranges::is_sorted(Rows, {}, &Row::opcode));

const Row &rowOf(Opcode opcode) {
  return Rows[unsigned(opcode)];
}

void addImplicit(const Row &row, Instruction &instruction) {
  if (row.reads)
    instruction.reads.push_back(*row.reads);
  if (row.writes)
    instruction.writes.push_back(*row.writes);
}

} // namespace

// Room for most of what is written without a compiler.
Encoder::Encoder() {
  m_words.reserve(64);
  m_instructions.reserve(48);
}

Instruction &Encoder::append(Opcode opcode, uint32_t word) {
  const Row &row = rowOf(opcode);
  Instruction &instruction = m_instructions.emplace_back();
  instruction.offset = offset();
  instruction.size = 4;
  instruction.encoding = row.encoding;
  instruction.flags = flagsOf(row.encoding, word);
  instruction.mnemonic = row.mnemonic;
  m_words.push_back(word);
  return instruction;
}

void Encoder::appendLiteral(uint32_t literal) {
  m_words.push_back(literal);
  m_instructions.back().size = 8;
}

void Encoder::emit(Opcode opcode, Operand destination, Operand source0, Operand source1) {
  const Row &row = rowOf(opcode);
  uint32_t word = 0;
  switch (row.encoding) {
  case Encoding::Sop2:
    word = 0x80000000 | row.number << 23 | destination.code << 16 | source1.code << 8 | source0.code;
    break;
  case Encoding::Sop1:
    word = 0xbe800000 | destination.code << 16 | row.number << 8 | source0.code;
    break;
  case Encoding::Vop1:
    word = 0x7e000000 | vgprField(destination) << 17 | row.number << 9 | source0.code;
    break;
  case Encoding::Vop2:
    word = row.number << 25 | vgprField(destination) << 17 | vgprField(source1) << 9 | source0.code;
    break;
  default:
    assert(!"compare() or the other emit()");
  }
  const bool hasTwoSources = row.encoding == Encoding::Sop2 || row.encoding == Encoding::Vop2;
  Instruction &instruction = append(opcode, word);
  addOperand(instruction.writes, destination, row.destinationDwords);
  addOperand(instruction.reads, source0, row.sourceDwords);
  if (hasTwoSources)
    addOperand(instruction.reads, source1, row.sourceDwords);
  addImplicit(row, instruction);
  if (source0.isLiteral())
    appendLiteral(source0.literal);
  else if (hasTwoSources && source1.isLiteral())
    appendLiteral(source1.literal);
}

void Encoder::compare(Opcode opcode, Operand source0, Operand source1) {
  const Row &row = rowOf(opcode);
  assert(row.encoding == Encoding::Sopc && !source0.isLiteral() && !source1.isLiteral());
  Instruction &instruction = append(opcode, 0xbf000000 | row.number << 16 | source1.code << 8 | source0.code);
  addOperand(instruction.reads, source0, row.sourceDwords);
  addOperand(instruction.reads, source1, row.sourceDwords);
  addImplicit(row, instruction);
}

void Encoder::emit(Opcode opcode, uint16_t immediate, uint32_t literal) {
  const Row &row = rowOf(opcode);
  const bool hasLiteral = row.encoding == Encoding::Sopk;
  assert(hasLiteral || row.encoding == Encoding::Sopp);
  const uint32_t word =
      hasLiteral ? 0xb0000000 | row.number << 23 | immediate : 0xbf800000 | row.number << 16 | immediate;
  Instruction &instruction = append(opcode, word);
  describeControl(word, instruction);
  addImplicit(row, instruction);
  if (hasLiteral)
    appendLiteral(literal);
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
