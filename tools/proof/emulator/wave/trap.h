// SPDX-License-Identifier: MIT
//
// Traps: what the emulator refuses to run past. A trap is a defect of the code (or of the emulator: UnknownOpcode) that
// real hardware would not report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail::emulator {

enum class TrapKind : uint8_t {
  UnknownOpcode,         // the table has no such instruction
  Unsupported,           // an instruction is there, but not in this use; the text says which
  UninitialisedRegister, // read of a register that nothing wrote
  RegisterNotAllocated,  // beyond what RSRC1 allocates
  UseBeforeWaitcnt,      // use of a loaded register, or overwriting of one that is still read, before its s_waitcnt
  WaitStates,            // two instructions are closer than the ISA manual allows
  MemoryOutOfBounds,     // an address outside everything that was mapped
  MisalignedAccess,
  BadDescriptor,
  SecondDoneExport,
  NoDoneExport,
  BadExport, // a target that the stage does not have, or a format that the registers do not announce
  RanOffCode,
  WrongExec,  // lanes that must not be on at a part's end or at an export
  WrongM0,    // v_interp without the primitive mask in M0
  BadMessage, // a geometry wave's message that the fixed function would not understand, or one too few
  WrongOrder, // an ordered pixel wave that would hang, or let others in too early
  Barrier,    // a wave ended while others wait, or a barrier that not all reach
  TooManyInstructions,
};

std::string_view toString(TrapKind kind);

struct Trap {
  TrapKind kind;
  uint64_t address = 0; // of the instruction
  std::string text;     // "0x100000040 v_add_f32 v1, v2, v3: v3 was never written"
};

} // namespace dovetail::emulator
