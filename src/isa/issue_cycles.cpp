// SPDX-License-Identifier: MIT
//
// The rates are those of LLVM's SISchedule.td, SIQuarterSpeedModel; one of its cycles is four clocks. They are the same
// for all GPUs here, though Vega 20 (gfx906) is faster at doubles, and though on GFX8 all but gfx801 run v_fma_f32 at a
// quarter of the rate (LLVM's FeatureFastFMAF32 says where it is fast). The model has 64 cycles for v_div_scale_f32 and
// v_div_fmas_f32, because it puts them into the class of their forms for doubles; here they count as other
// instructions.
#include "src/isa/issue_cycles.h"
#include <algorithm>
#include <array>

namespace dovetail::isa {

namespace {

constexpr unsigned Slot = 4; // a wave issues at most once in so many cycles

struct Rate {
  std::string_view mnemonic; // beginning of the mnemonic; of rows that fit, the first counts
  unsigned cycles;
};
constexpr std::array Rates = {
    Rate{"v_rcp_f64", 64},
    Rate{"v_rsq_f64", 64},
    Rate{"v_sqrt_f64", 64},
    Rate{"v_div_fmas_f64", 64},
    Rate{"v_div_scale_f64", 64},
    Rate{"v_trig_preop_f64", 64},

    Rate{"v_fma_f64", 32},
    Rate{"v_mul_f64", 32},
    Rate{"v_add_f64", 32},
    Rate{"v_min_f64", 32},
    Rate{"v_max_f64", 32},
    Rate{"v_ldexp_f64", 32},
    Rate{"v_fract_f64", 32},
    Rate{"v_trunc_f64", 32},
    Rate{"v_ceil_f64", 32},
    Rate{"v_floor_f64", 32},
    Rate{"v_rndne_f64", 32},
    Rate{"v_frexp_mant_f64", 32},
    Rate{"v_frexp_exp_i32_f64", 32},
    Rate{"v_div_fixup_f64", 32},

    Rate{"v_cvt_pk", Slot},
    Rate{"v_cvt_f32_ubyte", Slot},
    Rate{"v_cvt_norm_", Slot},
    Rate{"v_cvt_i16_f16", Slot},
    Rate{"v_cvt_u16_f16", Slot},
    Rate{"v_cvt_f16_i16", Slot},
    Rate{"v_cvt_f16_u16", Slot},

    Rate{"v_rcp_", 16},
    Rate{"v_rsq_", 16},
    Rate{"v_sqrt_", 16},
    Rate{"v_exp_", 16},
    Rate{"v_log_", 16},
    Rate{"v_sin_", 16},
    Rate{"v_cos_", 16},
    Rate{"v_cvt_", 16},
    Rate{"v_mul_lo_u32", 16},
    Rate{"v_mul_hi_u32", 16},
    Rate{"v_mul_hi_i32", 16},
    Rate{"v_mad_u64_u32", 16},
    Rate{"v_mad_i64_i32", 16},
    Rate{"v_qsad_", 16},
    Rate{"v_mqsad_", 16},
    Rate{"exp", 16},

    Rate{"v_lshlrev_b64", 8},
    Rate{"v_lshrrev_b64", 8},
    Rate{"v_ashrrev_i64", 8},
};

// Comparisons end in their type: "v_cmp_lt_f64_e32".
unsigned cyclesOfComparison(std::string_view mnemonic) {
  const auto has = [&](std::string_view type) { return mnemonic.find(type) != std::string_view::npos; };
  return has("_f64") ? 32 : has("_i64") || has("_u64") ? 8 : Slot;
}

} // namespace

unsigned issueCycles(const Instruction &instruction) {
  if (instruction.is(Nop))
    return Slot * instruction.waitStates();
  const std::string_view mnemonic = instruction.mnemonic;
  if (mnemonic.starts_with("v_cmp"))
    return cyclesOfComparison(mnemonic);
  const auto rate = std::ranges::find_if(Rates, [&](const Rate &row) { return mnemonic.starts_with(row.mnemonic); });
  return rate == Rates.end() ? Slot : rate->cycles;
}

} // namespace dovetail::isa
