// SPDX-License-Identifier: MIT
//
// DS instructions that pass values between lanes without memory ("Vega" ISA manual, sections 12.13 and 12.13.1; the
// modes that only GFX9 has: LLVM, SIDefines.h, Swizzle).
#include "tools/proof/emulator/access/lane_exchange.h"
#include <bit>

namespace dovetail::emulator {

namespace {

constexpr unsigned SwizzleFft = 0xe000, SwizzleRotate = 0xc000, SwizzleQuad = 0x8000;

unsigned reverseFiveBits(unsigned value) {
  unsigned reversed = 0;
  for (unsigned i = 0; i != 5; ++i)
    reversed |= (value >> i & 1) << (4 - i);
  return reversed;
}

void writeResult(Wave &wave, const Instruction &instruction, const Lanes &values) {
  Lanes &destination = wave.writeVgpr(instruction.vdst);
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    if (wave.laneIsOn(lane))
      destination[lane] = values[lane];
  wave.issue(Counter::Lgkm, {{true, true, instruction.vdst, 1}});
}

} // namespace

// All modes except quads stay within 32 lanes.
unsigned swizzleSource(unsigned pattern, unsigned lane) {
  unsigned low = pattern & 31, half = lane & 32, inHalf = lane & 31;
  if (pattern >= SwizzleFft)
    return reverseFiveBits(inHalf) >> std::popcount(low) | (inHalf & low) | half;
  if (pattern >= SwizzleRotate) {
    unsigned distance = pattern >> 5 & 31;
    if (pattern & 1 << 10)
      distance = 32 - distance;
    return (inHalf & low) | ((inHalf + distance) & ~low & 31) | half;
  }
  if (pattern & SwizzleQuad)
    return (lane & ~3u) | (pattern >> lane % 4 * 2 & 3);
  return (((inHalf & low) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31)) | half;
}

void swizzle(Wave &wave, const Instruction &instruction) {
  Lanes data = wave.readVgpr(instruction.vaddr), result = {};
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    unsigned source = swizzleSource(uint32_t(instruction.offset), lane);
    result[lane] = wave.laneIsOn(source) ? data[source] : 0;
  }
  writeResult(wave, instruction, result);
}

// Lanes push values. If several push to one lane, the highest wins.
void permute(Wave &wave, const Instruction &instruction) {
  const Lanes &address = wave.readVgpr(instruction.vaddr), &data = wave.readVgpr(instruction.vdata);
  Lanes result = {};
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    if (wave.laneIsOn(lane))
      result[(address[lane] + uint32_t(instruction.offset)) / 4 % WaveSize] = data[lane];
  writeResult(wave, instruction, result);
}

// Lanes pull values; a lane that is off gives 0.
void backwardPermute(Wave &wave, const Instruction &instruction) {
  const Lanes &address = wave.readVgpr(instruction.vaddr), &data = wave.readVgpr(instruction.vdata);
  Lanes result = {};
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    unsigned source = (address[lane] + uint32_t(instruction.offset)) / 4 % WaveSize;
    result[lane] = wave.laneIsOn(source) ? data[source] : 0;
  }
  writeResult(wave, instruction, result);
}

} // namespace dovetail::emulator
