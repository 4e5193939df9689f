// SPDX-License-Identifier: MIT
//
// Wave: the registers of 64 lanes, and the checks of their use. Every register access goes through the wave. It checks
// that the register is allocated, was written, does not wait for a load, and that the ISA manual's wait states are
// kept. Instructions change a wave only through these functions.
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

// laneMasks(): all ones in the lanes whose bit is set, 0 in the others; laneBits() reverses it. Inlined, so that a
// later loop reads with the same width with which vector instructions have written (alu/host_vectors.h).
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
  // Make a bit for each lane in groups of eight; then one multiplication gathers the bits of eight bytes.
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

// Parameters of a pixel wave's primitives, as v_interp reads them from LDS behind M0.
struct FragmentParameters {
  // P0, P10 = P1 - P0 and P20 = P2 - P0 of one channel, as bits: a flat attribute's P0 may be an integer.
  struct Channel {
    uint32_t p0 = 0, p10 = 0, p20 = 0;
  };
  using Attribute = std::array<Channel, 4>;
  uint32_t primMask = 0;                                // the value of the PrimMask SGPR
  std::array<uint8_t, WaveSize / 4> quadPrimitive = {}; // index into primitives
  std::vector<std::vector<Attribute>> primitives;
};

struct Export {
  uint8_t target = 0, enable = 0;
  bool compressed = false, done = false, validMask = false;
  uint64_t exec = 0;
  std::array<Lanes, 4> data = {}; // compressed: data[0] and data[1] hold two 16-bit values per lane
};

// The condition on EXEC when the program counter reaches the end of a part.
struct PartEnd {
  // FirstHalf, SecondHalf: the lanes of that half of a merged program.
  enum class Exec : uint8_t { SameAsAtLaunch, SubsetOfLaunch, FirstHalf, SecondHalf };
  uint64_t address;
  Exec exec;
};

constexpr uint32_t UndefinedValue = 0xffc0dead; // a NaN

// Shared by all waves of one group.
struct Workgroup {
  std::vector<uint8_t> lds;
};

// The lanes of each half of a merged program (GFX9's LS-HS and ES-GS) in a wave, as merged_wave_info counts them.
struct MergedHalves {
  uint64_t first = 0, second = 0;
};

// The hardware's initial values of a wave. A register without a value is allocated, but not initialised.
struct WaveSetup {
  WaveStage stage = WaveStage::Vs;
  uint64_t address = 0;
  uint64_t exec = ~uint64_t(0);
  uint64_t covered = ~uint64_t(0);            // lanes that may be on at an export: pixels that are no helpers
  std::vector<std::optional<uint32_t>> sgprs; // from s0
  std::vector<std::optional<Lanes>> vgprs;    // from v0
  unsigned sgprCount = 104, vgprCount = 256;  // allocated
  uint64_t codeEnd = 0;                       // 0: the end of the memory region
  uint8_t floatMode = 0xc0;                   // FLOAT_MODE of RSRC1
  bool dx10Clamp = true, ieeeMode = false;
  // Code may read unwritten registers, which hold UndefinedValue: for compilers that have undefined values.
  bool mayReadUndefined = false;
  const FragmentParameters *parameters = nullptr;
  std::optional<GsMessageRules> gsMessages; // for geometry waves
  std::optional<OrderedWave> ordered;       // for pixel waves that must know whom they overlap
  // For merged programs. No source says which lanes are on at their start, and all drivers begin them with EXEC = -1
  // (Mesa: ac_init_exec_full_mask). So vector instructions before EXEC is set are a defect.
  std::optional<MergedHalves> halves;
  bool isRasterised = true; // vertex waves: false: they export nothing
  const std::vector<PartEnd> *partEnds = nullptr;
};

// The counter of s_waitcnt to which an operation in flight belongs. A flat operation has two.
// Vs has no results in registers, and only GFX10 has it.
enum class Counter : uint8_t { Vm, Lgkm, Exp, Vs };

enum class WaveStatus : uint8_t { Running, AtBarrier, Sleeping, Ended, Trapped };

class Wave {
public:
  Wave(Generation generation, Memory &memory, Workgroup &group, const WaveSetup &setup);

  // Registers. A scalar register's number is its operand number below 128. Lanes that an instruction does not write
  // keep their values: write through the returned reference where laneIsOn(). Instructions that keep parts of a
  // register (d16, dst_sel preserve) read them through writeVgpr()'s reference.
  uint32_t readSgpr(unsigned number, uint32_t needed = ~0u); // traps if one of the bits `needed` is undefined
  uint64_t readSgprPair(unsigned number);
  void writeSgpr(unsigned number, uint32_t value);
  void writeSgprPair(unsigned number, uint64_t value);
  // A pair that is a mask of lanes: its bits must be defined only for lanes that are on.
  uint64_t readLaneMask(unsigned number);
  // For bitwise operations on masks. Compilers build masks up from unwritten registers: an undefined bit is a defect
  // only when something depends on it.
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
  // Like writeVgpr(), for an instruction that keeps the bits `kept` of the lanes that it writes: undefined bits among
  // them stay undefined.
  Lanes &writeVgprPart(unsigned number, uint32_t kept, uint64_t written);
  // v_writelane_b32, v_readlane_b32 and v_readfirstlane_b32 of undefined bits are no defect: the bits stay undefined on
  // their way through a lane. Nor is v_mov_b32 of an unwritten register: a value that is defined on one path only is
  // moved to where the paths meet. Its result does not count as written.
  void writeVgprLane(unsigned number, unsigned lane, DefinedBits bits);
  DefinedBits readVgprLane(unsigned number, unsigned lane);

  // undefined_bits.cpp. Whether a vector instruction may read undefined bits in registers that it names.
  bool mayReadUndefined(const Instruction &instruction) const;
  // Executes such an instruction, if it only writes one VGPR or a pair of them, and carries. Otherwise returns false,
  // and the instruction traps at its read. Bits that do not change the result do not count as read. Instructions that
  // move, add or multiply bits pass undefined bits on; others trap.
  bool executeWithUndefined(const Instruction &instruction);
  // Called when an instruction passes undefined bits on. If one of its sources is an unwritten register, a later trap
  // names the first such register.
  void noteUnwrittenSource(const Instruction &instruction);
  // A register is stored to scratch memory at these places, or loaded from there: undefined bits stay undefined.
  void noteSpill(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places);
  void forgetSpill(const std::array<uint8_t *, WaveSize> &places); // part of it is overwritten
  void noteReload(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places);

  // Adds an index from M0 to the numbers of VGPR operands: bits 0 to 2 of `operands` select sources, bit 3 the
  // destination. The VGPR may not exist, as when a shader's index is beyond its array. Then a source reads v0, and an
  // instruction with such a destination does nothing: the result is nullopt (ISA manuals, on VGPRs out of range).
  std::optional<Instruction> withVgprIndex(Instruction instruction, uint32_t index, unsigned operands) const;

  // A scalar source operand: register, inline constant or literal. Floating-point inline constants are f32 bits;
  // scalar64 gives their f64 bits, and sign-extends integers. `isFloat`: the instruction operates on f64.
  uint32_t scalar(const Instruction &instruction, unsigned source, uint32_t needed = ~0u);
  uint64_t scalar64(const Instruction &instruction, unsigned source, bool isFloat = false);

  // EXEC, VCC and SCC as implicit operands; they are checked like all registers.
  uint64_t exec() const { return m_exec; }
  void setExec(uint64_t value); // for SALU and VALU instructions: records hazards
  bool laneIsOn(unsigned lane) const { return (m_exec >> lane & 1) != 0; }
  // Copies the lanes that are on.
  void setLanes(Lanes &to, const Lanes &from) {
    const Lanes &masks = execMasks();
    withHostVectors([&] {
      DOVETAIL_LANES_ARE_APART
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        to[lane] = (from[lane] & masks[lane]) | (to[lane] & ~masks[lane]);
    });
  }
  // EXEC as a mask per lane: all ones if the lane is on.
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

  // MODE: [1:0] f32 rounding, [3:2] f16/f64 rounding, [5:4] f32 denormals (bit 0: inputs are kept, bit 1: results are
  // kept), [7:6] f16/f64 denormals, bit 8 DX10_CLAMP, bit 9 IEEE.
  uint32_t mode() const { return m_mode; }
  void setMode(uint32_t value) { m_mode = value; }
  RoundingNoise &roundingNoise() { return m_roundingNoise; }
  // Variation::reciprocalUlps
  int reciprocalUlps() const { return m_reciprocalUlps; }
  void setReciprocalUlps(int ulps) { m_reciprocalUlps = ulps; }
  // Lanes whose result gets no noise.
  uint64_t exactLanes() const { return m_division.exactLanes(); }
  UndefinedChoices &undefinedChoices() { return m_undefinedChoices; }
  // Whether `lane` is off because the shader branched another way in it, or ended. A helper lane may also be off
  // because a compiler forgot it. So a helper lane counts as left off only if it was on once, and if some helper lane
  // is on now.
  bool isLeftOff(unsigned lane) const { return (leftOff() >> lane & 1) != 0; }
  uint64_t leftOff() const {
    const uint64_t helpers = ~m_setup.covered;
    return ~m_exec & (m_setup.covered | ((m_exec & helpers) != 0 ? m_wereOn : 0));
  }

  // Operations in flight, in the order of issue. `result`: the operation will write the registers; they must not be
  // touched before s_waitcnt says so. Otherwise it still reads them, and they must not be written. The value itself is
  // stored at once. Counters count one for each call of issue().
  struct InFlight {
    bool isVgpr = true;
    bool result = true;
    uint16_t first = 0, count = 0; // count 0: no registers, only counts
  };
  // At most four ranges of registers. outOfOrder: the counter tells nothing until it is 0 (for example SMEM).
  void issue(Counter counter, std::initializer_list<InFlight> registers, bool outOfOrder = false);
  // For vector memory operations that return nothing.
  void issueStore() { issue(m_facts.countsStoresApart ? Counter::Vs : Counter::Vm, {}); }
  // For the invalidation of a vector memory cache, which accesses nothing.
  void issueInvalidation();
  void waitFor(Counter counter, unsigned atMost);
  // The greatest value of a counter (LLVM, AMDGPUBaseInfo.cpp, getVmcntBitMask and its neighbours).
  unsigned counterLimit(Counter counter) const;
  bool hasLdsWritesInFlight() const;
  // Vector memory accesses.
  size_t accessesInFlight() const;

  // Accesses memory, with traps. Addresses are in bytes. An empty span means that the wave has trapped.
  std::span<uint8_t> global(uint64_t address, unsigned size, bool forWriting) {
    const std::span<uint8_t> bytes = m_memory.at(address, size, forWriting);
    if (bytes.empty() && size != 0)
      trapOutOfBounds(address, size, forWriting);
    return bytes;
  }
  Workgroup &group() { return m_group; }
  Memory &memory() { return m_memory; }

  // Stops the wave. The first trap stays. (Out of line: nearly every register access may trap.)
  template <typename... Args>
  [[gnu::cold, gnu::noinline]] void trap(TrapKind kind, fmt::format_string<Args...> format, Args &&...args) {
    stop(kind, fmt::format(format, std::forward<Args>(args)...));
  }
  const std::optional<Trap> &trapped() const { return m_trap; }

  Generation generation() const { return m_chip.generation(); }
  const GenerationFacts &facts() const { return m_facts; }
  // runWaves() sets it from the Gpu; before, it is an ordinary chip of the generation.
  const Chip &chip() const { return m_chip; }
  void setChip(const Chip &chip) {
    m_chip = chip;
    m_facts = factsOf(chip.generation());
  }
  const WaveSetup &setup() const { return m_setup; }
  // The instruction in execution.
  const Instruction &current() const { return *m_current; }

  // Reads a register without checks, for tests and reports. A register that the wave lacks is 0.
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

  // Whether the only check left is that the register was written: an allocated SGPR, or VCC, without a load in flight,
  // outside of soft clauses.
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
    bool invalidates = false; // it only invalidates a cache
  };
  void count(Counter counter, const Operation &operation, int change);
  bool isNamed(std::string_view name) const; // whether the current instruction has this name
  bool isMove() const;
  bool isChosenByNoLane(unsigned vgpr);
  bool isReadByNoLane() const;
  bool readsUndefinedBits(unsigned vgpr, uint32_t needed) const;
  void setUndefinedBits(unsigned vgpr, const Lanes &bits, uint64_t lanes);
  Lanes undefinedBitsOf(unsigned vgpr) const;

  Chip m_chip;
  GenerationFacts m_facts;
  Memory &m_memory;
  Workgroup &m_group;
  const WaveSetup &m_setup;
  const Instruction *m_current = nullptr;
  std::array<uint32_t, 128> m_sgprs = {};
  unsigned m_ordinarySgprs = 0;                 // allocated ones, from s0 on
  std::vector<Lanes> m_vgprs;                   // the allocated ones
  std::array<uint32_t, 128> m_sgprDefined = {}; // a bit for each bit
  std::array<bool, 256> m_vgprWritten = {};
  // Undefined bits of written VGPRs, by lane, and of dwords in scratch memory.
  std::array<bool, 256> m_hasUndefinedBits = {};
  std::map<unsigned, Lanes> m_undefinedBits;
  std::unordered_map<const uint8_t *, uint32_t> m_undefinedSpills;
  struct UnwrittenSource {
    unsigned operand;
    uint64_t address; // of the instruction
  };
  std::optional<UnwrittenSource> m_unwrittenSource;
  uint32_t m_keptBits = 0;       // the bits that the last writeVgprPart() kept
  bool m_movesUndefined = false; // the current v_mov_b32 has read an unwritten register
  uint64_t m_exec = 0, m_wereOn = 0;
  uint64_t m_execMasksOf = 0;
  Lanes m_execMasks = {};
  bool m_execWritten = true;
  bool m_scc = false, m_sccWritten = false;
  uint32_t m_mode = 0;
  std::array<std::vector<Operation>, 4> m_inFlight; // by Counter
  // How many operations in flight will write (results) or still read (sources) a register. Results in SGPRs always
  // belong to Counter::Lgkm.
  struct InFlightCounts {
    std::array<uint8_t, 3> results; // by Counter, without Vs
    uint8_t sources;

    bool isNothing() const { return std::bit_cast<uint32_t>(*this) == 0; }
    bool hasResults() const { return (results[0] | results[1] | results[2]) != 0; }
  };
  std::array<InFlightCounts, 256> m_vgprInFlight = {};
  std::array<uint64_t, 256> m_loadingLanes = {}; // for registers with results in flight
  std::array<uint8_t, 128> m_sgprResults = {};
  WaitStates m_waitStates;
  SoftClause m_softClause;
  RoundingNoise m_roundingNoise;
  int m_reciprocalUlps = 0;
  IntegerDivision m_division; // used only with noise
  UndefinedChoices m_undefinedChoices;
  std::optional<Trap> m_trap;
};

// Calls `f` with the number of each lane whose bit is set.
template <typename F> void forEachLane(uint64_t lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1)
    f(unsigned(std::countr_zero(lanes)));
}
template <typename F> void forEachLaneOn(const Wave &wave, F f) {
  forEachLane(wave.exec(), f);
}

} // namespace dovetail::emulator
