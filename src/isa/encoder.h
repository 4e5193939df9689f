// SPDX-License-Identifier: MIT
//
// Prologs, epilogs and glue are written without a compiler, so they need an encoder. Formats and opcodes are those of
// the "Vega" ISA manual, chapters 12 and 13 (S_BFE writes SCC, although the manual does not say so: README-ISA.md of
// Mesa's ACO). GFX8 has the same ones, unless a row of the table (encoder.cpp) says otherwise. tests/parts compares
// every form with LLVM's assembler and disassembler. The encoder describes each instruction that it emits, in the same
// way as the disassembler describes those that it decodes, so nobody has to decode the code.
#pragma once

#include "src/isa/instruction.h"
#include "src/isa/register_use.h"
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dovetail::isa {

enum class Opcode : uint8_t {
  // SOP2: destination, source 0, source 1
  SAddU32,
  SCselectB64, // source 0 if SCC, otherwise source 1
  SAndB32,
  SAndB64,
  SLshlB32,
  SBfmB64, // ((1 << source 0) - 1) << source 1
  SBfeU32, // source 1: [4:0] offset, [22:16] width. SCC: the result is not 0
  // SOP1: destination, source 0
  SMovB32,
  SMovB64,
  SCmovB64,  // only if SCC is set
  SWqmB64,   // all bits of each four of which one is set
  SGetpcB64, // has a destination alone
  // SCC is set if bit (source 1) of source 0 is 1
  SBitcmp1B32, // bit (source 1) of source 0 is 1
  // SOPK: immediate, literal
  SSetregImm32B32, // immediate: hwregField()
  // SOPP: immediate
  SNop,
  SEndpgm,
  SCbranchScc0, // offset in dwords from the end of the instruction
  SCbranchScc1,
  SCbranchExecz,
  SBarrier,
  SWaitcnt, // counters and their limits; 0 waits for all
  // SMEM
  SLoadDwordx4,
  SLoadDwordx8,
  SLoadDwordx16,
  // VOP1: VGPR, source 0
  VMovB32,
  VCvtF32I32,
  VCvtF32U32,
  VCvtU32F32,
  // VOP2: VGPR, source 0, VGPR
  VCndmaskB32, // source 1 where VCC, otherwise source 0
  VMulU32U24,
  VMaxF32,
  VMinI32,
  VMaxI32,
  VMinU32,
  VLshrrevB32, // source 1 >> source 0
  VAshrrevI32,
  VLshlrevB32,
  VAndB32,
  VAddCoU32, // carry to VCC; "v_add_u32" on GFX8
  VSubCoU32, // source 0 - source 1, borrow to VCC; "v_sub_u32" on GFX8
  VAddU32,   // GFX9
  VSubU32,   // GFX9
  // VOPC: source 0, VGPR, to VCC. Comparisons are ordered: false for a NaN.
  VCmpLtF32,
  VCmpEqF32,
  VCmpLeF32,
  VCmpGtF32,
  VCmpLgF32,
  VCmpGeF32,
  VCmpEqU32,
  VCmpNeU32,
  // VOP3: VGPR, up to three sources
  VMadF32,
  VBfeU32, // source 0, offset, width
  VBfeI32,
  VBfiB32, // bits of source 1 where source 0 has ones, bits of source 2 elsewhere
  VMulHiU32,
  VLdexpF32,
  VBfmB32, // ((1 << source 0) - 1) << source 1
  VCvtPknormI16F32,
  VCvtPknormU16F32,
  VCvtPkrtzF16F32,
  VCvtPkU16U32,
  VCvtPkI16I32,
  // VOP3P, GFX9
  VPkMaxI16,
  VPkMinI16,
  VPkMinU16,
  // VINTRP
  VInterpP1F32,
  VInterpP2F32,
  VInterpMovF32,
  // DS
  DsReadB32,
  DsRead2B32,
  // MUBUF
  BufferLoadDword,  // channels: one
  BufferStoreDword, // one to four
  // MTBUF
  TbufferLoadFormat, // channels: one to four
  // EXP
  Exp,
};
constexpr unsigned OpcodeCount = unsigned(Opcode::Exp) + 1;
// Whether the generation has the instruction.
bool exists(Opcode opcode, bool isGfx9);

// A source or destination as the manual numbers it (section 5.2, "Scalar ALU Operands"; 6.2 for VGPRs).
struct Operand {
  uint16_t code;
  uint32_t literal = 0;

  bool isLiteral() const { return code == 255; }
  bool isVgpr() const { return code >= 256; }
  bool isConstant() const { return code >= 128 && code < 256; }
  bool operator==(const Operand &) const = default;
};

constexpr Operand sgpr(unsigned index) {
  return {uint16_t(index)};
}
constexpr Operand vgpr(unsigned index) {
  return {uint16_t(256 + index)};
}
constexpr Operand VccLo = {106}; // in 64-bit instructions: all of VCC
constexpr Operand M0 = {124};
constexpr Operand Exec = {126}; // in 64-bit instructions: all of EXEC

// The shortest form of a constant. Floats are constants by their bits.
constexpr Operand constant(int64_t value) {
  if (value >= 0 && value <= 64)
    return {uint16_t(128 + value)};
  if (value < 0 && value >= -16)
    return {uint16_t(192 - value)};
  constexpr float Inline[] = {0.5f, -0.5f, 1.0f, -1.0f, 2.0f, -2.0f, 4.0f, -4.0f};
  for (uint16_t i = 0; i < std::size(Inline); ++i)
    if (uint32_t(value) == std::bit_cast<uint32_t>(Inline[i]))
      return {uint16_t(240 + i)};
  return {255, uint32_t(value)};
}
// Bits that may be filled in later.
constexpr Operand literal(uint32_t value) {
  return {255, value};
}
constexpr Operand floatConstant(float value) {
  return constant(int64_t(int32_t(std::bit_cast<uint32_t>(value))));
}

// s_waitcnt goes on when at most so many operations are outstanding. The defaults wait for nothing.
struct WaitCounts {
  unsigned vm = UINT32_MAX, exp = 7, lgkm = 15;
};

struct TypedLoad {
  unsigned channels = 1;
  Operand destination; // the first of the destination VGPRs
  Operand index;       // VGPR
  Operand descriptor;  // the first of four SGPRs
  unsigned dataFormat = 0, numFormat = 0;
  unsigned offset = 0; // bytes, below 4096
  Operand scalarOffset = constant(0);
};

// A raw buffer access, to or from consecutive VGPRs.
struct BufferAccess {
  unsigned channels = 1;
  Operand data;
  std::optional<Operand> address; // VGPR: bytes
  Operand descriptor;             // the first of four SGPRs
  unsigned offset = 0;            // bytes, below 4096
  Operand scalarOffset = constant(0);
  bool isCoherent = false; // GLC: coherent with other units than the shader's, too
};

// Interpolates one channel of an attribute. VInterpMovF32 takes P0 and no weight.
struct Interpolation {
  Operand destination;
  Operand weight = {256 + 2}; // VGPR; as a number: P10, P20, P0
  unsigned attribute = 0, channel = 0;
};

// Targets of EXP other than colours, which count from 0 ("Vega" ISA manual, section 13.9.1).
constexpr unsigned MrtzExportTarget = 8, NullExportTarget = 9;

struct Export {
  unsigned target = 0;
  unsigned enable = 0;                                                   // a bit for each component
  std::array<Operand, 4> sources = {vgpr(0), vgpr(0), vgpr(0), vgpr(0)}; // two if compressed
  bool compressed = false;
  bool done = false;
  bool validMask = false;
};

// Encodes instructions one behind the other. It ignores operands beyond those that an opcode takes.
class Encoder {
public:
  explicit Encoder(bool isGfx9 = true, size_t expectedInstructions = 32);

  // SOP1, SOP2, VOP1, VOP2, VOP3, VOP3P. Only the first four take literals. VOP1 and VOP2 get the VOP3 form with
  // `clamp`, or if their second source is no VGPR.
  void emit(Opcode opcode, Operand destination, Operand source0 = {0}, Operand source1 = {0}, Operand source2 = {0});
  void emitClamped(Opcode opcode, Operand destination, Operand source0, Operand source1);
  // SOPC, VOPC.
  void compare(Opcode opcode, Operand source0, Operand source1);
  // SOPP; SOPK with its literal.
  void emit(Opcode opcode, uint16_t immediate = 0, uint32_t literal = 0);
  void wait(WaitCounts counts);
  // SMEM: `offset` in bytes, below 2^20.
  void load(Opcode opcode, Operand destination, Operand base, uint32_t offset);
  void load(const TypedLoad &load);
  void access(Opcode opcode, const BufferAccess &access);
  // Reads one or two dwords of LDS; `dwords` are their distances, in dwords, from the address in a VGPR.
  void readLds(Operand destination, Operand address, std::span<const uint8_t> dwords);
  void interpolate(Opcode opcode, const Interpolation &interpolation);
  void exportTo(const Export &exported);

  bool isGfx9() const { return m_isGfx9; }
  uint32_t offset() const { return uint32_t(m_words.size() * 4); }
  // Sets SIMM16 of the SOPP instruction at a byte offset.
  void patch(uint32_t offset, uint16_t immediate);
  std::vector<uint8_t> bytes() const;
  std::span<const Instruction> instructions() const { return m_instructions; }
  // registersUsed() of the instructions so far.
  const RegisterUse &registerUse() const { return m_use; }

private:
  // Appends the first dword of an instruction without operands; the caller appends the rest.
  Instruction &append(Opcode opcode, uint32_t word);
  void appendWord(uint32_t word);
  template <typename List> void addOperand(List &list, Operand operand, unsigned dwords);
  void addImplicit(uint8_t implicit, Instruction &instruction);
  void emitVop3(Opcode opcode, unsigned number, Operand destination, std::span<const Operand> sources, bool clamp);

  bool m_isGfx9;
  std::vector<uint32_t> m_words;
  std::vector<Instruction> m_instructions;
  RegisterUse m_use;
};

} // namespace dovetail::isa
