// SPDX-License-Identifier: MIT
//
// Soft clauses are runs of consecutive SMEM or consecutive VMEM instructions. If memory may be replayed (XNACK), the
// instructions of a clause may return out of order and run once more. So
// - no instruction of a clause may write a register that another one reads;
// - an instruction that overwrites its own operands must be alone in its clause;
// - no store may stand behind a load.
//
// Any other instruction between two ends the clause. The ISA manual does not say this. Sources: LLVM's
// GCNHazardRecognizer::checkSoftClauseHazards, which compares the last five instructions with the next one, and nothing
// with a store that begins the clause (whether the hardware does is unknown, docs/hardware-facts.md); ACO's
// handle_smem_clause_hazards (aco_insert_NOPs.cpp).
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <array>
#include <cstdint>

namespace dovetail::emulator {

// Call begin() for the instructions in the order of execution, then read…() and write…() for the registers of each. A
// violation is returned as its text; nullptr: none.
class SoftClause {
public:
  const char *begin(const Instruction &instruction) {
    if (instruction.format == Format::Smem || isVmem(instruction.format))
      return beginMemory(instruction);
    m_kind = Kind::None;
    return nullptr;
  }
  // Whether the current instruction belongs to no clause.
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
  // Whether `time` is that of an earlier instruction of this clause, near enough to be compared with the current one.
  bool happenedBefore(uint32_t time) const;

  Kind m_kind = Kind::None; // of the current instruction
  bool m_isStore = false;   // it returns no data
  uint32_t m_start = 0;     // the clause's first instruction; times count memory instructions, 0 means never
  uint32_t m_now = 0;
  uint32_t m_loading = 0;                     // the last load, maybe the current instruction
  uint32_t m_load = 0, m_selfOverwriting = 0; // the last ones; m_load is before the current instruction
  std::array<uint32_t, 256> m_readByLoad = {}, m_written = {};
};

} // namespace dovetail::emulator
