// SPDX-License-Identifier: MIT
//
// Traps: reasons for which the emulator stops. A trap is a defect of the code (or of the emulator: UnknownOpcode) that
// real hardware would not report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail::emulator {

enum class TrapKind : uint8_t {
  UnknownOpcode,         // the table lacks this instruction
  Unsupported,           // the instruction is known, but not in this use; the text says which
  UninitialisedRegister, // read of a register that nothing wrote
  RegisterNotAllocated,  // a register beyond RSRC1's allocation
  UseBeforeWaitcnt,      // before its s_waitcnt, a loaded register is used, or a register that is still being read is
                         // overwritten
  WaitStates,            // two instructions are closer than the ISA manual allows
  MemoryOutOfBounds,     // an address outside of all mapped memory
  MisalignedAccess,
  BadDescriptor,
  SecondDoneExport,
  NoDoneExport,
  BadExport, // a target that the stage lacks, or a format that the registers do not announce
  RanOffCode,
  WrongExec,  // wrong lanes are on at a part's end or at an export
  WrongM0,    // v_interp without the primitive mask in M0
  BadMessage, // a geometry wave's message that the fixed function would not understand, or a missing message
  WrongOrder, // an ordered pixel wave that would hang, or let others in too early
  Barrier,    // a wave ended while others wait, or not all lanes or waves reach a barrier
  TooManyInstructions,
};

std::string_view toString(TrapKind kind);

struct Trap {
  TrapKind kind;
  uint64_t address = 0; // of the instruction
  std::string text;     // "0x100000040 v_add_f32 v1, v2, v3: v3 was never written"
};

} // namespace dovetail::emulator
