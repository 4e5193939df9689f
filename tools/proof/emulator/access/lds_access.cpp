// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/access/lds_access.h"
#include <algorithm>

namespace dovetail::emulator {

LdsAccess::LdsAccess(Wave &wave, const Instruction &instruction, Address kind) : m_wave(wave) {
  if (instruction.gds)
    wave.trap(TrapKind::Unsupported, "GDS");
  if (kind == Address::Register) {
    m_addresses = wave.readVgpr(instruction.vaddr);
    if (wave.facts().limitsLdsByM0)
      m_limit = wave.m0();
    return;
  }
  m_addresses.fill(wave.m0() & 0xffff);
  if (kind == Address::M0PlusLane)
    for (unsigned lane = 0; lane != WaveSize; ++lane)
      m_addresses[lane] += lane * 4;
}

uint8_t *LdsAccess::at(unsigned lane, uint32_t offset, unsigned size) {
  if (m_wave.trapped())
    return nullptr;
  std::vector<uint8_t> &lds = m_wave.group().lds;
  // The sum wraps: compilers put a constant into the offset even if the register is negative.
  uint64_t end = uint64_t(m_addresses[lane] + offset) + size;
  if (end <= lds.size() && end <= m_limit)
    return lds.data() + (end - size);
  m_wave.trap(TrapKind::MemoryOutOfBounds, "lane {}: {} bytes at LDS address {:#x} of {:#x} bytes", lane, size,
              end - size, std::min<uint64_t>(lds.size(), m_limit));
  return nullptr;
}

uint8_t *LdsAccess::atAligned(unsigned lane, uint32_t offset, unsigned size) {
  uint32_t address = m_addresses[lane] + offset;
  if (address % size != 0)
    m_wave.trap(TrapKind::MisalignedAccess, "lane {}: an atomic of {} bytes at LDS address {:#x}", lane, size, address);
  return at(lane, offset, size);
}

} // namespace dovetail::emulator
