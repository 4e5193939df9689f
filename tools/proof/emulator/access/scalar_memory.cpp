// SPDX-License-Identifier: MIT
//
// Scalar loads and stores. They return in any order, so only lgkmcnt(0) guarantees that a register has arrived.
// Source: "Vega" ISA manual, chapter 7; 7.4 for alignment and out-of-bounds accesses.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/alu/scalar.h"
#include <cstring>

namespace dovetail::emulator::scalar_ops {

namespace {

constexpr uint64_t AddressMask = 0xffff'ffff'ffff; // 48 bits

// The sum of the immediate and the SGPR, if the instruction has them.
int64_t byteOffset(Wave &wave, const Instruction &instruction) {
  int64_t offset = instruction.offset;
  if (instruction.soffsetEnable || !instruction.immediate)
    offset += wave.readSgpr(instruction.soffset);
  return offset;
}

bool isAligned(Wave &wave, uint64_t address) {
  if (address % 4 == 0)
    return true;
  wave.trap(TrapKind::MisalignedAccess, "scalar access to {:#x}", address);
  return false;
}

// A destination of two or four dwords must begin at a multiple of its size, a larger one at a multiple of four.
bool isDataAligned(Wave &wave, const Instruction &instruction, unsigned dwords) {
  unsigned alignment = dwords < 4 ? dwords : 4;
  if (instruction.sdata % alignment == 0)
    return true;
  wave.trap(TrapKind::Unsupported, "s{} for {} dwords", instruction.sdata, dwords);
  return false;
}

void finishLoad(Wave &wave, const Instruction &instruction, unsigned dwords, const uint32_t *values) {
  for (unsigned i = 0; i < dwords; ++i)
    wave.writeSgpr(instruction.sdata + i, values[i]);
  wave.issue(Counter::Lgkm, {{.isVgpr = false, .result = true, .first = instruction.sdata, .count = uint16_t(dwords)}},
             true);
}

// The range of a buffer that scalar accesses may touch.
struct ScalarBuffer {
  uint64_t base, size;
};
ScalarBuffer readBuffer(Wave &wave, const Instruction &instruction) {
  std::array<uint32_t, 4> words;
  for (unsigned i = 0; i < 4; ++i)
    words[i] = wave.readSgpr(instruction.srsrc + i);
  // Scalar accesses only use the base, the stride and the number of records.
  uint64_t base = (words[0] | uint64_t(words[1] & 0xffff) << 32) & AddressMask;
  uint64_t stride = words[1] >> 16 & 0x3fff;
  return {base, words[2] * (stride != 0 ? stride : 1)};
}

} // namespace

void load(Wave &wave, const Instruction &instruction, unsigned dwords) {
  uint64_t address = (wave.readSgprPair(instruction.srsrc) + uint64_t(byteOffset(wave, instruction))) & AddressMask;
  if (!isAligned(wave, address) || !isDataAligned(wave, instruction, dwords))
    return;
  std::span<const uint8_t> bytes = wave.global(address, dwords * 4, false);
  if (bytes.empty())
    return;
  std::array<uint32_t, 16> values;
  std::memcpy(values.data(), bytes.data(), dwords * 4);
  finishLoad(wave, instruction, dwords, values.data());
}

void store(Wave &wave, const Instruction &instruction, unsigned dwords) {
  uint64_t address = (wave.readSgprPair(instruction.srsrc) + uint64_t(byteOffset(wave, instruction))) & AddressMask;
  if (!isAligned(wave, address) || !isDataAligned(wave, instruction, dwords))
    return;
  std::span<uint8_t> bytes = wave.global(address, dwords * 4, true);
  for (unsigned i = 0; i < dwords && !bytes.empty(); ++i) {
    uint32_t value = wave.readSgpr(instruction.sdata + i);
    std::memcpy(bytes.data() + i * 4, &value, 4);
  }
  wave.issue(Counter::Lgkm, {}, true);
}

// A dword beyond the buffer's end reads as 0.
void bufferLoad(Wave &wave, const Instruction &instruction, unsigned dwords) {
  ScalarBuffer buffer = readBuffer(wave, instruction);
  uint64_t offset = uint32_t(byteOffset(wave, instruction));
  if (!isAligned(wave, buffer.base + offset) || !isDataAligned(wave, instruction, dwords))
    return;
  std::array<uint32_t, 16> values = {};
  for (unsigned i = 0; i < dwords && offset + i * 4 + 4 <= buffer.size; ++i) {
    std::span<const uint8_t> bytes = wave.global(buffer.base + offset + i * 4, 4, false);
    if (bytes.empty())
      return;
    std::memcpy(&values[i], bytes.data(), 4);
  }
  finishLoad(wave, instruction, dwords, values.data());
}

// A dword beyond the buffer's end is dropped.
void bufferStore(Wave &wave, const Instruction &instruction, unsigned dwords) {
  ScalarBuffer buffer = readBuffer(wave, instruction);
  uint64_t offset = uint32_t(byteOffset(wave, instruction));
  if (!isAligned(wave, buffer.base + offset) || !isDataAligned(wave, instruction, dwords))
    return;
  for (unsigned i = 0; i < dwords; ++i) {
    uint32_t value = wave.readSgpr(instruction.sdata + i);
    if (offset + i * 4 + 4 > buffer.size)
      continue;
    std::span<uint8_t> bytes = wave.global(buffer.base + offset + i * 4, 4, true);
    if (bytes.empty())
      return;
    std::memcpy(bytes.data(), &value, 4);
  }
  wave.issue(Counter::Lgkm, {}, true);
}

// Time counts instructions, so that runs can be repeated exactly.
void readTime(Wave &wave, const Instruction &instruction) {
  uint32_t values[2] = {uint32_t(wave.instructionCount), uint32_t(wave.instructionCount >> 32)};
  finishLoad(wave, instruction, 2, values);
}

} // namespace dovetail::emulator::scalar_ops
