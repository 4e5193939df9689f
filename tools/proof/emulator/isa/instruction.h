// SPDX-License-Identifier: MIT
//
// A decoded instruction: the fields of its microcode format, and its row in the opcode table.
// Field names are those of the "Vega" ISA manual, section 13.
#pragma once

#include "tools/proof/emulator/isa/generation.h"
#include <array>
#include <cstdint>
#include <string_view>

namespace dovetail::emulator {

class Wave;
struct Instruction;
enum class DivisionUse : uint8_t;

enum class Format : uint8_t {
  Sop1,
  Sop2,
  Sopk,
  Sopc,
  Sopp,
  Smem,
  Vop1,
  Vop2,
  Vopc,
  Vop3,
  Vop3p,
  Vintrp,
  Ds,
  Flat, // flat, global and scratch: Instruction::segment
  Mubuf,
  Mtbuf,
  Mimg,
  Exp,
};

// The operand number of the upper half of a pair of registers. Both halves of null are null.
constexpr unsigned upperHalf(unsigned number) {
  return number == 125 ? number : number + 1;
}

// Executes one instruction on a wave. The program counter already points behind it. Reports errors with Wave::trap().
using Execute = void (*)(Wave &wave, const Instruction &instruction);

// A row of the opcode table. In the VOP3 encoding, VOP1, VOP2 and VOPC opcodes use the row of their short form.
struct Opcode {
  Format format;
  uint16_t number;
  uint8_t generations;   // mask of InstructionSet
  std::string_view name; // LLVM's name, without _e32, _e64, _sdwa, _dpp
  // Registers of the operands in dwords; 0: no such operand. If the size depends on other fields (dmask, tfe), this is
  // the greatest size.
  uint8_t dstDwords = 0;
  std::array<uint8_t, 3> srcDwords = {};
  Execute execute = nullptr;
};

// Operand numbers of scalar and 9-bit vector source fields.
enum OperandNumber : uint16_t {
  FlatScratchLo = 102,
  XnackMaskLo = 104,
  VccLo = 106,
  VccHi = 107,
  M0 = 124,
  Null = 125, // GFX10
  ExecLo = 126,
  ExecHi = 127,
  InlineZero = 128,   // 128..192: 0..64; 193..208: -1..-16
  Dpp8 = 233,         // as Sdwa, below. GFX10
  Dpp8Inactive = 234, // the same, but lanes that are off are read, too
  SharedBase = 235,
  SharedLimit = 236,
  PrivateBase = 237,
  PrivateLimit = 238,
  PopsExitingWaveId = 239,
  InlineHalf = 240, // 240..247: 0.5, -0.5, 1, -1, 2, -2, 4, -4; 248: 1/(2 pi)
  Sdwa = 249,       // only in SRC0 of VOP1, VOP2, VOPC: another dword follows; decode() resolves it
  Dpp = 250,
  Vccz = 251,
  Execz = 252,
  Scc = 253,
  LdsDirect = 254,
  Literal = 255,
  FirstVgpr = 256,
};

constexpr uint8_t NoSaddr = 0x7f; // SADDR of FLAT; GFX10's Null is decoded to this

struct SdwaFields {
  uint8_t dstSel = 6; // 0..3 byte, 4, 5 word, 6 dword
  uint8_t dstUnused = 0;
  std::array<uint8_t, 2> srcSel = {6, 6};
  std::array<bool, 2> srcSext = {};
};

// A control of DPP8, above the numbers of DPP_CTRL: three bits of a lane's number for each of eight lanes.
constexpr uint32_t Dpp8Control = 1u << 24;

struct DppFields {
  uint32_t ctrl = 0; // DPP_CTRL, or Dpp8Control | lanes
  bool boundCtrl = false;
  bool fetchInactive = false; // GFX10: lanes that are off are read, too
  uint8_t bankMask = 0xf, rowMask = 0xf;
};

struct Instruction {
  const Opcode *opcode = nullptr;
  Format format = Format::Sop1; // of the encoding
  Generation generation = Generation::Gfx9;
  uint64_t address = 0;
  uint8_t size = 4;             // bytes
  uint16_t number = 0;          // opcode number in the table's format, also if the table has none such
  uint16_t waitStateUses = 0;   // a mask of WaitStateUse (instruction_uses.h)
  bool isPlain = false;         // may take the short way of alu/fused_execute.h
  uint8_t variedResults = 0;    // a mask of VariedResult (instruction_uses.h)
  DivisionUse divisionUse = {}; // instruction_uses.h

  // ALU operands as operand numbers (above). VGPR n is FirstVgpr + n in all of them, also in dst.
  uint16_t dst = 0;
  uint16_t sdst = 0; // second destination: VOP3's SDST, VOPC's destination (VCC unless VOP3 or SDWA gives another)
  std::array<uint16_t, 3> src = {};
  uint32_t literal = 0; // value of operand Literal (also K of v_madmk, v_madak)
  uint16_t simm16 = 0;  // SOPK, SOPP
  std::array<bool, 3> abs = {}, neg = {};
  uint8_t omod = 0; // 1: *2, 2: *4, 3: /2
  bool clamp = false;
  uint8_t opSel = 0;              // VOP3 (GFX9), VOP3P: bit i for source i, bit 3 for the destination
  uint8_t opSelHi = 0, negHi = 0; // VOP3P: bit i for source i
  bool isSdwa = false, isDpp = false;
  SdwaFields sdwa;
  DppFields dpp;

  // Memory operands. Here, VGPRs and SGPRs have plain numbers (v5 is 5, s5 is 5).
  uint8_t vaddr = 0, vdata = 0; // DS: vaddr ADDR, vdata DATA0
  uint8_t vdata1 = 0;           // DS: DATA1
  uint8_t vdst = 0;             // DS, FLAT: VDST
  uint8_t srsrc = 0;            // first SGPR of a descriptor; SMEM: SBASE
  uint8_t ssamp = 0;            // MIMG: first SGPR of the sampler
  uint8_t soffset = 0;          // MUBUF, MTBUF, SMEM: operand number; FLAT: SADDR (NoSaddr: none)
  uint8_t sdata = 0;            // SMEM: SDATA
  bool soffsetEnable = false;   // SMEM
  bool immediate = false;       // SMEM: IMM
  int32_t offset = 0;           // immediate offset, sign-extended where it is signed; DS: offset0 | offset1 << 8
  uint8_t dataFormat = 0, numFormat = 0; // MTBUF
  uint8_t segment = 0;                   // FLAT: 0 flat, 1 scratch, 2 global
  uint8_t dmask = 0;                     // MIMG
  uint8_t dim = 0;                       // MIMG, GFX10: DIM
  uint8_t vaddrCount = 0;                // MIMG: the registers of `vaddrs`; 0: they follow each other from vaddr on
  std::array<uint8_t, 13> vaddrs = {};   // MIMG, GFX10: non-sequential addresses (NSA)
  bool offen = false, idxen = false, glc = false, slc = false, dlc = false, tfe = false, lds = false, lwe = false,
       gds = false;
  bool unorm = false, da = false, a16 = false, d16 = false, r128 = false;

  // VINTRP
  uint8_t attribute = 0, channel = 0; // src[0] is VSRC

  // EXP: exportSource has plain VGPR numbers.
  uint8_t exportTarget = 0, exportEnable = 0;
  bool exportCompressed = false, exportDone = false, exportValidMask = false;
  std::array<uint8_t, 4> exportSource = {};
};

} // namespace dovetail::emulator
