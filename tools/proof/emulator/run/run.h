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

// The GPU: an address space and the instructions decoded from it so far. Code must not change while a Gpu knows it.
class Gpu {
public:
  explicit Gpu(const Chip &chip, uint64_t memoryWindow = MemoryWindow) : m_chip(chip), m_memory(memoryWindow) {}
  explicit Gpu(Generation generation, uint64_t memoryWindow = MemoryWindow) : Gpu(chipOf(generation), memoryWindow) {}

  const Chip &chip() const { return m_chip; }
  Generation generation() const { return m_chip.generation(); }
  Memory &memory() { return m_memory; }
  // The instruction at an address, decoded on first use. It has a null opcode if it cannot be decoded, and no size if
  // there is no memory or nothing like an instruction.
  const Instruction &instructionAt(uint64_t address) {
    const Seen &seen = m_seen[address / 4 % SeenCount];
    return seen.address == address && seen.instruction != nullptr ? *seen.instruction : findInstruction(address);
  }

  // Of one wave. lavapipe, which is compared with, leaves its loops after 65,535 iterations; this is 150 instructions
  // for each of them.
  uint64_t instructionLimit = 10'000'000;
  Variation variation;

  // SGPRs at the end of a wave's allocation in which the hardware keeps VCC (2), and before it XNACK_MASK (4 together)
  // where it may replay memory accesses.
  unsigned reservedSgprs = 2;

  // What has run so far.
  uint64_t wavesRun = 0, instructionsRun = 0;
  UndefinedEvents undefinedEvents = {};

private:
  Chip m_chip;
  Memory m_memory;
  std::unordered_map<uint64_t, Instruction> m_decoded;

  // In front of m_decoded.
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
  // it; in others it is more likely a wave that went astray than what a compiler makes from uniform barriers.
  bool endedWavesArrive = false;
  // The waves hand over through LDS at their barriers: each must have waited for its own writes.
  bool handsOverInLds = false;
  // The waves run in an order that is different in each turn, to show where a barrier is missing.
  bool shuffled = false;
  // Pixel waves in drawing order, of which the youngest runs first in each turn, until it sleeps.
  bool areOrdered = false;
};

// Runs the waves of one workgroup (or one wave of another stage) to their ends, in turns from barrier to barrier, or
// from sleep to sleep. Errors: CheckFailed with the first trap's text.
Result<void> runWaves(Gpu &gpu, std::span<Wave> waves, const GroupRules &rules = {});

} // namespace dovetail::emulator
