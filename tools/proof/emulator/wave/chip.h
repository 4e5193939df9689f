// SPDX-License-Identifier: MIT
//
// Chip: what differs between the GPUs of one generation.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <string_view>

namespace dovetail::emulator {

struct Chip {
  InstructionSet instructionSet = InstructionSet::Gfx9;
  // Memory instructions may be run again after a page fault (XNACK): see soft_clause.h.
  bool replaysMemory = false;
  // LDS has 16 banks instead of 32: one instruction cannot have two parameters from it.
  bool has16LdsBanks = false;
  // Merged waves without HS threads have their LS VGPRs at v0.
  bool hasLsVgprInitBug = false;

  Generation generation() const { return generationOf(instructionSet); }
};

// `gpuName` as LLVM has it; one that is not known is an ordinary chip of its generation.
Chip chipOf(std::string_view gpuName);
// An ordinary chip: gfx900 or gfx803 without what is special about them.
constexpr Chip chipOf(Generation generation) {
  return {.instructionSet = generation == Generation::Gfx8 ? InstructionSet::Gfx8 : InstructionSet::Gfx9};
}

} // namespace dovetail::emulator
