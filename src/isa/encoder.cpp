// SPDX-License-Identifier: MIT
#include "src/isa/encoder.h"
#include <cassert>
#include <cstring>
#include <iterator>

namespace dovetail::isa {

namespace {

enum class Format : uint8_t { Sop2, Sop1, Sopc, Sopk, Sopp, Vop1, Vop2 };

struct Row {
  Opcode opcode;
  Format format;
  uint8_t number;
};

constexpr Row Rows[] = {
    {Opcode::SAndB32, Format::Sop2, 12},         {Opcode::SLshlB32, Format::Sop2, 28},
    {Opcode::SBfmB64, Format::Sop2, 35},         {Opcode::SBfeU32, Format::Sop2, 37},
    {Opcode::SMovB32, Format::Sop1, 0},          {Opcode::SMovB64, Format::Sop1, 1},
    {Opcode::SCmovB64, Format::Sop1, 3},         {Opcode::SBitcmp1B32, Format::Sopc, 13},
    {Opcode::SSetregImm32B32, Format::Sopk, 20}, {Opcode::SEndpgm, Format::Sopp, 1},
    {Opcode::SCbranchScc0, Format::Sopp, 4},     {Opcode::SCbranchScc1, Format::Sopp, 5},
    {Opcode::SCbranchExecz, Format::Sopp, 8},    {Opcode::SBarrier, Format::Sopp, 10},
    {Opcode::SWaitcnt, Format::Sopp, 12},        {Opcode::VMovB32, Format::Vop1, 1},
    {Opcode::VAndB32, Format::Vop2, 19},         {Opcode::VLshrrevB32, Format::Vop2, 16},
};

constexpr bool rowsAreInOrder() {
  for (unsigned i = 0; i < std::size(Rows); ++i)
    if (Rows[i].opcode != Opcode(i))
      return false;
  return std::size(Rows) == unsigned(Opcode::VLshrrevB32) + 1;
}
static_assert(rowsAreInOrder());

constexpr uint32_t vgprField(Operand operand) {
  return operand.code & 0xff;
}

} // namespace

void Encoder::emit(Opcode opcode, Operand destination, Operand source0, Operand source1) {
  const Row &row = Rows[unsigned(opcode)];
  uint32_t word = 0;
  switch (row.format) {
  case Format::Sop2:
    word = 0x80000000 | row.number << 23 | destination.code << 16 | source1.code << 8 | source0.code;
    break;
  case Format::Sop1:
    word = 0xbe800000 | destination.code << 16 | row.number << 8 | source0.code;
    break;
  case Format::Vop1:
    word = 0x7e000000 | vgprField(destination) << 17 | row.number << 9 | source0.code;
    break;
  case Format::Vop2:
    word = row.number << 25 | vgprField(destination) << 17 | vgprField(source1) << 9 | source0.code;
    break;
  default:
    assert(!"compare() or the other emit()");
  }
  m_words.push_back(word);
  bool isTwoSources = row.format == Format::Sop2;
  if (source0.isLiteral())
    m_words.push_back(source0.literal);
  else if (isTwoSources && source1.isLiteral())
    m_words.push_back(source1.literal);
  ++m_count;
}

void Encoder::compare(Opcode opcode, Operand source0, Operand source1) {
  const Row &row = Rows[unsigned(opcode)];
  assert(row.format == Format::Sopc && !source0.isLiteral() && !source1.isLiteral());
  m_words.push_back(0xbf000000 | row.number << 16 | source1.code << 8 | source0.code);
  ++m_count;
}

void Encoder::emit(Opcode opcode, uint16_t immediate, uint32_t literal) {
  const Row &row = Rows[unsigned(opcode)];
  if (row.format == Format::Sopk) {
    m_words.push_back(0xb0000000 | row.number << 23 | immediate);
    m_words.push_back(literal);
  } else {
    assert(row.format == Format::Sopp);
    m_words.push_back(0xbf800000 | row.number << 16 | immediate);
  }
  ++m_count;
}

void Encoder::patch(uint32_t offset, uint16_t immediate) {
  uint32_t &word = m_words[offset / 4];
  word = (word & 0xffff0000) | immediate;
}

std::vector<uint8_t> Encoder::bytes() const {
  std::vector<uint8_t> bytes(m_words.size() * 4);
  std::memcpy(bytes.data(), m_words.data(), bytes.size());
  return bytes;
}

} // namespace dovetail::isa
