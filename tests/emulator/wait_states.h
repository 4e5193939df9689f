// SPDX-License-Identifier: MIT
//
// Wait states: the pairs of instructions that the hardware does not keep apart by itself, checked while they execute.
// The table is written down from the ISA manual ("Vega", section 4.5; "GCN3", section 4.5), not from what inserts the
// s_nops.
#pragma once

#include "tests/emulator/instruction.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace dovetail::emulator {

// How a register is used, as far as wait states care.
enum class Access : uint8_t {
  ReadBySalu,
  ReadByValu,
  ReadByVmem, // SGPRs of an address, descriptor or offset; VGPRs
  ReadByOther,
  ReadAsLaneSelect,
  ReadAsDppSource,
  WrittenBySalu,
  WrittenByValu,
  WrittenByOther,
};

class WaitStates {
public:
  // At the start of each instruction.
  void begin(const Instruction &instruction);
  // At each access that the instruction makes. The text of the violated rule, if there is one.
  std::optional<std::string> sgpr(unsigned number, Access access); // also VCC, M0, EXEC by their operand numbers
  std::optional<std::string> vgpr(unsigned number, Access access);

private:
  uint64_t m_now = 0; // wait states since the wave started
  std::array<uint64_t, 128> m_sgprByValu = {};
  std::array<uint64_t, 128> m_sgprBySalu = {};
  std::array<uint64_t, 256> m_vgprByValu = {};
};

} // namespace dovetail::emulator
