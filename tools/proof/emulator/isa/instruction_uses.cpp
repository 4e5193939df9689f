// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/isa/instruction_uses.h"
#include "tools/proof/emulator/isa/opcode.h"

namespace dovetail::emulator {

namespace {

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

// Opcode numbers of GFX8's carries, whose names GFX9 has for instructions without carry.
constexpr unsigned FirstCarryOut = 25, FirstCarryIn = 28, LastCarry = 30;

bool isGfx8Carry(const Instruction &instruction, unsigned first) {
  const Opcode &opcode = *instruction.opcode;
  return instruction.generation == Generation::Gfx8 && opcode.format == Format::Vop2 && opcode.number >= first &&
         opcode.number <= LastCarry;
}

} // namespace

bool hasSecondResult(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return false;
  const std::string_view name = instruction.opcode->name;
  return name.find("_co_") != std::string_view::npos || name.starts_with("v_div_scale_") || name == "v_mad_u64_u32" ||
         name == "v_mad_i64_i32" || isGfx8Carry(instruction, FirstCarryOut);
}

bool readsMask(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return false;
  const std::string_view name = instruction.opcode->name;
  const bool isCarryIn = name.find("_co_ci_") != std::string_view::npos || name.starts_with("v_addc_co_") ||
                         name.starts_with("v_subb_co_") || name.starts_with("v_subbrev_co_");
  return name == "v_cndmask_b32" || isCarryIn || isGfx8Carry(instruction, FirstCarryIn);
}

bool hasLiteralFactor(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return false;
  const std::string_view name = instruction.opcode->name;
  return name.starts_with("v_madmk_") || name.starts_with("v_madak_") || name.starts_with("v_fmamk_") ||
         name.starts_with("v_fmaak_");
}

// Buffer stores with an SGPR as offset take a cycle longer to issue, which is enough.
unsigned wideStoreDwords(const Instruction &instruction) {
  std::string_view name = instruction.opcode->name;
  bool isBuffer = instruction.format == Format::Mubuf || instruction.format == Format::Mtbuf;
  if (!isBuffer && instruction.format != Format::Flat)
    return 0;
  if (isBuffer && instruction.soffset < InlineZero)
    return 0;
  if (name.find("_store_") != std::string_view::npos && name.find("_d16") == std::string_view::npos) {
    if (name.ends_with("_dwordx4") || name.ends_with("_xyzw"))
      return 4;
    if (name.ends_with("_dwordx3") || name.ends_with("_xyz"))
      return 3;
  }
  return name.ends_with("_atomic_cmpswap_x2") ? 4 : 0;
}

uint16_t waitStateUses(Generation generation, const Instruction &instruction) {
  const GenerationFacts facts = factsOf(generation);
  if (instruction.opcode == nullptr || !facts.needsWaitStates)
    return 0;
  std::string_view name = instruction.opcode->name;
  uint16_t uses = formatUses(instruction.format);
  const uint16_t m0WithoutInterlock = facts.hasM0Interlock ? 0 : M0Use;
  if (name.starts_with("v_interp_")) // of VINTRP or VOP3
    uses |= m0WithoutInterlock;
  if (name == "v_readlane_b32" || name == "v_writelane_b32")
    uses |= LaneSelectUse;
  if (name.starts_with("v_div_fmas"))
    uses |= DivFmasUse;
  if (instruction.isDpp)
    uses |= DppUse;
  if ((uses & ValuUse) != 0 && instruction.format != Format::Vintrp) {
    for (uint16_t source : instruction.src) {
      if (source == Vccz || source == Execz)
        uses |= ZeroFlagUse;
      if (source == LdsDirect)
        uses |= m0WithoutInterlock;
    }
  }
  if (name.starts_with("s_sendmsg") || instruction.gds || name.starts_with("ds_gws_"))
    uses |= M0Use;
  if (name.starts_with("s_movrel") || name.ends_with("_addtid_b32") || instruction.lds)
    uses |= m0WithoutInterlock;
  if (name == "s_getreg_b32")
    uses |= GetregUse;
  if (name.starts_with("s_setreg"))
    uses |= SetregUse;
  if (name == "s_setvskip")
    uses |= SetvskipUse;
  if (wideStoreDwords(instruction) != 0)
    uses |= WideStoreUse;
  if (name == "s_nop")
    uses |= NopUse;
  return uses;
}

uint8_t variedResults(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return 0;
  const std::string_view name = instruction.opcode->name;
  if (name.starts_with("v_med3_"))
    return ClampUse;
  if (name.starts_with("v_rcp_") || name.starts_with("v_rsq_"))
    return ReciprocalUse;
  if (name == "v_mul_legacy_f32" || name == "v_mad_legacy_f32" || name == "v_fma_legacy_f32" ||
      name == "v_fmac_legacy_f32")
    return LegacyUse;
  if (name == "v_cvt_pkrtz_f16_f32")
    return HalvesUse;
  // Others saturate.
  for (std::string_view conversion :
       {"v_cvt_i32_f", "v_cvt_u32_f", "v_cvt_i16_f", "v_cvt_u16_f", "v_cvt_rpi_i32_f", "v_cvt_flr_i32_f"})
    if (name.starts_with(conversion))
      return ConversionUse;
  return 0;
}

DivisionUse divisionUse(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return DivisionUse::None;
  const std::string_view name = instruction.opcode->name;
  if (name == "v_rcp_iflag_f32")
    return DivisionUse::Reciprocal;
  if (name == "v_cvt_f32_u32" || name == "v_cvt_f32_i32")
    return DivisionUse::Conversion;
  if (name.starts_with("v_cvt_") || name.starts_with("v_cmp") || name.starts_with("v_interp_"))
    return DivisionUse::None;
  const bool isMove = name == "v_mov_b32" || name == "v_cndmask_b32";
  return isMove || name.ends_with("_f32") ? DivisionUse::Float : DivisionUse::None;
}

} // namespace dovetail::emulator
