// SPDX-License-Identifier: MIT
//
// Facts about an instruction that each of its executions would otherwise look up by name. decode() asks for them once
// and keeps them in the Instruction. The rules that use them stand in wave/wait_states.h, wave/integer_division.h and
// alu/vary_results.h, with their sources.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"

namespace dovetail::emulator {

// Which wait-state rules concern an instruction: a mask, Instruction::waitStateUses.
enum WaitStateUse : uint16_t {
  LaneSelectUse = 1 << 0,
  DivFmasUse = 1 << 1,
  DppUse = 1 << 2,
  ZeroFlagUse = 1 << 3, // VCCZ or EXECZ as a data source of a VALU instruction
  M0Use = 1 << 4,       // reads M0 without an interlock
  GetregUse = 1 << 5,
  SetregUse = 1 << 6,
  SetvskipUse = 1 << 7,
  VectorUse = 1 << 8,
  WideStoreUse = 1 << 9,
  NopUse = 1 << 10,
  ValuUse = 1 << 11,
  VmemUse = 1 << 12,
  SaluUse = 1 << 13,
};
// 0 on GPUs that need none.
uint16_t waitStateUses(Generation generation, const Instruction &instruction);

// The instruction has SDST, besides its destination: a carry or a flag.
bool hasSecondResult(const Instruction &instruction);
// A 64-bit mask of lanes is its last source.
bool readsMask(const Instruction &instruction);
// It has a literal as a factor or summand (v_madmk, v_fmaak, …), which is no source field.
bool hasLiteralFactor(const Instruction &instruction);

// Dwords of data that a store takes out of VGPRs after it has left the instruction buffer, if there are more than two;
// 0 for all other instructions.
unsigned wideStoreDwords(const Instruction &instruction);

// The results of an instruction that a variation may change: a mask, Instruction::variedResults.
enum VariedResult : uint8_t {
  ConversionUse = 1 << 0, // a float becomes an integer
  ReciprocalUse = 1 << 1, // a reciprocal of zero
  ClampUse = 1 << 2,      // source 1 is the minimum, source 2 the maximum
  LegacyUse = 1 << 3,     // zero times an infinity or a NaN
  HalvesUse = 1 << 4,     // two halves, which other GPUs may round in another way or not at all
};
uint8_t variedResults(const Instruction &instruction);

// What an instruction does to floats of an integer division (wave/integer_division.h): Instruction::divisionUse.
enum class DivisionUse : uint8_t {
  None,       // its result is no such float
  Reciprocal, // of a converted integer: its result may be such a float
  Conversion, // of an integer to a float
  Float,      // its result is such a float if a source is
};
DivisionUse divisionUse(const Instruction &instruction);

} // namespace dovetail::emulator
