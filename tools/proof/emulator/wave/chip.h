// SPDX-License-Identifier: MIT
//
// Chip: the differences between GPUs of one generation.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <string_view>

namespace dovetail::emulator {

struct Chip {
  InstructionSet instructionSet = InstructionSet::Gfx9;
  // After a page fault, the hardware may run memory instructions again (XNACK): see soft_clause.h.
  bool replaysMemory = false;
  // LDS has 16 banks instead of 32: one instruction cannot read two parameters.
  bool has16LdsBanks = false;
  // Merged waves without HS threads have their LS VGPRs at v0.
  bool hasLsVgprInitBug = false;

  Generation generation() const { return generationOf(instructionSet); }
};

// `gpuName`: LLVM's name; an unknown one gives an ordinary chip of its generation.
Chip chipOf(std::string_view gpuName);
// An ordinary chip: gfx900, gfx1030, or gfx803 without its peculiarities.
constexpr Chip chipOf(Generation generation) {
  return {.instructionSet = generation == Generation::Gfx8   ? InstructionSet::Gfx8
                            : generation == Generation::Gfx9 ? InstructionSet::Gfx9
                                                             : InstructionSet::Gfx103};
}

} // namespace dovetail::emulator
