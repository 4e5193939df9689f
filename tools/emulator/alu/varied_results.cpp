// SPDX-License-Identifier: MIT
#include "tools/emulator/alu/varied_results.h"

namespace dovetail::emulator {

uint8_t variedResults(const Instruction &instruction) {
  if (instruction.opcode == nullptr)
    return 0;
  const std::string_view name = instruction.opcode->name;
  if (name.starts_with("v_med3_"))
    return ClampUse;
  if (name.starts_with("v_rcp_") || name.starts_with("v_rsq_"))
    return ReciprocalUse;
  if (name == "v_mul_legacy_f32" || name == "v_mad_legacy_f32")
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

} // namespace dovetail::emulator
