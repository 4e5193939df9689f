// SPDX-License-Identifier: MIT
//
// Runs waves: fetch, check, execute, until they end or trap.
#pragma once

#include "src/base/error.h"
#include "tools/proof/emulator/run/variation.h"
#include "tools/proof/emulator/wave/wave.h"
#include <span>
#include <unordered_map>

namespace dovetail::emulator {

// The GPU: an address space, and the instructions decoded from it so far. Code must not change while a Gpu lives.
class Gpu {
public:
  explicit Gpu(const Chip &chip, uint64_t memoryWindow = MemoryWindow) : m_chip(chip), m_memory(memoryWindow) {}
  explicit Gpu(Generation generation, uint64_t memoryWindow = MemoryWindow) : Gpu(chipOf(generation), memoryWindow) {}

  const Chip &chip() const { return m_chip; }
  Generation generation() const { return m_chip.generation(); }
  Memory &memory() { return m_memory; }
  // The instruction at an address, decoded at its first use. Its opcode is null if it cannot be decoded. Its size is 0
  // if there is no memory, or nothing like an instruction.
  const Instruction &instructionAt(uint64_t address) {
    const Seen &seen = m_seen[address / 4 % SeenCount];
    return seen.address == address && seen.instruction != nullptr ? *seen.instruction : findInstruction(address);
  }

  // Per wave. lavapipe leaves its loops after 65,535 iterations; the limit allows 150 instructions for each.
  uint64_t instructionLimit = 10'000'000;
  Variation variation;

  // SGPRs at the end of a wave's allocation in which the hardware keeps VCC (2), or VCC behind XNACK_MASK (4), if it
  // may replay memory accesses.
  unsigned reservedSgprs = 2;

  // Counts of everything that has run so far.
  uint64_t wavesRun = 0, instructionsRun = 0;
  UndefinedEvents undefinedEvents = {};

private:
  Chip m_chip;
  Memory m_memory;
  std::unordered_map<uint64_t, Instruction> m_decoded;

  // A cache in front of m_decoded.
  static constexpr size_t SeenCount = 4096;
  struct Seen {
    uint64_t address = 0;
    const Instruction *instruction = nullptr;
  };
  std::vector<Seen> m_seen = std::vector<Seen>(SeenCount);

  const Instruction &findInstruction(uint64_t address);
};

struct GroupRules {
  // S_BARRIER waits only for waves that have not ended ("Vega" ISA manual, S_BARRIER). Merged programs and HS rely on
  // it. In other programs, compilers make barriers from uniform ones, so an early end is more likely a stray wave.
  bool endedWavesArrive = false;
  // The waves pass values through LDS at their barriers: each must have waited for its own writes.
  bool handsOverInLds = false;
  // The waves run in another order in each turn, to reveal missing barriers.
  bool shuffled = false;
  // Pixel waves are in drawing order. In each turn the youngest runs first, until it sleeps.
  bool areOrdered = false;
};

// Runs the waves of one workgroup (or one wave of another stage) to their ends, in turns from barrier to barrier, or
// from sleep to sleep. Errors: CheckFailed with the first trap's text.
Result<void> runWaves(Gpu &gpu, std::span<Wave> waves, const GroupRules &rules = {});

} // namespace dovetail::emulator
