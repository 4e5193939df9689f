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

enum class Opcode : uint16_t {
#define OPCODE(name, ...) name,
#define OPCODE_RENAMED(name, ...) name,
#include "src/isa/opcodes.def"
#undef OPCODE
#undef OPCODE_RENAMED
};
constexpr unsigned OpcodeCount = unsigned(Opcode::Exp) + 1;
// Whether the generation has the instruction.
bool exists(Opcode opcode, bool isGfx9);

struct OpcodeRow; // opcode_rows.h

// A source or destination as the manual numbers it (section 5.2, "Scalar ALU Operands"; 6.2 for VGPRs).
struct Operand {
  uint16_t code;
  uint32_t literal = 0;

  bool isLiteral() const { return code == 255; }
  bool isVgpr() const { return code >= 256; }
  // In a field for VGPRs alone.
  uint32_t vgprField() const { return code & 0xffu; }
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
constexpr Operand VccHi = {107};
constexpr Operand M0 = {124};
constexpr Operand Exec = {126}; // in 64-bit instructions: all of EXEC
constexpr Operand ExecHi = {127};
constexpr Operand Scc = {253}; // a source alone

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
  // VOP3 forms, of attributes of 16 bits:
  std::optional<Operand> other = {}; // VInterpP1lvF16: P0; VInterpP2F16: the result of P1. A VGPR
  bool high = false;                 // the attribute is in the high half
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

// Of the VOP3 forms. Bit i of `neg` and `abs` is that of source i.
struct Modifiers {
  uint8_t neg = 0, abs = 0;
  bool clamp = false;
  uint8_t omod = 0; // the result 1: * 2, 2: * 4, 3: / 2

  bool isNone() const { return std::bit_cast<uint32_t>(*this) == 0; }
};

// At most one of the two offsets. s_memtime has the data alone.
struct ScalarLoad {
  Operand data;        // the first SGPR
  Operand base;        // the first SGPR of an address (two) or of a buffer descriptor (four)
  uint32_t offset = 0; // bytes, below 2^20
  std::optional<Operand> scalarOffset = {};
  bool glc = false;
};

// MUBUF, MTBUF. BufferWbinvl1 and BufferWbinvl1Vol have no operands.
struct BufferOperation {
  std::optional<Operand> data = {};    // the first VGPR. An atomic with GLC returns the old value here
  std::optional<Operand> address = {}; // the first VGPR: index, then offset, as far as there are any
  Operand descriptor;                  // the first of four SGPRs
  Operand scalarOffset = constant(0);
  unsigned offset = 0; // bytes, below 4096
  bool offen = false, idxen = false, glc = false, slc = false;
  unsigned dataFormat = 0, numFormat = 0; // MTBUF
};

struct ImageOperation {
  std::optional<Operand> data = {}; // the first VGPR. Atomics return the old value here with GLC
  Operand address;                  // the first VGPR
  unsigned addressDwords = 1;
  Operand resource;                    // the first of eight SGPRs
  std::optional<Operand> sampler = {}; // the first of four SGPRs
  unsigned dmask = 0;
  bool unnormalized = false, glc = false, slc = false;
  bool array = false; // DA
  bool lwe = false, tfe = false, d16 = false;
};

struct LdsOperation {
  std::optional<Operand> destination = {}, address = {}, data0 = {}, data1 = {}; // first VGPRs
  unsigned offset = 0; // 16 bits; of the forms with two offsets: offset 0 | offset 1 << 8
  bool gds = false;
};

// FLAT, and GFX9's global and scratch instructions.
struct FlatOperation {
  std::optional<Operand> destination = {};   // the first VGPR: of a load, or of the old value of an atomic with GLC
  std::optional<Operand> data = {};          // the first VGPR: of a store or an atomic
  std::optional<Operand> address = {};       // the first VGPR: two; one of scratch, or beside a scalar address
  std::optional<Operand> scalarAddress = {}; // global: the first of two SGPRs; scratch: an SGPR instead of `address`
  int offset = 0;                            // bytes. GFX8: 0. GFX9: flat 0 to 4095, global and scratch -4096 to 4095
  bool glc = false, slc = false;
};

// Encodes instructions one behind the other.
class Encoder {
public:
  // `packsHalves`: whether memory instructions with D16 have two halves in a dword, as on GFX9 and gfx810 (LLVM:
  // FeatureUnpackedD16VMem). By default, as most chips of the generation.
  explicit Encoder(bool isGfx9 = true, size_t expectedInstructions = 32, std::optional<bool> packsHalves = {});

  // VOP1, VOP2, VOPC, VOP3, with any legal operands. The short form if modifiers and operands allow it, else VOP3,
  // which takes no literals. `scalarDestination`: the pair of SGPRs for the mask that a comparison, a carry or
  // div_scale writes; `scalarSource`: for the mask that cndmask or a carry reads. Without them: VCC.
  void valu(Opcode opcode, std::optional<Operand> destination, std::span<const Operand> sources,
            Modifiers modifiers = {}, std::optional<Operand> scalarDestination = {},
            std::optional<Operand> scalarSource = {});
  // The fields of VOP3P; a bit for each source.
  void vop3p(Opcode opcode, Operand destination, std::span<const Operand> sources, uint8_t opSel, uint8_t opSelHi,
             uint8_t negLo, uint8_t negHi, bool clamp);
  // VOP1, VOP2 with the DPP word. All of `control` ("Vega" ISA manual, section 13.3.9): nine bits.
  void dpp(Opcode opcode, Operand destination, Operand source0, std::optional<Operand> source1, unsigned control,
           unsigned rowMask, unsigned bankMask, bool boundControl);
  // SOP1, SOP2, SOPC. At most one source is a literal.
  void salu(Opcode opcode, std::optional<Operand> destination, std::span<const Operand> sources);
  // `destination` is the SGPR that comparisons and s_setreg_b32 read.
  void sopk(Opcode opcode, Operand destination, uint16_t immediate);
  void sopp(Opcode opcode, uint16_t immediate);
  void smem(Opcode opcode, const ScalarLoad &load);
  void buffer(Opcode opcode, const BufferOperation &operation);
  void image(Opcode opcode, const ImageOperation &operation);
  void ds(Opcode opcode, const LdsOperation &operation);
  void flat(Opcode opcode, const FlatOperation &operation);

  // Short for salu(), valu(), and vop3p() whose halves take the same halves of the sources.
  void emit(Opcode opcode, Operand destination, Operand source0 = {0}, Operand source1 = {0}, Operand source2 = {0});
  void emitClamped(Opcode opcode, Operand destination, Operand source0, Operand source1);
  // SOPC, VOPC to VCC.
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
  // encoder_parts.h has these. append() appends the first dword of an instruction without operands; the caller appends
  // the rest.
  Instruction &append(const OpcodeRow &row, uint32_t word);
  void appendWord(Instruction &instruction, uint32_t word);
  template <typename List> void addRange(List &list, Operand operand, unsigned dwords, bool tied);
  template <typename List> void addScalar(List &list, Operand operand, unsigned dwords, bool tied);
  void addRead(Instruction &instruction, Operand operand, unsigned dwords, bool tied = false);
  void addWrite(Instruction &instruction, Operand operand, unsigned dwords);
  void addReads(Instruction &instruction, const OpcodeRow &row, std::span<const Operand> sources);
  void addImplicit(uint32_t traits, Instruction &instruction);
  void addOtherImplicit(uint32_t implicit, Instruction &instruction);

  // As the public ones. A row without a destination ignores it.
  void scalarAlu(const OpcodeRow &row, Operand destination, std::span<const Operand> sources);
  void vectorAlu(const OpcodeRow &row, Operand destination, std::span<const Operand> sources, Modifiers modifiers,
                 Operand maskOut, Operand maskIn);
  void shortVector(const OpcodeRow &row, Operand destination, std::span<const Operand> sources);
  void longVector(const OpcodeRow &row, Operand destination, std::span<const Operand> sources, Modifiers modifiers,
                  Operand maskOut, Operand maskIn);

  bool m_isGfx9, m_packsHalves;
  std::vector<uint32_t> m_words;
  std::vector<Instruction> m_instructions;
  RegisterUse m_use;
};

} // namespace dovetail::isa
