// SPDX-License-Identifier: MIT
//
// SOP1, SOP2, SOPC, SOPK, SOPP, SMEM: "Vega" ISA manual, sections 13.1 and 13.2.
#include "src/isa/encoder_parts.h"

namespace dovetail::isa {

void Encoder::salu(Opcode opcode, std::optional<Operand> destination, std::span<const Operand> sources) {
  const OpcodeRow &row = rowOf(opcode);
  assert(destination.has_value() == (row.destinationDwords != 0));
  scalarAlu(row, destination.value_or(Operand{0}), sources);
}

void Encoder::scalarAlu(const OpcodeRow &row, Operand destination, std::span<const Operand> sources) {
  assert(sources.size() == row.sourceCount);
  const uint32_t number = row.numberOn(m_isGfx9), to = row.destinationDwords ? destination.code : 0;
  const uint32_t first = sources.empty() ? 0 : sources[0].code, second = sources.size() > 1 ? sources[1].code : 0;
  uint32_t word = 0;
  switch (row.encoding) {
  case Encoding::Sop1:
    word = 0xbe800000 | to << 16 | number << 8 | first;
    break;
  case Encoding::Sop2:
    word = 0x80000000 | number << 23 | to << 16 | second << 8 | first;
    break;
  default:
    assert(row.encoding == Encoding::Sopc);
    word = 0xbf000000 | number << 16 | second << 8 | first;
    break;
  }
  Instruction &instruction = append(row, word);
  if (row.destinationDwords)
    addScalar(instruction.writes, destination, row.destinationDwords, false);
  if (!sources.empty())
    addScalar(instruction.reads, sources[0], row.sourceDwords[0], false);
  if (sources.size() > 1)
    addScalar(instruction.reads, sources[1], row.sourceDwords[1], false);
  addImplicit(row.traits, instruction);
  constexpr uint32_t Literal = 255;
  assert(first != Literal || second != Literal || sources[0] == sources[1]);
  if (first == Literal)
    appendWord(instruction, sources[0].literal);
  else if (second == Literal)
    appendWord(instruction, sources[1].literal);
  if (row.is(traits::Jumps)) {
    const std::span text(reinterpret_cast<const uint8_t *>(m_words.data()), m_words.size() * sizeof(uint32_t));
    const std::optional<uint32_t> target = farBranchTarget(text, instruction.offset);
    instruction.flags |= target ? Branch : IndirectBranch;
    instruction.branchTarget = target.value_or(0);
  }
}

void Encoder::sopk(Opcode opcode, Operand destination, uint16_t immediate) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Sopk && (row.destinationDwords || row.sourceCount));
  const uint32_t word = 0xb0000000 | row.numberOn(m_isGfx9) << 23 | uint32_t(destination.code) << 16 | immediate;
  Instruction &instruction = append(row, word);
  describeControl(word, instruction);
  if (row.destinationDwords)
    addWrite(instruction, destination, row.destinationDwords);
  if (row.sourceCount)
    addRead(instruction, destination, row.sourceDwords[0]);
  if (row.is(traits::Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addImplicit(row.traits, instruction);
}

void Encoder::sopp(Opcode opcode, uint16_t immediate) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Sopp);
  const uint32_t word = 0xbf800000 | row.numberOn(m_isGfx9) << 16 | immediate;
  Instruction &instruction = append(row, word);
  describeControl(word, instruction);
  addImplicit(row.traits, instruction);
}

void Encoder::emit(Opcode opcode, uint16_t immediate, uint32_t literal) {
  const OpcodeRow &row = rowOf(opcode);
  if (row.encoding == Encoding::Sopp)
    return sopp(opcode, immediate);
  assert(opcode == Opcode::SSetregImm32B32);
  const uint32_t word = 0xb0000000 | row.numberOn(m_isGfx9) << 23 | immediate;
  Instruction &instruction = append(row, word);
  describeControl(word, instruction);
  addImplicit(row.traits, instruction);
  appendWord(instruction, literal);
}

// SBASE [5:0] in pairs of SGPRs, SDATA [12:6], GLC [16], IMM [17], opcode [25:18], OFFSET [52:32] or the number of an
// SGPR.
void Encoder::smem(Opcode opcode, const ScalarLoad &load) {
  const OpcodeRow &row = rowOf(opcode);
  const bool hasBase = row.sourceCount != 0; // s_memtime has none
  assert(row.encoding == Encoding::Smem && load.base.code % 2 == 0 && load.offset < 1u << 20);
  assert(!load.scalarOffset || (load.offset == 0 && !load.scalarOffset->isVgpr() && !load.scalarOffset->isConstant()));
  Instruction &instruction =
      append(row, 0xc0000000 | row.numberOn(m_isGfx9) << 18 | uint32_t(hasBase && !load.scalarOffset) << 17 |
                      uint32_t(load.glc) << 16 | uint32_t(load.data.code) << 6 | (hasBase ? load.base.code / 2u : 0));
  addWrite(instruction, load.data, row.destinationDwords);
  if (hasBase)
    addRead(instruction, load.base, row.sourceDwords[0]);
  if (load.scalarOffset)
    addRead(instruction, *load.scalarOffset, 1);
  addImplicit(row.traits, instruction);
  appendWord(instruction, load.scalarOffset ? load.scalarOffset->code : load.offset);
}

void Encoder::load(Opcode opcode, Operand destination, Operand base, uint32_t offset) {
  smem(opcode, {.data = destination, .base = base, .offset = offset});
}

} // namespace dovetail::isa
