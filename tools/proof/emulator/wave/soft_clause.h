// SPDX-License-Identifier: MIT
//
// Soft clauses: consecutive SMEM or consecutive VMEM instructions. Where memory is replayed (XNACK), they may come back
// out of order and run once more, so that no instruction of a clause may write a register which another one reads, none
// that overwrites its own operands may have a neighbour, and no store may stand behind a load. Any other instruction
// between two ends the clause. Not in the ISA manual: LLVM's GCNHazardRecognizer::checkSoftClauseHazards (which
// compares the last five instructions with the next one, and nothing with a store that begins the clause: whether
// the hardware does is not known, docs/hardware-facts.md), ACO's
// handle_smem_clause_hazards (aco_insert_NOPs.cpp).
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <array>
#include <cstdint>

namespace dovetail::emulator {

// Instructions are told in the order of execution, with the registers that each reads and then writes. A violation is
// told by its text, and nullptr is none.
class SoftClause {
public:
  const char *begin(const Instruction &instruction) {
    if (instruction.format == Format::Smem || isVmem(instruction.format))
      return beginMemory(instruction);
    m_kind = Kind::None;
    return nullptr;
  }
  // The current instruction has nothing to do with any.
  bool isOutside() const { return m_kind == Kind::None; }
  // SGPRs, VCC and M0 by their operand numbers.
  const char *readSgpr(unsigned number) { return m_kind == Kind::Smem ? read(number) : nullptr; }
  const char *writeSgpr(unsigned number) { return m_kind == Kind::Smem ? write(number) : nullptr; }
  const char *readVgpr(unsigned number) { return m_kind == Kind::Vmem ? read(number) : nullptr; }
  const char *writeVgpr(unsigned number) { return m_kind == Kind::Vmem ? write(number) : nullptr; }

private:
  enum class Kind : uint8_t { None, Smem, Vmem };

  static bool isVmem(Format format) {
    return format == Format::Mubuf || format == Format::Mtbuf || format == Format::Mimg || format == Format::Flat;
  }
  const char *beginMemory(const Instruction &instruction);
  const char *read(unsigned number);
  const char *write(unsigned number);
  // Whether it happened to an earlier instruction of this clause that is compared with the current one.
  bool happenedBefore(uint32_t time) const;

  Kind m_kind = Kind::None; // of the current instruction
  bool m_isStore = false;   // it returns nothing
  uint32_t m_start = 0;     // of the clause; times count memory instructions, 0 is never
  uint32_t m_now = 0;
  uint32_t m_loading = 0;                     // the last load, maybe the current instruction
  uint32_t m_load = 0, m_selfOverwriting = 0; // the last ones; the load is an earlier one
  std::array<uint32_t, 256> m_readByLoad = {}, m_written = {};
};

} // namespace dovetail::emulator
