// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/trap.h"

namespace dovetail::emulator {

std::string_view toString(TrapKind kind) {
  switch (kind) {
  case TrapKind::UnknownOpcode:
    return "unknown opcode";
  case TrapKind::Unsupported:
    return "unsupported";
  case TrapKind::UninitialisedRegister:
    return "uninitialised register";
  case TrapKind::RegisterNotAllocated:
    return "register not allocated";
  case TrapKind::UseBeforeWaitcnt:
    return "use before s_waitcnt";
  case TrapKind::WaitStates:
    return "missing wait states";
  case TrapKind::MemoryOutOfBounds:
    return "memory out of bounds";
  case TrapKind::MisalignedAccess:
    return "misaligned access";
  case TrapKind::BadDescriptor:
    return "bad descriptor";
  case TrapKind::SecondDoneExport:
    return "second done export";
  case TrapKind::NoDoneExport:
    return "no done export";
  case TrapKind::BadExport:
    return "bad export";
  case TrapKind::RanOffCode:
    return "ran off the code";
  case TrapKind::WrongExec:
    return "wrong EXEC";
  case TrapKind::WrongM0:
    return "wrong M0";
  case TrapKind::BadMessage:
    return "bad message";
  case TrapKind::WrongOrder:
    return "wrong order";
  case TrapKind::Barrier:
    return "barrier not reached by all waves";
  case TrapKind::TooManyInstructions:
    return "too many instructions";
  }
  return "unknown trap";
}

} // namespace dovetail::emulator
