// SPDX-License-Identifier: MIT
//
// What each instruction has to do with the rules is found once, from its name and fields, when it is decoded; while it
// runs, only the times of the last writes are compared. A rule asks for a number of wait states between two
// instructions: with t the time of the first and u the time of the second, u - t - 1 lie between them.
#include "tools/emulator/wave/wait_states.h"
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

bool startsWith(std::string_view name, std::string_view start) {
  return name.substr(0, start.size()) == start;
}

bool endsWith(std::string_view name, std::string_view end) {
  return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

// Registers of data that a store takes out of VGPRs after it has left the instruction buffer, if they are more than
// two; 0 for all other instructions. Buffer stores with an SGPR as offset take a cycle longer to issue, which is
// enough.
unsigned wideStoreDwords(const Instruction &instruction) {
  std::string_view name = instruction.opcode->name;
  bool isBuffer = instruction.format == Format::Mubuf || instruction.format == Format::Mtbuf;
  if (!isBuffer && instruction.format != Format::Flat)
    return 0;
  if (isBuffer && instruction.soffset < InlineZero)
    return 0;
  if (name.find("_store_") != std::string_view::npos && name.find("_d16") == std::string_view::npos) {
    if (endsWith(name, "_dwordx4") || endsWith(name, "_xyzw"))
      return 4;
    if (endsWith(name, "_dwordx3") || endsWith(name, "_xyz"))
      return 3;
  }
  return endsWith(name, "_atomic_cmpswap_x2") ? 4 : 0;
}

uint16_t formatUses(Format format) {
  switch (format) {
  case Format::Sop1:
  case Format::Sop2:
  case Format::Sopc:
  case Format::Sopk:
    return SaluUse;
  case Format::Vop1:
  case Format::Vop2:
  case Format::Vopc:
  case Format::Vop3:
  case Format::Vop3p:
    return ValuUse | VectorUse;
  case Format::Flat:
  case Format::Mubuf:
  case Format::Mtbuf:
  case Format::Mimg:
    return VmemUse | VectorUse;
  case Format::Vintrp: // counts where VGPRs are written (LLVM: checkDPPHazards; ACO: handle_valu_then_read_hazard)
    return ValuUse | VectorUse;
  case Format::Ds:
    return VectorUse;
  case Format::Sopp:
  case Format::Smem:
  case Format::Exp:
    return 0;
  }
  return 0;
}

} // namespace

uint16_t waitStateUses(Generation generation, const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return 0;
  std::string_view name = instruction.opcode->name;
  uint16_t uses = formatUses(instruction.format);
  // GFX8 has an interlock but for messages and GDS.
  const uint16_t m0OnGfx9 = generation == Generation::Gfx9 ? M0Use : 0;
  if (startsWith(name, "v_interp_")) // of VINTRP or VOP3
    uses |= m0OnGfx9;
  if (name == "v_readlane_b32" || name == "v_writelane_b32")
    uses |= LaneSelectUse;
  if (startsWith(name, "v_div_fmas"))
    uses |= DivFmasUse;
  if (instruction.isDpp)
    uses |= DppUse;
  if ((uses & ValuUse) != 0 && instruction.format != Format::Vintrp) {
    for (uint16_t source : instruction.src) {
      if (source == Vccz || source == Execz)
        uses |= ZeroFlagUse;
      if (source == LdsDirect)
        uses |= m0OnGfx9;
    }
  }
  if (startsWith(name, "s_sendmsg") || instruction.gds || startsWith(name, "ds_gws_"))
    uses |= M0Use;
  if (startsWith(name, "s_movrel") || endsWith(name, "_addtid_b32") || instruction.lds)
    uses |= m0OnGfx9;
  if (name == "s_getreg_b32")
    uses |= GetregUse;
  if (startsWith(name, "s_setreg"))
    uses |= SetregUse;
  if (name == "s_setvskip")
    uses |= SetvskipUse;
  if (wideStoreDwords(instruction) != 0)
    uses |= WideStoreUse;
  if (name == "s_nop")
    uses |= NopUse;
  return uses;
}

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
    // Only the first source goes through DPP. (LLVM keeps the second one away, too; ACO does not.)
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
