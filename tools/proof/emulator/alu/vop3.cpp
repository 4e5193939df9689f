// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/alu/vector_execute.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

// The lane that v_readlane or v_writelane selects. Hazard rules treat this operand as a lane select; it is never a
// VGPR.
unsigned selectedLane(Wave &wave, const Instruction &instruction) {
  return wave.scalar(instruction, instruction.src[1]) & (WaveSize - 1);
}

void readLane(Wave &wave, const Instruction &instruction) {
  const unsigned lane = selectedLane(wave, instruction);
  wave.writeSgprBits(instruction.dst & 0xff, wave.readVgprLane(instruction.src[0] - FirstVgpr, lane));
}

// Writes its lane whatever EXEC is. The register's other lanes stay, even if they were never written.
void writeLane(Wave &wave, const Instruction &instruction) {
  const unsigned lane = selectedLane(wave, instruction);
  const unsigned source = instruction.src[0];
  const Wave::DefinedBits bits =
      source < InlineZero ? wave.readSgprBits(source) : Wave::DefinedBits{wave.scalar(instruction, source), ~0u};
  wave.writeVgprLane(instruction.dst - FirstVgpr, lane, bits);
}

template <typename T> void scaleDivision(Wave &wave, const Instruction &instruction) {
  Values<T> value, denominator, numerator, results;
  fetch<T>(wave, instruction, 0, value);
  fetch<T>(wave, instruction, 1, denominator);
  fetch<T>(wave, instruction, 2, numerator);
  uint64_t flags = 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    Scaled<typename T::Value> scaled = divScale(value[lane], denominator[lane], numerator[lane]);
    results[lane] = scaled.value;
    flags |= uint64_t(scaled.flag) << lane;
  }
  storeResult<T>(wave, instruction, results);
  writeMask(wave, instruction, flags);
}

// Each lane takes a value from its row of sixteen lanes, or from the other row of its pair: from the lane whose number
// the second source (for lanes 0 to 7 of the row) or the third has in four bits. OP_SEL: bit 0 also reads lanes that
// are off, bit 1 gives 0 for them; otherwise nothing is written there ("RDNA 2" ISA manual, V_PERMLANE16_B32).
template <bool FromOtherRow> void permuteRow(Wave &wave, const Instruction &instruction) {
  const bool fetchInactive = (instruction.opSel & 1) != 0, boundCtrl = (instruction.opSel & 2) != 0;
  const uint64_t selects =
      wave.scalar(instruction, instruction.src[1]) | uint64_t(wave.scalar(instruction, instruction.src[2])) << 32;
  const Lanes from = wave.readVgpr(instruction.src[0] - FirstVgpr);
  Lanes &to = wave.writeVgpr(instruction.dst - FirstVgpr);
  forEachLaneOn(wave, [&](unsigned lane) {
    const unsigned row = (lane & ~15u) ^ (FromOtherRow ? 16u : 0u);
    const unsigned source = row | unsigned(selects >> (lane & 15) * 4 & 15);
    if (fetchInactive || wave.laneIsOn(source))
      to[lane] = from[source];
    else if (boundCtrl)
      to[lane] = 0;
  });
}

// Four masked sums of byte differences, of the bytes from 0, 1, 2 and 3 on; each is added to another register.
void quadSums32(Wave &wave, const Instruction &instruction) {
  WideLanes bytes;
  Lanes reference;
  fetchBits(wave, instruction, 0, U64::Kind, bytes);
  fetchBits(wave, instruction, 1, U32::Kind, reference);
  std::array<Lanes, 4> sums;
  for (unsigned i = 0; i < 4; ++i)
    sums[i] = wave.readVgpr(instruction.src[2] - FirstVgpr + i);
  for (unsigned i = 0; i < 4; ++i) {
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      sums[i][lane] += maskedSumOfByteDifferences(uint32_t(bytes[lane] >> i * 8), reference[lane]);
    Instruction part = instruction;
    part.dst = uint16_t(instruction.dst + i);
    writeLanes(wave, part, U32::Kind, false, sums[i]);
  }
}

constexpr Shape MaskInVcc = {.maskIn = MaskIn::Vcc};
constexpr Shape Accumulate = {.third = Third::OldDestination};
constexpr Shape Carry = {.carryOut = CarryOut::Yes};

#define VOP3(number, name, generations, D, A, B, C, ...)                                                               \
  VECTOR_ROW(Vop3, number, name, generations, D, A, B, C, Shape{}, __VA_ARGS__)
#define VOP3_SHAPED(number, name, generations, D, A, B, C, shape, ...)                                                 \
  VECTOR_ROW(Vop3, number, name, generations, D, A, B, C, shape, __VA_ARGS__)
#define FUNCTION3(number, name, generations, dstDwords, dwords0, dwords1, dwords2, function)                           \
  FUNCTION_ROW(Vop3, number, name, generations, dstDwords, dwords0, dwords1, dwords2, function)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vop3.def"
};

} // namespace

std::span<const Opcode> vop3Opcodes() {
  return Table;
}

} // namespace dovetail::emulator
