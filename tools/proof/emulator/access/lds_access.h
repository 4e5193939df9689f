// SPDX-License-Identifier: MIT
//
// LDS access: what DS instructions reach of the memory that a workgroup's waves share.
//
// Outside of the group's allocation, the hardware reads 0 and drops writes. No compiler means that, so here it traps.
// GFX8 limits addresses by M0, which must have been written; GFX9 has no limit but the allocation. Reads and writes may
// have any alignment (SH_MEM_CONFIG.ALIGNMENT_MODE unaligned); atomics must be aligned. Sources: "Vega" ISA manual,
// section 10.3.3; that GFX9 ignores M0, although the manual says otherwise: README-ISA.md of Mesa's ACO, and LLVM's
// ldsRequiresM0Init.
// docs/hardware-facts.md lists the assumptions.
#pragma once

#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator {

class LdsAccess {
public:
  // The address comes from a register. Otherwise it is an offset in M0[15:0], with a dword for each lane, or one for
  // all lanes.
  enum class Address : uint8_t { Register, M0PlusLane, M0 };
  LdsAccess(Wave &wave, const Instruction &instruction, Address kind = Address::Register);

  // `size` bytes at the lane's address plus an offset. nullptr: trapped.
  uint8_t *at(unsigned lane, uint32_t offset, unsigned size);
  uint8_t *atAligned(unsigned lane, uint32_t offset, unsigned size);

private:
  Wave &m_wave;
  uint32_t m_limit = 0xffffffff;
  Lanes m_addresses;
};

} // namespace dovetail::emulator
