// SPDX-License-Identifier: MIT
//
// Decoded instructions as plain data. LLVM's MC layer decodes and names the registers; the class of an instruction
// comes from its encoding (Vega ISA manual, section 13), which does not change with LLVM's version. No LLVM type is
// visible here, so that rooms that know no compiler can look at code.
#pragma once

#include "src/base/error.h"
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::mc {

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

// Registers [first, first + count) of a file. Vcc, Exec, FlatScratch and XnackMask have two halves, 0 and 1; the others
// one register.
struct RegisterRange {
  RegisterFile file;
  uint16_t first = 0;
  uint16_t count = 1;
  bool implicit = false; // not written in the instruction's text
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
  Valu = 1u << 1, // VOP*; not VINTRP
  Vmem = 1u << 2, // MUBUF, MTBUF, MIMG, FLAT
  Smem = 1u << 3,
  Ds = 1u << 4,
  Exp = 1u << 5,
  Vintrp = 1u << 6,
  Mimg = 1u << 7,
  Dpp = 1u << 8,
  Sdwa = 1u << 9,
  Branch = 1u << 10, // has a target in the instruction
  Conditional = 1u << 11,
  EndsProgram = 1u << 12,
  Waitcnt = 1u << 13,
  Nop = 1u << 14,            // s_nop
  IndirectBranch = 1u << 15, // s_setpc, s_swappc, s_rfe: where it goes is not known
  Load = 1u << 16,
  Store = 1u << 17, // stores and atomics: reads its data registers
  Gds = 1u << 18,   // DS instructions on global data share
};

struct Instruction {
  uint32_t offset = 0; // bytes from the start of the text
  uint32_t size = 0;   // 4, 8 or more (an instruction with a literal, or MIMG with more addresses)
  uint32_t opcode = 0; // LLVM's, stable within one build only
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
  boost::container::small_vector<RegisterRange, 6> reads;
  boost::container::small_vector<RegisterRange, 3> writes;

  bool is(uint32_t anyFlag) const { return (flags & anyFlag) != 0; }
  // Wait states that it puts between its neighbours.
  unsigned waitStates() const { return is(Nop) ? immediate + 1u : 1u; }
};

// Decodes for one GPU. create() is expensive (LLVM's tables are set up); forGpu() lends an object and is what most
// callers want. An object may be used by one thread at a time.
class Disassembler {
public:
  // Exclusive use of a disassembler; gives it back when it goes.
  class Lease {
  public:
    explicit Lease(std::unique_ptr<Disassembler> disassembler);
    Lease(Lease &&) noexcept;
    Lease &operator=(Lease &&) = delete;
    ~Lease();

    Disassembler &operator*() const { return *m_disassembler; }
    Disassembler *operator->() const { return m_disassembler.get(); }

  private:
    std::unique_ptr<Disassembler> m_disassembler;
  };

  // Errors: UnknownGpu.
  static Result<std::unique_ptr<Disassembler>> create(std::string_view gpuName);
  // An idle one of those that were lent before, or a new one. (They do not belong to threads: a thread that has objects
  // of a library would keep it from being unloaded.) Thread-safe. Errors: UnknownGpu.
  static Result<Lease> forGpu(std::string_view gpuName);
  // Frees those that are idle. Thread-safe.
  static void dropIdle();

  virtual ~Disassembler() = default;

  virtual std::string_view gpuName() const = 0;

  // Errors: InvalidInput if the bytes at the offset are not an instruction of this GPU, or are cut short.
  virtual Result<Instruction> decode(std::span<const uint8_t> text, uint32_t offset) = 0;
  // All instructions from the start to the end. Errors: as decode(), for the first that fails.
  Result<std::vector<Instruction>> decodeAll(std::span<const uint8_t> text);
  // One instruction as assembly text, "v_mov_b32_e32 v0, s3".
  virtual Result<std::string> print(std::span<const uint8_t> text, uint32_t offset) = 0;
};

} // namespace dovetail::mc
