// SPDX-License-Identifier: MIT
//
// Instructions as plain data, for joining, checking and the summary of hazards. They come from decoded code
// (src/mc/disassembler.h) and from code as it is encoded (encoder.h). The class of an instruction follows from its
// encoding ("Vega" ISA manual, chapter 13).
#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <string_view>

namespace dovetail::isa {

enum class RegisterFile : uint8_t {
  Sgpr,
  Vgpr,
  Vcc,
  Exec,
  M0,
  Scc,
  FlatScratch,
  XnackMask,
  Vccz,
  Execz,
  Mode,
  LdsDirect,
  Other
};

// Registers [first, first + count) of a file. Vcc, Exec, FlatScratch and XnackMask have two halves, 0 and 1; the other
// special files have one register.
struct RegisterRange {
  RegisterFile file;
  uint16_t first = 0;
  uint16_t count = 1;
  bool implicit = false; // not in the instruction's text
  bool tied = false;     // a read of the old value of the destination, as in v_mac, v_writelane or a partial write

  bool operator==(const RegisterRange &) const = default;
};

enum class Encoding : uint8_t {
  Sop1,
  Sop2,
  Sopc,
  Sopk,
  Sopp,
  Smem,
  Vop1,
  Vop2,
  Vopc,
  Vop3,
  Vop3p,
  Vintrp,
  Ds,
  Flat, // flat, global and scratch
  Mubuf,
  Mtbuf,
  Mimg,
  Exp,
  Unknown,
};

enum InstructionFlags : uint32_t {
  Salu = 1u << 0, // SOP1, SOP2, SOPC, SOPK; not SOPP
  Valu = 1u << 1, // VOP*; not the encoding VINTRP
  Vmem = 1u << 2, // MUBUF, MTBUF, MIMG, FLAT
  Smem = 1u << 3,
  Ds = 1u << 4,
  Exp = 1u << 5,
  Vintrp = 1u << 6, // v_interp in either encoding, VINTRP or VOP3
  Mimg = 1u << 7,
  Dpp = 1u << 8,
  Sdwa = 1u << 9,
  Branch = 1u << 10, // has a target
  Conditional = 1u << 11,
  EndsProgram = 1u << 12,
  Waitcnt = 1u << 13,
  Nop = 1u << 14,            // s_nop
  IndirectBranch = 1u << 15, // s_setpc, s_swappc, s_rfe: the target is not known
  Load = 1u << 16,
  Store = 1u << 17, // stores and atomics: reads its data registers
  Gds = 1u << 18,   // DS instructions on global data share
};

struct Instruction {
  // No instruction of GFX8 or GFX9 has more operands, implicit ones included.
  static constexpr unsigned MaxReads = 8, MaxWrites = 4;

  Instruction() {} // without clearing all of it first

  uint32_t offset = 0; // bytes from the start of the text
  uint32_t size = 0;   // 4, 8 or more (an instruction with a literal, or MIMG with more addresses)
  uint32_t opcode = 0; // of decoded ones: LLVM's, stable within one build only
  Encoding encoding = Encoding::Unknown;
  uint32_t flags = 0;        // InstructionFlags
  uint32_t branchTarget = 0; // Branch: byte offset in the text; may lie outside it if the code is bad
  uint16_t immediate = 0;    // SOPP and SOPK: SIMM16. s_nop: wait states - 1; s_getreg/s_setreg: the hardware register
  uint16_t source1 =
      0; // VOP3: the SRC1 field; below 128 a scalar register's number. Lane accesses select the lane by it
  uint8_t exportTarget = 0; // Exp: target, 0..7 MRT, 8 MRTZ, 9 null, 12..15 position, 32.. parameter
  uint8_t exportEnable = 0; // Exp: EN
  bool exportDone = false;
  bool exportValidMask = false;
  bool exportCompressed = false;
  std::string_view mnemonic; // one of LLVM's constants
  boost::container::static_vector<RegisterRange, MaxReads> reads;
  boost::container::static_vector<RegisterRange, MaxWrites> writes;

  bool is(uint32_t anyFlag) const { return (flags & anyFlag) != 0; }
  // The s_setpc of a branch whose target the instructions in front of it compute.
  bool endsFarBranch() const { return is(Branch) && encoding == Encoding::Sop1; }
  // Wait states that the instruction puts between its neighbours.
  unsigned waitStates() const { return is(Nop) ? immediate + 1u : 1u; }
};

// Hardware registers that s_getreg and s_setreg name in their immediate: id [5:0], offset [10:6], width - 1 [15:11]
// ("Vega" ISA manual, section 5.8; LLVM: SIDefines.h, Hwreg).
constexpr uint16_t HwregMode = 1;
constexpr uint16_t HwregTrapsts = 3;
constexpr uint16_t hwregField(unsigned id, unsigned offset, unsigned width) {
  return uint16_t(id | offset << 6 | (width - 1) << 11);
}

} // namespace dovetail::isa
