// SPDX-License-Identifier: MIT
//
// Executes the MIMG instructions. Flags distinguish their variants: opcodes/mimg.def.
#pragma once

#include "tools/proof/emulator/wave/wave.h"
#include <type_traits>

namespace dovetail::emulator {

// Suffixes of image_load and image_store.
enum AccessFlags : unsigned {
  Mip = 1,    // the level is an operand
  Raw = 2,    // _pck: dwords of memory instead of components
  Signed = 4, // _sgn: sign-extended
};

// Suffixes of image_sample and image_gather4, in the order of their operands in VADDR: offset, bias, reference value,
// gradients, coordinates, level or clamp.
enum SampleFlags : unsigned {
  O = 1,   // offset
  B = 2,   // bias
  C = 4,   // comparison with a reference value
  D = 8,   // gradients; coarse ones (_cd) look the same
  L = 16,  // level
  Cl = 32, // lower limit of the level
  Lz = 64, // level 0
};

void imageLoad(Wave &wave, const Instruction &instruction, unsigned flags);
void imageStore(Wave &wave, const Instruction &instruction, unsigned flags);
void imageSample(Wave &wave, const Instruction &instruction, unsigned flags);
void imageGather(Wave &wave, const Instruction &instruction, unsigned flags);
void imageGetLod(Wave &wave, const Instruction &instruction);
void imageGetResinfo(Wave &wave, const Instruction &instruction);

// Compute the new value in memory from the old value and the operand. Atomics come in 32 and 64 bits; DMASK tells
// which.
struct ImageAtomic {
  uint32_t (*on32)(uint32_t memory, uint32_t data);
  uint64_t (*on64)(uint64_t memory, uint64_t data);
};
void imageAtomic(Wave &wave, const Instruction &instruction, const ImageAtomic &atomic);
void imageAtomicCompareSwap(Wave &wave, const Instruction &instruction);

} // namespace dovetail::emulator
