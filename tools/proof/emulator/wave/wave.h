// SPDX-License-Identifier: MIT
//
// Wave: the registers of 64 lanes and what watches over their use. Every access to a register goes through the wave,
// which checks that the register is allocated, was written, is not waiting for a load, and that the wait states of the
// ISA manual are kept. Instructions change a wave only through these functions.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include "tools/proof/emulator/memory/memory.h"
#include "tools/proof/emulator/numerics/host_vectors.h"
#include "tools/proof/emulator/numerics/rounding_noise.h"
#include "tools/proof/emulator/wave/chip.h"
#include "tools/proof/emulator/wave/gs_messages.h"
#include "tools/proof/emulator/wave/integer_division.h"
#include "tools/proof/emulator/wave/ordered_waves.h"
#include "tools/proof/emulator/wave/soft_clause.h"
#include "tools/proof/emulator/wave/trap.h"
#include "tools/proof/emulator/wave/undefined_choices.h"
#include "tools/proof/emulator/wave/wait_states.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace dovetail::emulator {

constexpr unsigned WaveSize = 64;
using Lanes = std::array<uint32_t, WaveSize>;

// All ones in the lanes of which the bit is set, 0 in the others; and back. Inlined, so that a loop behind reads what
// vector instructions of the same width have written (alu/host_vectors.h).
[[gnu::always_inline]] inline Lanes laneMasks(uint64_t bits) {
  static constexpr std::array<uint32_t, 32> BitOfLane = [] {
    std::array<uint32_t, 32> bitOfLane = {};
    for (unsigned lane = 0; lane < bitOfLane.size(); ++lane)
      bitOfLane[lane] = uint32_t(1) << lane;
    return bitOfLane;
  }();
  Lanes masks;
  const uint32_t low = uint32_t(bits), high = uint32_t(bits >> 32);
  for (unsigned lane = 0; lane < 32; ++lane)
    masks[lane] = (low & BitOfLane[lane]) != 0 ? ~0u : 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    masks[32 + lane] = (high & BitOfLane[lane]) != 0 ? ~0u : 0;
  return masks;
}
[[gnu::always_inline]] inline uint64_t laneBits(const Lanes &masks) {
  // A bit for each lane, eight lanes together; then each byte's bits come together by one multiplication.
  std::array<uint8_t, WaveSize> flags;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    flags[lane] = uint8_t(masks[lane] & 1);
  uint64_t bits = 0;
  for (unsigned lane = 0; lane < WaveSize; lane += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, &flags[lane], sizeof(eight));
    constexpr uint64_t Gather = 0x0102040810204080; // byte i's lowest bit to bit 56 + i
    bits |= (eight * Gather >> 56) << lane;
  }
  return bits;
}

enum class WaveStage : uint8_t { Ls, Hs, Es, Gs, Vs, Ps, Cs };

// Parameters of the primitives of a pixel wave, as v_interp reads them from LDS behind M0.
struct FragmentParameters {
  // P0, P10 = P1 - P0 and P20 = P2 - P0 of one channel. As bits: a flat attribute's P0 may be an integer.
  struct Channel {
    uint32_t p0 = 0, p10 = 0, p20 = 0;
  };
  using Attribute = std::array<Channel, 4>;
  uint32_t primMask = 0;                                // what the hardware puts into the PrimMask SGPR
  std::array<uint8_t, WaveSize / 4> quadPrimitive = {}; // index into primitives
  std::vector<std::vector<Attribute>> primitives;
};

struct Export {
  uint8_t target = 0, enable = 0;
  bool compressed = false, done = false, validMask = false;
  uint64_t exec = 0;
  std::array<Lanes, 4> data = {}; // compressed: data[0] and data[1] hold two 16-bit values a lane
};

// What must hold when the program counter reaches the end of a part.
struct PartEnd {
  // FirstHalf, SecondHalf: the lanes of that half of a merged program.
  enum class Exec : uint8_t { SameAsAtLaunch, SubsetOfLaunch, FirstHalf, SecondHalf };
  uint64_t address;
  Exec exec;
};

constexpr uint32_t UndefinedValue = 0xffc0dead; // a NaN

// What all waves of one group share.
struct Workgroup {
  std::vector<uint8_t> lds;
};

// The lanes that the halves of a merged program (GFX9's LS-HS and ES-GS) have in a wave: what merged_wave_info counts.
struct MergedHalves {
  uint64_t first = 0, second = 0;
};

// The hardware's part in a wave's start. A register without a value is allocated but not initialised.
struct WaveSetup {
  WaveStage stage = WaveStage::Vs;
  uint64_t address = 0;
  uint64_t exec = ~uint64_t(0);
  uint64_t covered = ~uint64_t(0);            // lanes that may be on at an export (pixels that are no helpers)
  std::vector<std::optional<uint32_t>> sgprs; // from s0
  std::vector<std::optional<Lanes>> vgprs;    // from v0
  unsigned sgprCount = 104, vgprCount = 256;  // allocated
  uint64_t codeEnd = 0;                       // 0: the end of the memory region
  uint8_t floatMode = 0xc0;                   // FLOAT_MODE of RSRC1
  bool dx10Clamp = true, ieeeMode = false;
  // Registers that nobody wrote may be read, and hold UndefinedValue: for code of compilers that have undefined values.
  bool mayReadUndefined = false;
  const FragmentParameters *parameters = nullptr;
  std::optional<GsMessageRules> gsMessages; // of geometry waves
  std::optional<OrderedWave> ordered;       // of pixel waves that are told whom they overlap
  // Merged programs. Nothing says which lanes are on when they start, and all drivers begin them with EXEC = -1 (Mesa:
  // ac_init_exec_full_mask), so vector instructions before EXEC is set are a defect.
  std::optional<MergedHalves> halves;
  bool isRasterised = true; // vertex waves: otherwise they export nothing
  const std::vector<PartEnd> *partEnds = nullptr;
};

// Which counter of s_waitcnt an operation in flight belongs to. A flat operation has two.
enum class Counter : uint8_t { Vm, Lgkm, Exp };

enum class WaveStatus : uint8_t { Running, AtBarrier, Sleeping, Ended, Trapped };

class Wave {
public:
  Wave(Generation generation, Memory &memory, Workgroup &group, const WaveSetup &setup);

  // Registers. A scalar register's number is its operand number below 128. Lanes that an instruction does not write
  // keep their values: write through the returned reference where laneIsOn(). Reading through writeVgpr's reference is
  // how instructions keep parts of a register (d16, dst_sel preserve).
  uint32_t readSgpr(unsigned number, uint32_t needed = ~0u); // traps if one of the bits `needed` is undefined
  uint64_t readSgprPair(unsigned number);
  void writeSgpr(unsigned number, uint32_t value);
  void writeSgprPair(unsigned number, uint64_t value);
  // A pair that is a mask of lanes: only those that are on must be defined.
  uint64_t readLaneMask(unsigned number);
  // For bitwise operations on masks, which compilers build up from registers that hold nothing yet: bits that nothing
  // defined are no defect before somebody depends on them.
  struct DefinedBits {
    uint32_t value = 0, defined = 0;
  };
  DefinedBits readSgprBits(unsigned number) {
    if (!isOrdinarySgpr(number) || (m_current != nullptr && (m_current->waitStateUses & VmemUse) != 0))
      return readAnySgprBits(number);
    return {m_sgprs[number], m_setup.mayReadUndefined ? ~0u : m_sgprDefined[number]};
  }
  void writeSgprBits(unsigned number, DefinedBits bits) {
    if (!isOrdinarySgpr(number))
      return writeAnySgprBits(number, bits);
    if (m_current != nullptr)
      m_waitStates.writeSgpr(number, *m_current);
    m_sgprs[number] = bits.value;
    m_sgprDefined[number] = bits.defined;
  }
  const Lanes &readVgpr(unsigned number, uint32_t needed = ~0u) {
    const bool isOrdinary = number < m_vgprs.size() && m_vgprWritten[number] && !m_hasUndefinedBits[number] &&
                            m_vgprInFlight[number].isNothing() && m_softClause.isOutside();
    return isOrdinary ? m_vgprs[number] : readAnyVgpr(number, needed);
  }
  Lanes &writeVgpr(unsigned number) {
    const bool isOrdinary = number < m_vgprs.size() && !m_hasUndefinedBits[number] &&
                            m_vgprInFlight[number].isNothing() && !m_movesUndefined && m_softClause.isOutside();
    if (!isOrdinary)
      return writeAnyVgpr(number);
    m_vgprWritten[number] = true;
    if (m_current != nullptr)
      checkWaitStates(m_waitStates.writeVgpr(number, *m_current));
    return m_vgprs[number];
  }
  // Likewise for an instruction that keeps the bits `kept` of the lanes that it writes: those that were undefined stay
  // so.
  Lanes &writeVgprPart(unsigned number, uint32_t kept, uint64_t written);
  // A v_mov_b32 of a register that nobody wrote is no defect either: compilers move values that are defined on one way
  // only to where the ways meet. What it writes does not count as written. Nor are v_writelane_b32, v_readlane_b32 and
  // v_readfirstlane_b32: bits that are not defined stay so on their way through a lane.
  void writeVgprLane(unsigned number, unsigned lane, DefinedBits bits);
  DefinedBits readVgprLane(unsigned number, unsigned lane);

  // undefined_bits.cpp. Whether a vector instruction may read what is undefined, in registers that it names.
  bool mayReadUndefined(const Instruction &instruction) const;
  // Executes such an instruction, if it writes one VGPR or a pair of them, carries and nothing else; otherwise it
  // returns false, and the instruction traps where it reads. Bits that do not change the result are not read.
  // Instructions that move, add or multiply bits hand on what is undefined, others trap.
  bool executeWithUndefined(const Instruction &instruction);
  // An instruction hands on what is undefined. If one of its sources is a register that nobody wrote, a later trap
  // names the first such.
  void noteUnwrittenSource(const Instruction &instruction);
  // A register that goes to scratch memory at these places, and one that comes back: undefined bits stay undefined.
  void noteSpill(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places);
  void forgetSpill(const std::array<uint8_t *, WaveSize> &places); // a part of it is written
  void noteReload(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places);

  // The instruction with an index from M0 added to the numbers of those VGPR operands that are named: by bits 0 to 2
  // its sources, by bit 3 its destination. It may choose a VGPR that is not there, as where a shader's index is beyond
  // its array: then v0 is read in its place, and an instruction that would write it does nothing, nor is it returned
  // (ISA manuals, on VGPRs out of range).
  std::optional<Instruction> withVgprIndex(Instruction instruction, uint32_t index, unsigned operands) const;

  // A scalar source operand: register, inline constant or literal. Floating-point inline constants are f32 bits;
  // scalar64 gives f64 bits for them, and sign-extends integers. `isFloat`: the instruction is one on f64.
  uint32_t scalar(const Instruction &instruction, unsigned source, uint32_t needed = ~0u);
  uint64_t scalar64(const Instruction &instruction, unsigned source, bool isFloat = false);

  // EXEC, VCC and SCC as instructions use them implicitly; checked like all others.
  uint64_t exec() const { return m_exec; }
  void setExec(uint64_t value); // by an SALU or VALU instruction: hazards are recorded
  bool laneIsOn(unsigned lane) const { return (m_exec >> lane & 1) != 0; }
  // Writes the lanes that are on.
  void setLanes(Lanes &to, const Lanes &from) {
    const Lanes &masks = execMasks();
    withHostVectors([&] {
      DOVETAIL_LANES_ARE_APART
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        to[lane] = (from[lane] & masks[lane]) | (to[lane] & ~masks[lane]);
    });
  }
  // EXEC as a mask for each lane: all ones where it is on.
  const Lanes &execMasks() {
    if (m_execMasksOf != m_exec) {
      withHostVectors([&] { m_execMasks = laneMasks(m_exec); });
      m_execMasksOf = m_exec;
    }
    return m_execMasks;
  }
  bool scc();
  void setScc(bool value);
  bool isSccDefined() const { return m_sccWritten; }
  void setSccUndefined() { m_sccWritten = false; }
  uint64_t vcc() { return readSgprPair(VccLo); }
  uint32_t m0() { return readSgpr(M0); }

  // MODE: [1:0] f32 rounding, [3:2] f16/f64 rounding, [5:4] f32 denormals (bit 0: inputs, bit 1: results are kept),
  // [7:6] f16/f64 denormals, bit 8 DX10_CLAMP, bit 9 IEEE.
  uint32_t mode() const { return m_mode; }
  void setMode(uint32_t value) { m_mode = value; }
  RoundingNoise &roundingNoise() { return m_roundingNoise; }
  // Variation::reciprocalUlps
  int reciprocalUlps() const { return m_reciprocalUlps; }
  void setReciprocalUlps(int ulps) { m_reciprocalUlps = ulps; }
  // Lanes whose result gets no noise.
  uint64_t exactLanes() const { return m_division.exactLanes(); }
  UndefinedChoices &undefinedChoices() { return m_undefinedChoices; }
  // Whether `lane` is off because the shader went another way in it, or ended. A lane that only helps a quad may also
  // be off because a compiler forgot it: that is not it if it never was on, or if no such lane is.
  bool isLeftOff(unsigned lane) const { return (leftOff() >> lane & 1) != 0; }
  uint64_t leftOff() const {
    const uint64_t helpers = ~m_setup.covered;
    return ~m_exec & (m_setup.covered | ((m_exec & helpers) != 0 ? m_wereOn : 0));
  }

  // Operations in flight, in the order in which they are issued. `result`: the registers will be written by it, and
  // must not be touched until s_waitcnt says so; otherwise they are still read, and must not be written. The value
  // itself is stored at once. Counters count one for each call of issue().
  struct InFlight {
    bool isVgpr = true;
    bool result = true;
    uint16_t first = 0, count = 0; // 0 registers: only counts
  };
  // At most four ranges of registers. outOfOrder: the counter tells nothing until it is 0 (SMEM among others).
  void issue(Counter counter, std::initializer_list<InFlight> registers, bool outOfOrder = false);
  // Of a cache of vector memory, which accesses nothing.
  void issueInvalidation();
  void waitFor(Counter counter, unsigned atMost);
  // Most that a counter can count (LLVM, AMDGPUBaseInfo.cpp, getVmcntBitMask and its neighbours).
  unsigned counterLimit(Counter counter) const;
  bool hasLdsWritesInFlight() const;
  // To vector memory.
  size_t accessesInFlight() const;

  // Memory with traps. Addresses are bytes; `what` is for messages. An empty span means that the wave has trapped.
  std::span<uint8_t> global(uint64_t address, unsigned size, bool forWriting) {
    const std::span<uint8_t> bytes = m_memory.at(address, size, forWriting);
    if (bytes.empty() && size != 0)
      trapOutOfBounds(address, size, forWriting);
    return bytes;
  }
  Workgroup &group() { return m_group; }
  Memory &memory() { return m_memory; }

  // Stops the wave. The first trap stays. (Out of line: nearly every access to a register may trap.)
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void trap(TrapKind kind, fmt::format_string<Args...> format, Args &&...args) {
    stop(kind, fmt::format(format, std::forward<Args>(args)...));
  }
  const std::optional<Trap> &trapped() const { return m_trap; }

  Generation generation() const { return m_chip.generation(); }
  // runWaves() sets it from the Gpu; before, it is an ordinary one of the generation.
  const Chip &chip() const { return m_chip; }
  void setChip(const Chip &chip) { m_chip = chip; }
  const WaveSetup &setup() const { return m_setup; }
  // The instruction that is being executed.
  const Instruction &current() const { return *m_current; }

  // Lane for lane what `exec` and the registers were: for tests and reports; no checks. What the wave does not have is
  // 0.
  const Lanes &peekVgpr(unsigned number) const {
    static constexpr Lanes Zeros = {};
    return number < m_vgprs.size() ? m_vgprs[number] : Zeros;
  }
  uint32_t peekSgpr(unsigned number) const { return m_sgprs[number]; }

  uint64_t pc = 0; // behind the current instruction while it executes
  WaveStatus status = WaveStatus::Running;
  std::vector<Export> exports;
  std::vector<Message> messages;
  GsMessageState gsMessages;
  OrderedState ordered;
  uint64_t instructionCount = 0;

private:
  friend class Runner;
  void stop(TrapKind kind, std::string text);
  [[gnu::cold]] void stop(WaitStateViolation violation);
  [[gnu::cold]] void trapOutOfBounds(uint64_t address, unsigned size, bool forWriting);
  bool readsLoadingLanes(unsigned number) const;
  bool writesLoadingLanes(unsigned number) const;

  // Whether nothing has to be checked but that the register was written: an SGPR that is allocated, or VCC, without a
  // load in flight, outside of soft clauses.
  bool isOrdinarySgpr(unsigned number) const {
    return (number < m_ordinarySgprs || number == VccLo || number == VccHi) && m_sgprResults[number] == 0 &&
           m_softClause.isOutside();
  }
  DefinedBits readAnySgprBits(unsigned number);
  void writeAnySgprBits(unsigned number, DefinedBits bits);
  const Lanes &readAnyVgpr(unsigned number, uint32_t needed);
  Lanes &writeAnyVgpr(unsigned number);
  bool checkSgpr(unsigned number);
  bool hasVgpr(unsigned number) const { return number < m_setup.vgprCount && number < m_vgprs.size(); }
  bool checkVgpr(unsigned number);
  void checkWaitStates(WaitStateViolation violation) {
    if (violation)
      stop(violation);
  }
  void checkSoftClause(const char *violation) {
    if (violation != nullptr)
      stop(TrapKind::WaitStates, violation);
  }
  struct Operation {
    std::array<InFlight, 4> registers;
    uint8_t count = 0;
    bool outOfOrder = false;
    bool invalidates = false; // and accesses nothing
  };
  void count(Counter counter, const Operation &operation, int change);
  bool isNamed(std::string_view name) const; // the current instruction
  bool isMove() const;
  bool isChosenByNoLane(unsigned vgpr);
  bool isReadByNoLane() const;
  bool readsUndefinedBits(unsigned vgpr, uint32_t needed) const;
  void setUndefinedBits(unsigned vgpr, const Lanes &bits, uint64_t lanes);
  Lanes undefinedBitsOf(unsigned vgpr) const;

  Chip m_chip;
  Memory &m_memory;
  Workgroup &m_group;
  const WaveSetup &m_setup;
  const Instruction *m_current = nullptr;
  std::array<uint32_t, 128> m_sgprs = {};
  unsigned m_ordinarySgprs = 0;                 // from s0 on: those that are allocated
  std::vector<Lanes> m_vgprs;                   // those that are allocated
  std::array<uint32_t, 128> m_sgprDefined = {}; // by bit
  std::array<bool, 256> m_vgprWritten = {};
  // Of VGPRs that were written, but with bits that are undefined: those bits by lane, and of dwords of scratch memory.
  std::array<bool, 256> m_hasUndefinedBits = {};
  std::map<unsigned, Lanes> m_undefinedBits;
  std::unordered_map<const uint8_t *, uint32_t> m_undefinedSpills;
  struct UnwrittenSource {
    unsigned operand;
    uint64_t address; // of the instruction
  };
  std::optional<UnwrittenSource> m_unwrittenSource;
  uint32_t m_keptBits = 0;       // what the last writeVgprPart() kept
  bool m_movesUndefined = false; // the current v_mov_b32 has read a register that nobody wrote
  uint64_t m_exec = 0, m_wereOn = 0;
  uint64_t m_execMasksOf = 0;
  Lanes m_execMasks = {};
  bool m_execWritten = true;
  bool m_scc = false, m_sccWritten = false;
  uint32_t m_mode = 0;
  std::array<std::vector<Operation>, 3> m_inFlight; // by Counter
  // How many operations in flight will write (results) or still read (sources) a register. Results of SGPRs all belong
  // to Counter::Lgkm.
  struct InFlightCounts {
    std::array<uint8_t, 3> results; // by Counter
    uint8_t sources;

    bool isNothing() const { return std::bit_cast<uint32_t>(*this) == 0; }
    bool hasResults() const { return (results[0] | results[1] | results[2]) != 0; }
  };
  std::array<InFlightCounts, 256> m_vgprInFlight = {};
  std::array<uint64_t, 256> m_loadingLanes = {}; // of the registers with results in flight
  std::array<uint8_t, 128> m_sgprResults = {};
  WaitStates m_waitStates;
  SoftClause m_softClause;
  RoundingNoise m_roundingNoise;
  int m_reciprocalUlps = 0;
  IntegerDivision m_division; // only with noise
  UndefinedChoices m_undefinedChoices;
  std::optional<Trap> m_trap;
};

// Calls `f` with the numbers of the lanes whose bits are set.
template <typename F> void forEachLane(uint64_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1)
    f(unsigned(std::countr_zero(lanes)));
}
template <typename F> void forEachLaneOn(const Wave &wave, F f) {
  forEachLane(wave.exec(), f);
}

} // namespace dovetail::emulator
