// SPDX-License-Identifier: MIT
//
// Chip: what differs between the GPUs of one generation.
#pragma once

#include "tools/emulator/isa/instruction.h"
#include <string_view>

namespace dovetail::emulator {

struct Chip {
  Generation generation = Generation::Gfx9;
  // v_mad_mix_f32 and the like are fused and keep denormals: their numbers are v_fma_mix's there.
  bool fusesMix = false;
  // Memory instructions may be run again after a page fault (XNACK): see soft_clause.h.
  bool replaysMemory = false;
  // Merged waves without HS threads have their LS VGPRs at v0.
  bool hasLsVgprInitBug = false;
};

// `gpuName` as LLVM has it; one that is not known is an ordinary chip of its generation.
Chip chipOf(std::string_view gpuName);

} // namespace dovetail::emulator
