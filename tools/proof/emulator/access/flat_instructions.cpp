// SPDX-License-Identifier: MIT
//
// FLAT, GLOBAL and SCRATCH: 64-bit addresses, or offsets into a lane's scratch memory. Here, the flat segment reaches
// only global memory: code would reach LDS and scratch through aperture operands that none of our drivers sets up.
// Source: "Vega" ISA manual, chapter 9.
#include "tools/proof/emulator/access/vector_memory.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

enum class Segment : uint8_t { Flat, Scratch, Global };

class FlatAccess {
public:
  FlatAccess(Wave &wave, const Instruction &instruction)
      : m_wave(wave), m_segment(Segment(instruction.segment)), m_offset(instruction.offset) {
    bool hasSaddr = m_segment != Segment::Flat && instruction.soffset != NoSaddr;
    if (m_segment == Segment::Scratch && wave.facts().numberedSgprs > FlatScratchLo)
      wave.trap(TrapKind::Unsupported, "the scratch segment without FLAT_SCRATCH among the SGPRs");
    else if (m_segment == Segment::Scratch) {
      m_base = wave.readSgprPair(FlatScratchLo);
      m_scratchOffset = hasSaddr ? wave.readSgpr(instruction.soffset) : 0;
    } else if (hasSaddr) {
      m_base = wave.readSgprPair(instruction.soffset);
    }
    // Scratch has an SGPR or a VGPR as offset; global adds a 32-bit VGPR to an SGPR pair.
    m_hasVaddr = m_segment != Segment::Scratch || !hasSaddr;
    m_hasHigh = m_segment != Segment::Scratch && !hasSaddr;
    if (m_hasVaddr)
      m_low = wave.readVgpr(instruction.vaddr);
    if (m_hasHigh)
      m_high = wave.readVgpr(instruction.vaddr + 1);
  }

  uint8_t *at(unsigned lane, unsigned offset, unsigned size, bool forWriting) {
    if (m_wave.trapped())
      return nullptr;
    m_address = m_segment == Segment::Scratch ? scratchAddress(lane, offset, size)
                                              : m_base + laneAddress(lane) + uint64_t(m_offset) + offset;
    return m_wave.global(m_address, size, forWriting).data();
  }

  LanePlaces places(unsigned offset, unsigned size, bool forWriting) {
    LanePlaces places = {};
    forEachLaneOn(m_wave, [&](unsigned lane) { places[lane] = at(lane, offset, size, forWriting); });
    return places;
  }

  uint64_t addressOfLast() const { return m_address; }
  bool isScratch() const { return m_segment == Segment::Scratch; }
  static unsigned resultRegister(const Instruction &instruction) { return instruction.vdst; }

  // A flat operation has both counters, because its address may turn out to be in LDS. If it is in memory, the data
  // returns with VM_CNT, in the order of all vector memory. LLVM counts flat accesses in this way if it knows that they
  // go to memory; GFX8's global accesses are among them. When such an operation leaves LGKM_CNT is unknown.
  void issue(std::initializer_list<Wave::InFlight> registers) {
    m_wave.issue(Counter::Vm, registers);
    if (m_segment == Segment::Flat)
      m_wave.issue(Counter::Lgkm, {}, true);
  }
  void issueStore() {
    m_wave.issueStore();
    if (m_segment == Segment::Flat)
      m_wave.issue(Counter::Lgkm, {}, true);
  }

private:
  uint64_t laneAddress(unsigned lane) const {
    return (m_hasVaddr ? m_low[lane] : 0) | (m_hasHigh ? uint64_t(m_high[lane]) << 32 : 0);
  }

  // Dwords of a wave's lanes are adjacent.
  uint64_t scratchAddress(unsigned lane, unsigned offset, unsigned size) {
    uint32_t place = uint32_t(laneAddress(lane)) + m_scratchOffset + uint32_t(m_offset) + offset;
    if (place % 4 + size > 4)
      m_wave.trap(TrapKind::MisalignedAccess, "{} bytes at offset {:#x} of scratch", size, place);
    return m_base + uint64_t(place / 4) * 4 * WaveSize + lane * 4 + place % 4;
  }

  Wave &m_wave;
  Segment m_segment;
  int64_t m_offset;
  uint64_t m_base = 0;
  uint32_t m_scratchOffset = 0;
  bool m_hasVaddr = false, m_hasHigh = false;
  Lanes m_low, m_high;
  uint64_t m_address = 0;
};

using A = FlatAccess;
constexpr uint8_t Address = 2, Saddr = 2; // registers, at most

// The segment is part of the number (opcode.h).
constexpr uint16_t flatNumber(Segment segment, unsigned number) {
  return uint16_t(unsigned(segment) << 7 | number);
}

// GFX8 has only the flat segment.
constexpr uint8_t generationsOf(Segment segment, uint8_t generations) {
  return segment == Segment::Flat ? generations : generations & ~Gfx8;
}

#define ROW(number, generations, name, dstDwords, dataDwords, ...)                                                     \
  {Format::Flat,                                                                                                       \
   flatNumber(TheSegment, number),                                                                                     \
   generationsOf(TheSegment, generations),                                                                             \
   Prefix #name,                                                                                                       \
   dstDwords,                                                                                                          \
   {Address, dataDwords, Saddr},                                                                                       \
   __VA_ARGS__},
#define LOAD(number, generations, name, type, half) ROW(number, generations, name, 1, 0, loadSmall<A, type, Half::half>)
#define LOAD_DWORDS(number, generations, name, dwords) ROW(number, generations, name, dwords, 0, loadDwords<A, dwords>)
#define STORE(number, generations, name, type, half)                                                                   \
  ROW(number, generations, name, 0, 1, storeSmall<A, type, Half::half>)
#define STORE_DWORDS(number, generations, name, dwords)                                                                \
  ROW(number, generations, name, 0, dwords, storeDwords<A, dwords>)
#define ATOMIC(number, generations, name, type, value)                                                                 \
  ROW(number, generations, name, sizeof(type) / 4, sizeof(type) / 4,                                                   \
      atomic<A, type, false,                                                                                           \
             ([]([[maybe_unused]] type memory, [[maybe_unused]] type data) -> type { return value; })>)
#define ATOMIC_COMPARE(number, generations, name, type)                                                                \
  ROW(number, generations, name, sizeof(type) / 4, sizeof(type) / 2, atomic<A, type, true, nullptr>)

constexpr Opcode Rows[] = {
#define TheSegment Segment::Flat
#define Prefix "flat_"
#include "tools/proof/emulator/isa/opcodes/vmem.def"
#undef TheSegment
#undef Prefix
#define TheSegment Segment::Global
#define Prefix "global_"
#include "tools/proof/emulator/isa/opcodes/vmem.def"
#undef TheSegment
#undef Prefix
// Scratch has no atomics.
#undef ATOMIC
#undef ATOMIC_COMPARE
#define ATOMIC(number, generations, name, type, value)
#define ATOMIC_COMPARE(number, generations, name, type)
#define TheSegment Segment::Scratch
#define Prefix "scratch_"
#include "tools/proof/emulator/isa/opcodes/vmem.def"
};

} // namespace

std::span<const Opcode> flatOpcodes() {
  return Rows;
}

} // namespace dovetail::emulator
