// SPDX-License-Identifier: MIT
//
// Wait states: pairs of instructions that the hardware does not keep apart by itself. The emulator checks them during
// execution. The table follows the ISA manual ("Vega", section 4.5; "GCN3", section 4.5), independently of the code
// that inserts s_nops.
#pragma once

#include "tools/proof/emulator/isa/instruction_uses.h"
#include <array>
#include <cstdint>
#include <string>

namespace dovetail::emulator {

// A broken rule, if there is one. Nearly every access makes this object, so it becomes text only when it is shown.
struct WaitStateViolation {
  const char *rule = nullptr;
  unsigned needed = 0;
  uint32_t found = 0;

  explicit operator bool() const { return rule != nullptr; }
  std::string text() const;
};

// Call it for the instructions in the order of execution. Each counts as one wait state, s_nop N as N + 1.
class WaitStates {
public:
  // To be called at the start of each instruction.
  WaitStateViolation begin(const Instruction &instruction) {
    constexpr uint16_t Ordinary = ValuUse | VmemUse | SaluUse | VectorUse;
    if ((instruction.waitStateUses & ~Ordinary) != 0 || m_vskip != 0)
      return beginUnusual(instruction);
    m_now = m_next++;
    return {};
  }

  // To be called for each access of the instruction. SGPRs, VCC, M0 and EXEC have their operand numbers.
  WaitStateViolation readSgpr(unsigned number, const Instruction &instruction) const {
    if ((instruction.waitStateUses & VmemUse) == 0)
      return {};
    return require(5, m_sgprByValu[number], "a VALU instruction writes an SGPR, then vector memory reads it");
  }
  void writeSgpr(unsigned number, const Instruction &instruction) {
    if ((instruction.waitStateUses & ValuUse) != 0)
      m_sgprByValu[number] = m_now;
    else if (number == M0 && (instruction.waitStateUses & SaluUse) != 0)
      m_m0BySalu = m_now;
  }
  WaitStateViolation writeVgpr(unsigned number, const Instruction &instruction) {
    if ((instruction.waitStateUses & ValuUse) == 0)
      return {};
    m_vgprByValu[number] = m_now;
    if (number < m_wideFirst || number >= m_wideFirst + m_wideCount)
      return {};
    return require(1, m_wideStore, "a store of more than 64 bits, then its data is overwritten");
  }

private:
  WaitStateViolation beginUnusual(const Instruction &instruction);
  WaitStateViolation require(unsigned states, uint32_t since, const char *rule) const {
    if (m_now - since > states)
      return {};
    return {rule, states, m_now - since - 1};
  }

  uint32_t m_now = 1000, m_next = 1000; // in wait states; 0 stands for a time that never was
  std::array<uint32_t, 128> m_sgprByValu = {};
  std::array<uint32_t, 256> m_vgprByValu = {};
  uint32_t m_m0BySalu = 0;
  std::array<uint32_t, 64> m_setreg = {}; // by hardware register
  uint32_t m_vskip = 0;
  uint32_t m_wideStore = 0;
  unsigned m_wideFirst = 0, m_wideCount = 0; // its data registers
};

} // namespace dovetail::emulator
