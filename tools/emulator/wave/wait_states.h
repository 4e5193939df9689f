// SPDX-License-Identifier: MIT
//
// Wait states: the pairs of instructions that the hardware does not keep apart by itself, checked while they execute.
// The table is written down from the ISA manual ("Vega", section 4.5; "GCN3", section 4.5), not from what inserts the
// s_nops.
#pragma once

#include "tools/emulator/isa/instruction.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace dovetail::emulator {

// What instruction.waitStateUses has to be for an instruction; decode() asks for it once.
uint16_t waitStateUses(Generation generation, const Instruction &instruction);

// Instructions are told in the order of execution. Each counts as one wait state, s_nop N as N + 1.
class WaitStates {
public:
  // At the start of each instruction. The text of the rule that it violates, if there is one.
  std::optional<std::string> begin(const Instruction &instruction);

  // At each access that the instruction makes: SGPRs, VCC, M0 and EXEC by their operand numbers.
  std::optional<std::string> readSgpr(unsigned number, const Instruction &instruction);
  void writeSgpr(unsigned number, const Instruction &instruction);
  std::optional<std::string> writeVgpr(unsigned number, const Instruction &instruction);

private:
  std::optional<std::string> require(unsigned states, uint64_t since, const char *rule) const;

  uint64_t m_now = 1000, m_next = 1000; // wait states; times that never were are 0
  std::array<uint64_t, 128> m_sgprByValu = {};
  std::array<uint64_t, 256> m_vgprByValu = {};
  uint64_t m_m0BySalu = 0;
  std::array<uint64_t, 64> m_setreg = {}; // by hardware register
  uint64_t m_vskip = 0;
  uint64_t m_wideStore = 0;
  unsigned m_wideFirst = 0, m_wideCount = 0; // its data registers
};

} // namespace dovetail::emulator
