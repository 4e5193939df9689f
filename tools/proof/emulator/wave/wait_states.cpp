// SPDX-License-Identifier: MIT
//
// decode() finds once, from the name and fields of an instruction, which rules concern it. While the instruction runs,
// only the times of the last writes are compared. A rule asks for a number of wait states between two instructions:
// with t the time of the first and u that of the second, u - t - 1 lie between them.
#include "tools/proof/emulator/wave/wait_states.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail::emulator {

namespace {

constexpr uint16_t ModeRegister = 1; // HW_REG_MODE
constexpr unsigned VskipBit = 28;    // of MODE

struct HardwareField {
  unsigned reg, offset, size;
};
HardwareField hardwareField(uint16_t simm16) {
  return {simm16 & 63u, simm16 >> 6 & 31u, (simm16 >> 11 & 31u) + 1};
}

} // namespace

std::string WaitStateViolation::text() const {
  return fmt::format("{}: needs {} wait states, has {}", rule, needed, found);
}

WaitStateViolation WaitStates::beginUnusual(const Instruction &instruction) {
  uint16_t uses = instruction.waitStateUses;
  m_now = m_next;
  m_next = m_now + ((uses & NopUse) != 0 ? (instruction.simm16 & 15u) + 1 : 1);

  WaitStateViolation violation;
  auto check = [&](unsigned states, uint32_t since, const char *rule) {
    if (!violation)
      violation = require(states, since, rule);
  };
  constexpr uint16_t Ordinary = ValuUse | VmemUse | SaluUse | NopUse;
  if ((uses & VectorUse) != 0)
    check(2, m_vskip, "MODE.vskip is set, then a vector instruction");
  if ((uses & ~(Ordinary | VectorUse)) == 0)
    return violation;

  if ((uses & LaneSelectUse) != 0 && instruction.src[1] < InlineZero)
    check(4, m_sgprByValu[instruction.src[1]], "a VALU instruction writes an SGPR, then it selects a lane");
  if ((uses & DivFmasUse) != 0)
    check(4, std::max(m_sgprByValu[VccLo], m_sgprByValu[VccHi]),
          "a VALU instruction writes VCC, then v_div_fmas reads it");
  if ((uses & DppUse) != 0) {
    check(5, std::max(m_sgprByValu[ExecLo], m_sgprByValu[ExecHi]), "a VALU instruction writes EXEC, then DPP");
    // DPP applies only to the first source. (LLVM also keeps the second one away; ACO does not.)
    if (instruction.opcode->srcDwords[0] != 0 && instruction.src[0] >= FirstVgpr)
      check(2, m_vgprByValu[instruction.src[0] - FirstVgpr], "a VALU instruction writes a VGPR, then DPP reads it");
  }
  if ((uses & ZeroFlagUse) != 0) {
    for (uint16_t source : instruction.src) {
      if (source == Vccz)
        check(5, std::max(m_sgprByValu[VccLo], m_sgprByValu[VccHi]),
              "a VALU instruction writes VCC, then VCCZ is read");
      if (source == Execz)
        check(5, std::max(m_sgprByValu[ExecLo], m_sgprByValu[ExecHi]),
              "a VALU instruction writes EXEC, then EXECZ is read");
    }
  }
  if ((uses & M0Use) != 0)
    check(1, m_m0BySalu, "an SALU instruction writes M0, then it is read without an interlock");

  if ((uses & (GetregUse | SetregUse)) != 0) {
    HardwareField field = hardwareField(instruction.simm16);
    check(2, m_setreg[field.reg], "s_setreg, then s_getreg or s_setreg of the same register");
    if ((uses & GetregUse) != 0 && field.reg == ModeRegister)
      check(2, m_vskip, "s_setvskip, then s_getreg of MODE");
    if ((uses & SetregUse) != 0) {
      m_setreg[field.reg] = m_now;
      if (field.reg == ModeRegister && field.offset <= VskipBit && VskipBit < field.offset + field.size)
        m_vskip = m_now;
    }
  }
  if ((uses & SetvskipUse) != 0)
    m_vskip = m_now;
  if ((uses & WideStoreUse) != 0) {
    m_wideStore = m_now;
    m_wideFirst = instruction.vdata;
    m_wideCount = wideStoreDwords(instruction);
  }
  return violation;
}

} // namespace dovetail::emulator
