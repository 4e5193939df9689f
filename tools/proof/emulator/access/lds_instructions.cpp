// SPDX-License-Identifier: MIT
//
// DS: the rows of the opcodes, and their effects on LDS. Results return in order; LGKM_CNT counts them. Source: "Vega"
// ISA manual, sections 10.3.3 and 12.13; LLVM, SIInsertWaitcnts.cpp, for the counter.
#include "tools/proof/emulator/access/lane_exchange.h"
#include "tools/proof/emulator/access/lds_access.h"
#include "tools/proof/emulator/access/vector_memory.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <algorithm>
#include <bit>

namespace dovetail::emulator {

namespace {

constexpr auto M0PlusLane = LdsAccess::Address::M0PlusLane;

void issueResult(Wave &wave, const Instruction &instruction, unsigned count) {
  wave.issue(Counter::Lgkm, {{true, true, instruction.vdst, uint16_t(count)}});
}

template <typename Function> void forActiveLanes(Wave &wave, Function function) {
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    if (wave.laneIsOn(lane))
      function(lane);
}

template <typename T, Half TheHalf> void readSmall(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  Lanes &destination = wave.writeVgprPart(instruction.vdst, keptBeside(TheHalf), wave.exec());
  forActiveLanes(wave, [&](unsigned lane) {
    placeHalf(destination[lane], uint32_t(readMemory<T>(lds.at(lane, uint32_t(instruction.offset), sizeof(T)))),
              TheHalf);
  });
  issueResult(wave, instruction, 1);
}

template <typename T, Half TheHalf> void writeSmall(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  const Lanes &data = wave.readVgpr(instruction.vdata);
  forActiveLanes(wave, [&](unsigned lane) {
    T value = T(TheHalf == Half::High ? data[lane] >> 16 : data[lane]);
    if (uint8_t *bytes = lds.at(lane, uint32_t(instruction.offset), sizeof(T)))
      std::memcpy(bytes, &value, sizeof(T));
  });
  wave.issue(Counter::Lgkm, {});
}

void readDwordsAt(Wave &wave, const Instruction &instruction, LdsAccess &lds, unsigned dwords) {
  for (unsigned i = 0; i != dwords; ++i) {
    Lanes &destination = wave.writeVgpr(instruction.vdst + i);
    forActiveLanes(wave, [&](unsigned lane) {
      destination[lane] = readMemory<uint32_t>(lds.at(lane, uint32_t(instruction.offset) + 4 * i, 4));
    });
  }
  issueResult(wave, instruction, dwords);
}

void writeDwordsAt(Wave &wave, const Instruction &instruction, LdsAccess &lds, unsigned dwords) {
  for (unsigned i = 0; i != dwords; ++i) {
    const Lanes &data = wave.readVgpr(instruction.vdata + i);
    forActiveLanes(wave, [&](unsigned lane) {
      if (uint8_t *bytes = lds.at(lane, uint32_t(instruction.offset) + 4 * i, 4))
        std::memcpy(bytes, &data[lane], 4);
    });
  }
  wave.issue(Counter::Lgkm, {});
}

template <unsigned Dwords> void readDwords(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  readDwordsAt(wave, instruction, lds, Dwords);
}

template <unsigned Dwords> void writeDwords(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  writeDwordsAt(wave, instruction, lds, Dwords);
}

void readAddTid(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction, M0PlusLane);
  readDwordsAt(wave, instruction, lds, 1);
}

void writeAddTid(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction, M0PlusLane);
  writeDwordsAt(wave, instruction, lds, 1);
}

// The two offsets of read2 and write2 count units of the type, or of 64 times the type.
template <typename T, unsigned Unit> std::array<uint32_t, 2> twoOffsets(const Instruction &instruction) {
  uint32_t unit = sizeof(T) * Unit;
  return {(uint32_t(instruction.offset) & 0xff) * unit, (uint32_t(instruction.offset) >> 8 & 0xff) * unit};
}

template <typename T, unsigned Unit> void readTwo(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  std::array<uint32_t, 2> offsets = twoOffsets<T, Unit>(instruction);
  unsigned count = 0;
  for (unsigned i = 0; i != 2; ++i) {
    std::array<T, WaveSize> values = {};
    forActiveLanes(wave, [&](unsigned lane) { values[lane] = readMemory<T>(lds.at(lane, offsets[i], sizeof(T))); });
    count += writeValues(wave, instruction.vdst + count, values);
  }
  issueResult(wave, instruction, count);
}

template <typename T, unsigned Unit> void writeTwo(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  std::array<uint32_t, 2> offsets = twoOffsets<T, Unit>(instruction);
  for (unsigned i = 0; i != 2; ++i) {
    std::array<T, WaveSize> values = readValues<T>(wave, i ? instruction.vdata1 : instruction.vdata);
    forActiveLanes(wave, [&](unsigned lane) {
      if (uint8_t *bytes = lds.at(lane, offsets[i], sizeof(T)))
        std::memcpy(bytes, &values[lane], sizeof(T));
    });
  }
  wave.issue(Counter::Lgkm, {});
}

template <typename T, unsigned Unit> void exchangeTwo(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  std::array<uint32_t, 2> offsets = twoOffsets<T, Unit>(instruction);
  std::array<std::array<T, WaveSize>, 2> old = {};
  std::array<std::array<T, WaveSize>, 2> values = {readValues<T>(wave, instruction.vdata),
                                                   readValues<T>(wave, instruction.vdata1)};
  forActiveLanes(wave, [&](unsigned lane) {
    for (unsigned i = 0; i != 2; ++i) {
      uint8_t *bytes = lds.atAligned(lane, offsets[i], sizeof(T));
      old[i][lane] = readMemory<T>(bytes);
      if (bytes != nullptr)
        std::memcpy(bytes, &values[i][lane], sizeof(T));
    }
  });
  unsigned count = writeValues(wave, instruction.vdst, old[0]);
  count += writeValues(wave, instruction.vdst + count, old[1]);
  issueResult(wave, instruction, count);
}

// Exchanges each half whose highest data bit is set; this bit is not stored.
uint64_t conditionalExchange(uint64_t memory, uint64_t data) {
  for (unsigned shift : {0, 32})
    if (data >> (shift + 31) & 1)
      memory = (memory & ~(uint64_t(0xffffffff) << shift)) | (data & uint64_t(0x7fffffff) << shift);
  return memory;
}

// Lanes operate one after the other. Floats are neither flushed nor quieted.
template <typename T, bool HasData1, bool Returns, auto Operation>
void atomicLds(Wave &wave, const Instruction &instruction) {
  LdsAccess lds(wave, instruction);
  std::array<T, WaveSize> data = readValues<T>(wave, instruction.vdata), data1 = {}, old = {};
  if (HasData1)
    data1 = readValues<T>(wave, instruction.vdata1);
  forActiveLanes(wave, [&](unsigned lane) {
    uint8_t *bytes = lds.atAligned(lane, uint32_t(instruction.offset), sizeof(T));
    if (bytes == nullptr)
      return;
    old[lane] = readMemory<T>(bytes);
    T value = Operation(old[lane], data[lane], data1[lane]);
    std::memcpy(bytes, &value, sizeof(T));
  });
  if (Returns)
    issueResult(wave, instruction, writeValues(wave, instruction.vdst, old));
  else
    wave.issue(Counter::Lgkm, {});
}

// One counter for the wave, changed once rather than per lane: all lanes get its old value.
void countLanes(Wave &wave, const Instruction &instruction, int sign) {
  LdsAccess lds(wave, instruction, LdsAccess::Address::M0);
  uint32_t old = 0;
  if (wave.exec() != 0) {
    if (uint8_t *bytes = lds.atAligned(0, uint32_t(instruction.offset), 4)) {
      old = readMemory<uint32_t>(bytes);
      uint32_t value = old + uint32_t(sign * std::popcount(wave.exec()));
      std::memcpy(bytes, &value, 4);
    }
  }
  Lanes &destination = wave.writeVgpr(instruction.vdst);
  forActiveLanes(wave, [&](unsigned lane) { destination[lane] = old; });
  issueResult(wave, instruction, 1);
}

void append(Wave &wave, const Instruction &instruction) {
  countLanes(wave, instruction, 1);
}

void consume(Wave &wave, const Instruction &instruction) {
  countLanes(wave, instruction, -1);
}

void noOperation(Wave &wave, const Instruction &) {
  wave.issue(Counter::Lgkm, {});
}

#define ROW(number, generations, name, dstDwords, addressDwords, dataDwords, data1Dwords, ...)                         \
  {Format::Ds, number, generations, name, dstDwords, {addressDwords, dataDwords, data1Dwords}, __VA_ARGS__},
#define READ(number, generations, name, type, half)                                                                    \
  ROW(number, generations, #name, 1, 1, 0, 0, readSmall<type, Half::half>)
#define READ_DWORDS(number, generations, name, dwords)                                                                 \
  ROW(number, generations, #name, dwords, 1, 0, 0, readDwords<dwords>)
#define READ2(number, generations, name, type, unit)                                                                   \
  ROW(number, generations, #name, sizeof(type) / 2, 1, 0, 0, readTwo<type, unit>)
#define WRITE(number, generations, name, type, half)                                                                   \
  ROW(number, generations, #name, 0, 1, 1, 0, writeSmall<type, Half::half>)
#define WRITE_DWORDS(number, generations, name, dwords)                                                                \
  ROW(number, generations, #name, 0, 1, dwords, 0, writeDwords<dwords>)
#define WRITE2(number, generations, name, type, unit)                                                                  \
  ROW(number, generations, #name, 0, 1, sizeof(type) / 4, sizeof(type) / 4, writeTwo<type, unit>)
#define EXCHANGE2(number, generations, name, type, unit)                                                               \
  ROW(number, generations, #name, sizeof(type) / 2, 1, sizeof(type) / 4, sizeof(type) / 4, exchangeTwo<type, unit>)
#define OPERATION(type, value)                                                                                         \
  ([]([[maybe_unused]] type memory, [[maybe_unused]] type data, [[maybe_unused]] type data1) -> type { return value; })
#define ATOMIC_RTN(number, generations, name, type, value)                                                             \
  ROW(number, generations, #name, sizeof(type) / 4, 1, sizeof(type) / 4, 0,                                            \
      atomicLds<type, false, true, OPERATION(type, value)>)
#define ATOMIC2_RTN(number, generations, name, type, value)                                                            \
  ROW(number, generations, #name, sizeof(type) / 4, 1, sizeof(type) / 4, sizeof(type) / 4,                             \
      atomicLds<type, true, true, OPERATION(type, value)>)
#define ATOMIC(number, generations, before, behind, type, value)                                                       \
  ROW(number, generations, "ds_" #before "_" #behind, 0, 1, sizeof(type) / 4, 0,                                       \
      atomicLds<type, false, false, OPERATION(type, value)>)                                                           \
  ROW(number + 32, generations, "ds_" #before "_rtn_" #behind, sizeof(type) / 4, 1, sizeof(type) / 4, 0,               \
      atomicLds<type, false, true, OPERATION(type, value)>)
#define ATOMIC2(number, generations, before, behind, type, value)                                                      \
  ROW(number, generations, "ds_" #before "_" #behind, 0, 1, sizeof(type) / 4, sizeof(type) / 4,                        \
      atomicLds<type, true, false, OPERATION(type, value)>)                                                            \
  ROW(number + 32, generations, "ds_" #before "_rtn_" #behind, sizeof(type) / 4, 1, sizeof(type) / 4,                  \
      sizeof(type) / 4, atomicLds<type, true, true, OPERATION(type, value)>)
#define OTHER(number, generations, name, dstDwords, addressDwords, dataDwords, function)                               \
  ROW(number, generations, #name, dstDwords, addressDwords, dataDwords, 0, function)

constexpr Opcode Rows[] = {
#include "tools/proof/emulator/isa/opcodes/ds.def"
};

} // namespace

std::span<const Opcode> dsOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
