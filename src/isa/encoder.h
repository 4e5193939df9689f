// SPDX-License-Identifier: MIT
//
// Encoding of the few instructions that are written without a compiler: scalar moves and bit fields, EXEC masks,
// branches and waits, vector moves. GFX9; formats and opcodes are those of the "Vega" ISA manual, chapters 12 and 13
// (S_BFE writes SCC, although the manual does not say so: README-ISA.md of Mesa's ACO). tests/gfx9-merged decodes them
// with LLVM. What is encoded is described as it is emitted, in the same way as the disassembler describes what it
// decodes, so nobody has to decode it.
#pragma once

#include "src/isa/instruction.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::isa {

enum class Opcode : uint8_t {
  // SOP2: destination, source 0, source 1
  SAndB32,
  SLshlB32,
  SBfmB64, // ((1 << source 0) - 1) << source 1
  SBfeU32, // source 1: [4:0] offset, [22:16] width. SCC: the result is not 0
  // SOP1: destination, source 0
  SMovB32,
  SMovB64,
  SCmovB64, // if SCC
  // SOPC: source 0, source 1, to SCC
  SBitcmp1B32, // bit (source 1) of source 0 is 1
  // SOPK: immediate, literal
  SSetregImm32B32, // immediate: hwregField()
  // SOPP: immediate
  SEndpgm,
  SCbranchScc0, // dwords from the end of the instruction
  SCbranchScc1,
  SCbranchExecz,
  SBarrier,
  SWaitcnt, // counters and their limits; 0 waits for all
  // VOP1: VGPR, source 0
  VMovB32,
  // VOP2: VGPR, source 0, VGPR
  VAndB32,
  VLshrrevB32, // source 1 >> source 0
};
constexpr unsigned OpcodeCount = 18;

// A source or destination as the manual numbers it (section 5.2, "Scalar ALU Operands"; 6.2 for VGPRs).
struct Operand {
  uint16_t code;
  uint32_t literal = 0;

  bool isLiteral() const { return code == 255; }
};

constexpr Operand sgpr(unsigned index) {
  return {uint16_t(index)};
}
constexpr Operand vgpr(unsigned index) {
  return {uint16_t(256 + index)};
}
constexpr Operand VccLo = {106};
constexpr Operand Exec = {126}; // EXEC_LO, or all of it in 64-bit instructions

// The shortest form of a constant.
constexpr Operand constant(int64_t value) {
  if (value >= 0 && value <= 64)
    return {uint16_t(128 + value)};
  if (value < 0 && value >= -16)
    return {uint16_t(192 - value)};
  return {255, uint32_t(value)};
}

// Instructions one behind the other. Operands beyond what an opcode takes are not looked at.
class Encoder {
public:
  Encoder();

  void emit(Opcode opcode, Operand destination, Operand source0, Operand source1 = {0});
  // SOPC.
  void compare(Opcode opcode, Operand source0, Operand source1);
  // SOPP; SOPK with its literal.
  void emit(Opcode opcode, uint16_t immediate = 0, uint32_t literal = 0);

  uint32_t offset() const { return uint32_t(m_words.size() * 4); }
  // Sets SIMM16 of the SOPP instruction at a byte offset.
  void patch(uint32_t offset, uint16_t immediate);
  std::vector<uint8_t> bytes() const;
  std::span<const Instruction> instructions() const { return m_instructions; }

private:
  // An instruction without its operands; a literal behind the last one.
  Instruction &append(Opcode opcode, uint32_t word);
  void appendLiteral(uint32_t literal);

  std::vector<uint32_t> m_words;
  std::vector<Instruction> m_instructions;
};

} // namespace dovetail::isa
