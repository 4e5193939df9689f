// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/chip.h"
#include <algorithm>
#include <iterator>

namespace dovetail::emulator {

namespace {

struct Row {
  std::string_view gpuName;
  InstructionSet instructionSet;
  bool replaysMemory, has16LdsBanks, hasLsVgprInitBug;
};

// Sources: LLVM's GCNProcessors.td and AMDGPU.td: the features of instruction.h; FeatureSupportsXNACK, with which code
// must expect replays unless it says otherwise; FeatureLDSBankCount16. Mesa's ac_gpu_info.c: has_ls_vgpr_init_bug.
constexpr Row Rows[] = {
    {"gfx801", InstructionSet::Gfx8, true, false, false},     {"gfx802", InstructionSet::Gfx8, false, false, false},
    {"gfx803", InstructionSet::Gfx8, false, false, false},    {"gfx805", InstructionSet::Gfx8, false, false, false},
    {"gfx810", InstructionSet::Gfx810, true, true, false},    {"gfx900", InstructionSet::Gfx9, true, false, true},
    {"gfx902", InstructionSet::Gfx9, true, false, true},      {"gfx904", InstructionSet::Gfx904, true, false, false},
    {"gfx906", InstructionSet::Gfx906, true, false, false},   {"gfx909", InstructionSet::Gfx9, true, false, false},
    {"gfx90c", InstructionSet::Gfx9, true, false, false},     {"gfx1030", InstructionSet::Gfx103, false, false, false},
    {"gfx1031", InstructionSet::Gfx103, false, false, false}, {"gfx1032", InstructionSet::Gfx103, false, false, false},
    {"gfx1033", InstructionSet::Gfx103, false, false, false}, {"gfx1034", InstructionSet::Gfx103, false, false, false},
    {"gfx1035", InstructionSet::Gfx103, false, false, false}, {"gfx1036", InstructionSet::Gfx103, false, false, false},
};

} // namespace

Chip chipOf(std::string_view gpuName) {
  Chip chip = chipOf(gpuName.starts_with("gfx8")    ? Generation::Gfx8
                     : gpuName.starts_with("gfx10") ? Generation::Gfx10
                                                    : Generation::Gfx9);
  const Row *row = std::find_if(std::begin(Rows), std::end(Rows), [&](const Row &r) { return r.gpuName == gpuName; });
  if (row != std::end(Rows)) {
    chip.instructionSet = row->instructionSet;
    chip.replaysMemory = row->replaysMemory;
    chip.has16LdsBanks = row->has16LdsBanks;
    chip.hasLsVgprInitBug = row->hasLsVgprInitBug;
  }
  return chip;
}

} // namespace dovetail::emulator
