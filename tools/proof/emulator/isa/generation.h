// SPDX-License-Identifier: MIT
//
// Generations and instruction sets, and in one table what code outside of the opcode tables must know about a
// generation. A new generation is a column of this table, encodings in decode.cpp and numbers in opcodes/.
#pragma once

#include <cstdint>

namespace dovetail::emulator {

enum class Generation : uint8_t { Gfx8 = 1, Gfx9 = 2, Gfx10 = 4 };

// Chips with equal opcodes (LLVM, GCNProcessors.td and AMDGPU.td). gfx904 has v_fma_mix (FeatureFmaMixInsts) in the
// place of v_mad_mix. gfx906 also has v_fmac_f32, v_xnor_b32 (FeatureDLInsts) and dot products (FeatureDot*Insts).
// gfx810 is the GFX8 chip that packs halves in memory instructions as GFX9 does (no FeatureUnpackedD16VMem). gfx1030 to
// gfx1036 are alike.
enum class InstructionSet : uint8_t { Gfx8 = 1, Gfx9 = 2, Gfx904 = 4, Gfx906 = 8, Gfx810 = 16, Gfx103 = 32 };
// Masks of InstructionSet, for the opcode tables. Gfx103 has the numbers of opcodes/gfx103.def besides.
constexpr uint8_t Gfx8 = 17, Gfx9 = 14, Gfx8And9 = 31, MadMix = 2, FmaMix = 12, DotProducts = 8, UnpackedD16 = 1,
                  PackedD16 = 30, Gfx103 = 32;

constexpr Generation generationOf(InstructionSet set) {
  const auto bit = uint8_t(set);
  return (bit & Gfx8) != 0 ? Generation::Gfx8 : (bit & Gfx9) != 0 ? Generation::Gfx9 : Generation::Gfx10;
}

// Sources: "RDNA 2" ISA manual, chapters 3, 4, 6 and 8; LLVM: AMDGPUBaseInfo.cpp (counters), GCNSubtarget.h
// (zeroesHigh16BitsOfDest), GCNHazardRecognizer.cpp; Mesa: aco_insert_NOPs.cpp ("no hazards/bugs to mitigate").
struct GenerationFacts {
  // Registers. GFX10 has 106 SGPRs in front of VCC, and neither FLAT_SCRATCH nor XNACK_MASK. Operand 125 is null: it
  // reads as 0, and writes to it are dropped.
  uint8_t numberedSgprs;
  bool hasNull;

  // Counters of s_waitcnt.
  uint8_t vmLimit, lgkmLimit;
  bool countsStoresApart; // in VSCNT: stores, and atomics that return nothing

  // Some pairs of instructions need wait states between them (wave/wait_states.h).
  bool needsWaitStates;
  bool hasM0Interlock; // but for messages and GDS

  // Vector ALU.
  bool keepsOtherHalf;      // each 16-bit result keeps the other half of its register
  bool comparesToExecAlone; // v_cmpx writes EXEC and no SGPRs
  bool movesAcrossRows;     // DPP controls wave_* and row_bcast; else row_share and row_xmask
  bool limitsLdsByM0;       // M0 holds the limit of LDS addresses

  // Memory.
  bool hasOneElementSize;    // swizzled buffers swizzle dwords; an instruction's dwords may lie in several elements
  bool countsRecordsByIndex; // a buffer counts records if the instruction or the lane gives an index, else bytes
  bool signsTwoBits;         // texels of buffers extend the sign of a component of two bits
  bool hasUnifiedFormats;    // V# and MTBUF have one number for the format (buffer_formats.h), V# has OOB_SELECT
  bool hasImageDims;         // MIMG has DIM, and may list the registers of its address
  bool knowsImages;          // the emulator knows the generation's T#
};

constexpr GenerationFacts factsOf(Generation generation) {
  switch (generation) {
  case Generation::Gfx8:
    return {.numberedSgprs = 102,
            .hasNull = false,
            .vmLimit = 15,
            .lgkmLimit = 15,
            .countsStoresApart = false,
            .needsWaitStates = true,
            .hasM0Interlock = true,
            .keepsOtherHalf = false,
            .comparesToExecAlone = false,
            .movesAcrossRows = true,
            .limitsLdsByM0 = true,
            .hasOneElementSize = false,
            .countsRecordsByIndex = false,
            .signsTwoBits = false,
            .hasUnifiedFormats = false,
            .hasImageDims = false,
            .knowsImages = true};
  case Generation::Gfx9:
    return {.numberedSgprs = 102,
            .hasNull = false,
            .vmLimit = 63,
            .lgkmLimit = 15,
            .countsStoresApart = false,
            .needsWaitStates = true,
            .hasM0Interlock = false,
            .keepsOtherHalf = false,
            .comparesToExecAlone = false,
            .movesAcrossRows = true,
            .limitsLdsByM0 = false,
            .hasOneElementSize = true,
            .countsRecordsByIndex = true,
            .signsTwoBits = true,
            .hasUnifiedFormats = false,
            .hasImageDims = false,
            .knowsImages = true};
  case Generation::Gfx10:
    break;
  }
  return {.numberedSgprs = 106,
          .hasNull = true,
          .vmLimit = 63,
          .lgkmLimit = 63,
          .countsStoresApart = true,
          .needsWaitStates = false,
          .hasM0Interlock = true,
          .keepsOtherHalf = true,
          .comparesToExecAlone = true,
          .movesAcrossRows = false,
          .limitsLdsByM0 = false,
          .hasOneElementSize = true,
          .countsRecordsByIndex = true,
          .signsTwoBits = true,
          .hasUnifiedFormats = true,
          .hasImageDims = true,
          .knowsImages = false};
}

} // namespace dovetail::emulator
