// SPDX-License-Identifier: MIT
//
// Loads, stores and atomics of lanes: the common part of MUBUF and FLAT instructions. An access class (BufferAccess,
// FlatAccess) finds the bytes. It has
//
//   Access(wave, instruction)                reads the address registers
//   uint8_t *at(lane, offset, size, forWriting)   nullptr: out of range (a load gives 0), or trapped
//   LanePlaces places(offset, size, forWriting)   at() of all lanes that are on
//   addressOfLast()                          the address that at() found last
//   isScratch()                              whether the bytes are the lanes' own, to which compilers spill registers
//   resultRegister(instruction)              VGPR of the result
//   issue(registers)                         counts the operation
//   issueStore()                             the same, of one that returns nothing
//
// Addresses and data are read before anything is written, so results may go to the same registers.
#pragma once

#include "tools/proof/emulator/wave/wave.h"
#include <cstring>
#include <type_traits>

namespace dovetail::emulator {

enum class Half : uint8_t { Whole, Low, High }; // of a register; the other half stays

inline void placeHalf(uint32_t &destination, uint32_t value, Half half) {
  if (half == Half::Whole)
    destination = value;
  else if (half == Half::Low)
    destination = (destination & 0xffff0000) | (value & 0xffff);
  else
    destination = (destination & 0xffff) | value << 16;
}

inline uint32_t keptBeside(Half half) {
  return half == Half::Whole ? 0 : half == Half::Low ? 0xffff0000 : 0xffff;
}

using LanePlaces = std::array<uint8_t *, WaveSize>;

template <typename T> T readMemory(const uint8_t *bytes) {
  T value = 0;
  if (bytes != nullptr)
    std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// With TFE, a register follows the results of a load. It marks texels that are not resident; here, all are.
inline unsigned writeResidency(Wave &wave, const Instruction &instruction, unsigned reg) {
  if (!instruction.tfe)
    return 0;
  Lanes &residency = wave.writeVgpr(reg);
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    if (wave.laneIsOn(lane))
      residency[lane] = 0;
  return 1;
}

// With the LDS bit, a MUBUF load goes to LDS, one dword for each lane from M0 on ("Vega" ISA manual, section 8.1.9,
// "Memory Buffer Load to LDS"). nullptr: trapped.
inline uint8_t *ldsOfLane(Wave &wave, const Instruction &instruction, uint32_t m0, unsigned lane) {
  std::vector<uint8_t> &lds = wave.group().lds;
  uint32_t address = (m0 & 0xffff) + uint32_t(instruction.offset) + lane * 4;
  if (address + 4 <= lds.size())
    return lds.data() + address;
  wave.trap(TrapKind::MemoryOutOfBounds, "LDS address {:#x} of {:#x} bytes", address, lds.size());
  return nullptr;
}

template <typename Access, typename T> void loadToLds(Wave &wave, const Instruction &instruction) {
  Access access(wave, instruction);
  uint32_t m0 = wave.m0();
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    if (!wave.laneIsOn(lane))
      continue;
    uint32_t value = uint32_t(readMemory<T>(access.at(lane, 0, sizeof(T), false)));
    if (uint8_t *lds = ldsOfLane(wave, instruction, m0, lane))
      std::memcpy(lds, &value, 4);
  }
  access.issue({});
}

inline bool refuseLds(Wave &wave, const Instruction &instruction) {
  if (instruction.lds)
    wave.trap(TrapKind::Unsupported, "with the LDS bit");
  return instruction.lds;
}

// Loads a value of at most 16 bits, extended as its type says, to a register or to half of one.
template <typename Access, typename T, Half TheHalf> void loadSmall(Wave &wave, const Instruction &instruction) {
  if constexpr (TheHalf == Half::Whole)
    if (instruction.lds && instruction.format == Format::Mubuf)
      return loadToLds<Access, T>(wave, instruction);
  if (refuseLds(wave, instruction))
    return;
  Access access(wave, instruction);
  unsigned reg = access.resultRegister(instruction);
  Lanes &destination = wave.writeVgprPart(reg, keptBeside(TheHalf), wave.exec());
  const LanePlaces places = access.places(0, sizeof(T), false);
  forEachLaneOn(wave,
                [&](unsigned lane) { placeHalf(destination[lane], uint32_t(readMemory<T>(places[lane])), TheHalf); });
  unsigned extra = writeResidency(wave, instruction, reg + 1);
  access.issue({{true, true, uint16_t(reg), uint16_t(1 + extra)}});
}

template <typename Access, unsigned Dwords> void loadDwords(Wave &wave, const Instruction &instruction) {
  if constexpr (Dwords == 1)
    if (instruction.lds && instruction.format == Format::Mubuf)
      return loadToLds<Access, uint32_t>(wave, instruction);
  if (refuseLds(wave, instruction))
    return;
  Access access(wave, instruction);
  unsigned reg = access.resultRegister(instruction);
  for (unsigned i = 0; i != Dwords; ++i) {
    Lanes &destination = wave.writeVgpr(reg + i);
    const LanePlaces places = access.places(4 * i, 4, false);
    forEachLaneOn(wave, [&](unsigned lane) { destination[lane] = readMemory<uint32_t>(places[lane]); });
    if (access.isScratch())
      wave.noteReload(reg + i, places);
  }
  unsigned extra = writeResidency(wave, instruction, reg + Dwords);
  access.issue({{true, true, uint16_t(reg), uint16_t(Dwords + extra)}});
}

template <typename Access, typename T, Half TheHalf> void storeSmall(Wave &wave, const Instruction &instruction) {
  if (refuseLds(wave, instruction))
    return;
  Access access(wave, instruction);
  constexpr uint32_t Stored = TheHalf == Half::High ? 0xffff0000
                              : sizeof(T) == 4      ? ~0u
                                                    : (1u << sizeof(T) * 8 % 32) - 1;
  const Lanes &data = wave.readVgpr(instruction.vdata, Stored);
  const LanePlaces places = access.places(0, sizeof(T), true);
  if (access.isScratch())
    wave.forgetSpill(places);
  forEachLaneOn(wave, [&](unsigned lane) {
    T value = T(TheHalf == Half::High ? data[lane] >> 16 : data[lane]);
    if (places[lane] != nullptr)
      std::memcpy(places[lane], &value, sizeof(T));
  });
  access.issueStore();
}

template <typename Access, unsigned Dwords> void storeDwords(Wave &wave, const Instruction &instruction) {
  if (refuseLds(wave, instruction))
    return;
  Access access(wave, instruction);
  for (unsigned i = 0; i != Dwords; ++i) {
    const Lanes &data = wave.readVgpr(instruction.vdata + i, access.isScratch() ? 0 : ~0u);
    const LanePlaces places = access.places(4 * i, 4, true);
    if (access.isScratch())
      wave.noteSpill(instruction.vdata + i, places);
    forEachLaneOn(wave, [&](unsigned lane) {
      if (places[lane] != nullptr)
        std::memcpy(places[lane], &data[lane], 4);
    });
  }
  access.issueStore();
}

// Reads one or two registers as values, lane by lane.
template <typename T> std::array<T, WaveSize> readValues(Wave &wave, unsigned reg) {
  std::array<T, WaveSize> values;
  const Lanes &low = wave.readVgpr(reg);
  const Lanes *high = sizeof(T) == 8 ? &wave.readVgpr(reg + 1) : nullptr;
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    uint64_t bits = low[lane] | (high != nullptr ? uint64_t((*high)[lane]) << 32 : 0);
    std::memcpy(&values[lane], &bits, sizeof(T));
  }
  return values;
}

// Writes the lanes that are on; returns the number of registers.
template <typename T> unsigned writeValues(Wave &wave, unsigned reg, const std::array<T, WaveSize> &values) {
  for (unsigned i = 0; i != sizeof(T) / 4; ++i) {
    Lanes &destination = wave.writeVgpr(reg + i);
    for (unsigned lane = 0; lane != WaveSize; ++lane)
      if (wave.laneIsOn(lane))
        std::memcpy(&destination[lane], reinterpret_cast<const uint8_t *>(&values[lane]) + 4 * i, 4);
  }
  return sizeof(T) / 4;
}

// Lanes operate one after the other. `operation` makes the new value of the old one and the data. With CompareAndSwap,
// the comparand follows the value to store. GLC: returns the old values.
template <typename Access, typename T, bool CompareAndSwap, auto Operation>
void atomic(Wave &wave, const Instruction &instruction) {
  if (refuseLds(wave, instruction))
    return;
  if (instruction.tfe)
    return wave.trap(TrapKind::Unsupported, "an atomic with TFE");
  Access access(wave, instruction);
  std::array<T, WaveSize> data = readValues<T>(wave, instruction.vdata), comparand = {}, old = {};
  if (CompareAndSwap)
    comparand = readValues<T>(wave, instruction.vdata + sizeof(T) / 4);
  for (unsigned lane = 0; lane != WaveSize; ++lane) {
    if (!wave.laneIsOn(lane))
      continue;
    uint8_t *bytes = access.at(lane, 0, sizeof(T), true);
    if (bytes == nullptr)
      continue;
    if (access.addressOfLast() % sizeof(T) != 0)
      return wave.trap(TrapKind::MisalignedAccess, "an atomic of {} bytes at {:#x}", sizeof(T), access.addressOfLast());
    old[lane] = readMemory<T>(bytes);
    T value;
    if constexpr (CompareAndSwap)
      value = old[lane] == comparand[lane] ? data[lane] : old[lane];
    else
      value = Operation(old[lane], data[lane]);
    std::memcpy(bytes, &value, sizeof(T));
  }
  if (!instruction.glc)
    return access.issueStore();
  unsigned reg = access.resultRegister(instruction);
  access.issue({{true, true, uint16_t(reg), uint16_t(writeValues(wave, reg, old))}});
}

} // namespace dovetail::emulator
