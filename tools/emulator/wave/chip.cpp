// SPDX-License-Identifier: MIT
#include "tools/emulator/wave/chip.h"
#include <algorithm>
#include <iterator>

namespace dovetail::emulator {

namespace {

struct Row {
  std::string_view gpuName;
  bool fusesMix, replaysMemory, hasLsVgprInitBug;
};

// LLVM's GCNProcessors.td and AMDGPU.td: FeatureFmaMixInsts or FeatureMadMixInsts; FeatureSupportsXNACK, where code
// that does not say otherwise must expect replays. Mesa's ac_gpu_info.c: has_ls_vgpr_init_bug.
constexpr Row Rows[] = {
    {"gfx801", false, true, false}, {"gfx802", false, false, false}, {"gfx803", false, false, false},
    {"gfx900", false, true, true},  {"gfx902", false, true, true},   {"gfx904", true, true, false},
    {"gfx906", true, true, false},  {"gfx909", false, true, false},
};

} // namespace

Chip chipOf(std::string_view gpuName) {
  Chip chip;
  chip.generation = gpuName.substr(0, 4) == "gfx8" ? Generation::Gfx8 : Generation::Gfx9;
  const Row *row = std::find_if(std::begin(Rows), std::end(Rows), [&](const Row &r) { return r.gpuName == gpuName; });
  if (row != std::end(Rows)) {
    chip.fusesMix = row->fusesMix;
    chip.replaysMemory = row->replaysMemory;
    chip.hasLsVgprInitBug = row->hasLsVgprInitBug;
  }
  return chip;
}

} // namespace dovetail::emulator
