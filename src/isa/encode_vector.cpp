// SPDX-License-Identifier: MIT
//
// VOP1, VOP2, VOPC, VOP3, VOP3P, VINTRP and DPP: "Vega" ISA manual, sections 13.3 and 13.4.
#include "src/isa/encoder_parts.h"

namespace dovetail::isa {

namespace {

// VOP1, VOP2 and VOPC have VOP3 forms, whose numbers follow from theirs ("Vega" ISA manual, section 12).
uint32_t vop3Number(const OpcodeRow &row, bool isGfx9) {
  const uint32_t number = row.numberOn(isGfx9);
  switch (row.encoding) {
  case Encoding::Vop1:
    return 0x140u + number;
  case Encoding::Vop2:
    return 0x100u + number;
  default:
    return number;
  }
}

// "At most one SGPR can be read per instruction, but the value can be used for more than one operand", and M0, VCC and
// literals count as SGPRs ("Vega" ISA manual, section 6.2.1).
[[maybe_unused]] bool readsOneScalar(std::span<const Operand> sources, const Operand *mask) {
  const Operand *scalar = mask;
  for (const Operand &source : sources) {
    if (source.isVgpr() || (source.isConstant() && !source.isLiteral()))
      continue;
    if (scalar && *scalar != source)
      return false;
    scalar = &source;
  }
  return true;
}

constexpr uint32_t DppSource = 250;

} // namespace

// VOP1, VOP2, VOPC.
[[gnu::always_inline]] inline void Encoder::shortVector(const OpcodeRow &row, Operand destination,
                                                        std::span<const Operand> sources) {
  using namespace traits;
  const uint32_t number = row.numberOn(m_isGfx9), to = destination.vgprField();
  size_t inVgpr = 1, inLiteral = 0;
  if (row.is(LiteralSecond | LiteralThird)) {
    inVgpr = row.is(LiteralSecond) ? 2 : 1;
    inLiteral = 3 - inVgpr;
    assert(sources[inLiteral].isLiteral() && !sources[0].isLiteral());
  }
  uint32_t word = sources[0].code;
  switch (row.encoding) {
  case Encoding::Vop1:
    word |= 0x7e000000 | to << 17 | number << 9;
    break;
  case Encoding::Vop2:
    word |= number << 25 | to << 17 | sources[inVgpr].vgprField() << 9;
    break;
  default:
    assert(row.encoding == Encoding::Vopc);
    word |= 0x7c000000 | number << 17 | sources[inVgpr].vgprField() << 9;
    break;
  }
  Instruction &instruction = append(row, word);
  if (row.encoding == Encoding::Vopc)
    instruction.mnemonic = row.shortMnemonic();
  else
    addWrite(instruction, destination, row.destinationDwords);
  if (row.is(Swaps)) {
    addWrite(instruction, sources[0], row.sourceDwords[0]);
    addRead(instruction, sources[0], row.sourceDwords[0], true);
    addRead(instruction, destination, row.destinationDwords, true);
  } else {
    addReads(instruction, row, sources);
  }
  if (row.is(Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addImplicit(row.traits, instruction);
  if (sources[inLiteral].isLiteral())
    appendWord(instruction, sources[inLiteral].literal);
}

// VOP3A: VDST [7:0], ABS [10:8], CLAMP [15], opcode [25:16], three sources of nine bits from [32] on, OMOD [60:59], NEG
// [63:61]. VOP3B has SDST [14:8] instead of ABS. The mask of a comparison goes to VDST.
[[gnu::always_inline]] inline void Encoder::longVector(const OpcodeRow &row, Operand destination,
                                                       std::span<const Operand> sources, Modifiers modifiers,
                                                       Operand maskOut, Operand maskIn) {
  using namespace traits;
  assert(!row.is(LiteralSecond | LiteralThird | Swaps));
  const bool isCompare = row.encoding == Encoding::Vopc, hasMaskField = row.is(MaskOut) && !isCompare;
  assert(!hasMaskField || modifiers.abs == 0);
  uint32_t word = 0xd0000000 | vop3Number(row, m_isGfx9) << 16 | uint32_t(modifiers.clamp) << 15;
  word |= hasMaskField ? uint32_t(maskOut.code) << 8 : uint32_t(modifiers.abs) << 8;
  word |= isCompare ? maskOut.code : destination.vgprField();
  Instruction &instruction = append(row, word);
  instruction.encoding = Encoding::Vop3;
  if (!isCompare)
    addWrite(instruction, destination, row.destinationDwords);
  if (row.is(MaskOut))
    addWrite(instruction, maskOut, 2);
  uint32_t second = uint32_t(modifiers.omod) << 27 | uint32_t(modifiers.neg) << 29;
  for (size_t i = 0; i < sources.size(); ++i) {
    assert(!sources[i].isLiteral());
    second |= uint32_t(sources[i].code) << 9 * i;
    addRead(instruction, sources[i], row.sourceDwords[i]);
  }
  if (row.is(MaskIn)) {
    second |= uint32_t(maskIn.code) << 18;
    addRead(instruction, maskIn, 2);
  }
  if (row.is(Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addImplicit(row.traits & ~(MaskIn | MaskOut), instruction);
  instruction.source1 = second >> 9 & 0x1ff;
  appendWord(instruction, second);
}

[[gnu::always_inline]] inline void Encoder::vectorAlu(const OpcodeRow &row, Operand destination,
                                                      std::span<const Operand> sources, Modifiers modifiers,
                                                      Operand maskOut, Operand maskIn) {
  using namespace traits;
  assert(sources.size() == row.sourceCount);
  const bool isShort = row.encoding != Encoding::Vop3 && modifiers.isNone() && maskOut == VccLo && maskIn == VccLo &&
                       (sources.size() < 2 || sources[1].isVgpr() || row.is(LiteralSecond));
  if (isShort)
    shortVector(row, destination, sources);
  else
    longVector(row, destination, sources, modifiers, maskOut, maskIn);
}

void Encoder::valu(Opcode opcode, std::optional<Operand> destination, std::span<const Operand> sources,
                   Modifiers modifiers, std::optional<Operand> scalarDestination, std::optional<Operand> scalarSource) {
  using namespace traits;
  const OpcodeRow &row = rowOf(opcode);
  assert(destination.has_value() == (row.destinationDwords != 0));
  assert(!scalarDestination || row.is(MaskOut));
  assert(!scalarSource || row.is(MaskIn));
  const Operand maskIn = scalarSource.value_or(VccLo);
  assert(row.is(WritesLane) || readsOneScalar(sources, row.is(MaskIn) ? &maskIn : nullptr));
  vectorAlu(row, destination.value_or(Operand{0}), sources, modifiers, scalarDestination.value_or(VccLo), maskIn);
}

void Encoder::emit(Opcode opcode, Operand destination, Operand source0, Operand source1, Operand source2) {
  const OpcodeRow &row = rowOf(opcode);
  const std::array all = {source0, source1, source2};
  const std::span sources = std::span<const Operand>(all).first(row.sourceCount);
  switch (row.encoding) {
  case Encoding::Sop1:
  case Encoding::Sop2:
    return scalarAlu(row, destination, sources);
  case Encoding::Vop3p:
    return vop3p(opcode, destination, sources, 0, 7, 0, 0, false);
  default:
    return vectorAlu(row, destination, sources, {}, VccLo, VccLo);
  }
}

void Encoder::emitClamped(Opcode opcode, Operand destination, Operand source0, Operand source1) {
  vectorAlu(rowOf(opcode), destination, std::array{source0, source1}, {.clamp = true}, VccLo, VccLo);
}

void Encoder::compare(Opcode opcode, Operand source0, Operand source1) {
  const OpcodeRow &row = rowOf(opcode);
  const std::array sources = {source0, source1};
  if (row.encoding == Encoding::Sopc)
    scalarAlu(row, {}, sources);
  else
    vectorAlu(row, {}, sources, {}, VccLo, VccLo);
}

// VDST [7:0], NEG_HI [10:8], OP_SEL [13:11], the third bit of OP_SEL_HI [14], CLAMP [15], opcode [22:16], three sources
// from [32] on, OP_SEL_HI [60:59], NEG [63:61].
void Encoder::vop3p(Opcode opcode, Operand destination, std::span<const Operand> sources, uint8_t opSel,
                    uint8_t opSelHi, uint8_t negLo, uint8_t negHi, bool clamp) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Vop3p && sources.size() == row.sourceCount);
  assert(readsOneScalar(sources, nullptr));
  Instruction &instruction =
      append(row, 0xd3800000 | row.numberOn(m_isGfx9) << 16 | uint32_t(clamp) << 15 | (opSelHi >> 2 & 1u) << 14 |
                      uint32_t(opSel) << 11 | uint32_t(negHi) << 8 | destination.vgprField());
  addWrite(instruction, destination, row.destinationDwords);
  addReads(instruction, row, sources);
  if (row.is(traits::Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addImplicit(row.traits, instruction);
  uint32_t second = (opSelHi & 3u) << 27 | uint32_t(negLo) << 29;
  for (size_t i = 0; i < sources.size(); ++i) {
    assert(!sources[i].isLiteral());
    second |= uint32_t(sources[i].code) << 9 * i;
  }
  appendWord(instruction, second);
}

// The second dword: SRC0 [7:0], DPP_CTRL [16:8], BOUND_CTRL [19], BANK_MASK [27:24], ROW_MASK [31:28]. LLVM lists the
// old value of the destination as a source, which lanes that are off keep.
void Encoder::dpp(Opcode opcode, Operand destination, Operand source0, std::optional<Operand> source1, unsigned control,
                  unsigned rowMask, unsigned bankMask, bool boundControl) {
  using namespace traits;
  const OpcodeRow &row = rowOf(opcode);
  const bool isUnary = row.encoding == Encoding::Vop1;
  assert((isUnary || row.encoding == Encoding::Vop2) && isUnary != source1.has_value());
  assert(!row.is(LiteralSecond | LiteralThird | Swaps | ScalarDestination));
  assert(source0.isVgpr() && (!source1 || source1->isVgpr()) && control < 512 && rowMask < 16 && bankMask < 16);
  const uint32_t number = row.numberOn(m_isGfx9), to = destination.vgprField() << 17;
  Instruction &instruction = append(row, isUnary ? 0x7e000000 | to | number << 9 | DppSource
                                                 : number << 25 | to | source1->vgprField() << 9 | DppSource);
  instruction.flags |= Dpp;
  addWrite(instruction, destination, row.destinationDwords);
  if (!row.is(Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addRead(instruction, source0, row.sourceDwords[0]);
  if (source1)
    addRead(instruction, *source1, row.sourceDwords[1]);
  if (row.is(Accumulates))
    addRead(instruction, destination, row.destinationDwords, true);
  addImplicit(row.traits, instruction);
  appendWord(instruction,
             source0.vgprField() | control << 8 | uint32_t(boundControl) << 19 | bankMask << 24 | rowMask << 28);
}

// VINTRP: VSRC [7:0], ATTRCHAN [9:8], ATTR [15:10], opcode [17:16], VDST [25:18]. VOP3: SRC0 has ATTR [5:0], ATTRCHAN
// [7:6] and the half [8] (LLVM: VOP3Instructions.td, VOP3_Interp); SRC1 is the weight.
void Encoder::interpolate(Opcode opcode, const Interpolation &interpolation) {
  const OpcodeRow &row = rowOf(opcode);
  assert(interpolation.attribute < 64 && interpolation.channel < 4);
  const bool isLong = row.encoding == Encoding::Vop3;
  if (isLong) {
    Instruction &instruction =
        append(row, 0xd0000000 | row.numberOn(m_isGfx9) << 16 | interpolation.destination.vgprField());
    instruction.flags |= Vintrp;
    instruction.source1 = interpolation.weight.code;
    assert(interpolation.other.has_value() == (row.sourceCount > 1));
    addWrite(instruction, interpolation.destination, row.destinationDwords);
    addRead(instruction, interpolation.weight, 1);
    if (interpolation.other)
      addRead(instruction, *interpolation.other, 1);
    addImplicit(row.traits, instruction);
    appendWord(instruction, interpolation.attribute | interpolation.channel << 6 | uint32_t(interpolation.high) << 8 |
                                uint32_t(interpolation.weight.code) << 9 |
                                uint32_t(interpolation.other ? interpolation.other->code : 0) << 18);
    return;
  }
  assert(row.encoding == Encoding::Vintrp && !interpolation.other && !interpolation.high);
  Instruction &instruction =
      append(row, 0xd4000000 | interpolation.destination.vgprField() << 18 | row.numberOn(m_isGfx9) << 16 |
                      interpolation.attribute << 10 | interpolation.channel << 8 | interpolation.weight.vgprField());
  addWrite(instruction, interpolation.destination, row.destinationDwords);
  if (row.is(traits::Accumulates))
    addRead(instruction, interpolation.destination, row.destinationDwords, true);
  if (row.sourceCount)
    addRead(instruction, interpolation.weight, 1);
  addImplicit(row.traits, instruction);
}

} // namespace dovetail::isa
