// SPDX-License-Identifier: MIT
//
// The waves of a group take turns. Each runs until it ends or stands at a barrier; when all stand there, all go on.
// Before each instruction, the runner checks the conditions at its address: there is code, a part that ends there
// leaves EXEC as it must, and wait states are kept.
#include "tools/proof/emulator/run/run.h"
#include "tools/proof/emulator/alu/scalar.h"
#include "tools/proof/emulator/isa/decode.h"
#include <algorithm>
#include <numeric>
#include <random>

namespace dovetail::emulator {

const Instruction &Gpu::findInstruction(uint64_t address) {
  auto found = m_decoded.find(address);
  if (found == m_decoded.end()) {
    constexpr unsigned LongestInstruction = 20; // bytes: MIMG with three dwords of addresses
    std::span<const uint8_t> bytes;
    for (unsigned size = LongestInstruction; bytes.empty() && size != 0; size -= 4)
      bytes = m_memory.at(address, size);
    found = m_decoded.emplace(address, decode(m_chip.instructionSet, address, bytes)).first;
  }
  m_seen[address / 4 % SeenCount] = {address, &found->second};
  return found->second;
}

namespace {

bool isVectorAlu(Format format) {
  return format == Format::Vop1 || format == Format::Vop2 || format == Format::Vopc || format == Format::Vop3 ||
         format == Format::Vop3p;
}

bool isScalar(Format format) {
  return format == Format::Sop1 || format == Format::Sop2 || format == Format::Sopc || format == Format::Sopk ||
         format == Format::Sopp || format == Format::Smem;
}

} // namespace

class Runner {
public:
  Runner(Gpu &gpu, Wave &wave) : m_gpu(gpu), m_wave(wave) {
    if (wave.m_setup.partEnds != nullptr)
      for (const PartEnd &end : *wave.m_setup.partEnds)
        m_partEnds |= placeOf(end.address);
  }

  // Runs until the wave reaches a barrier, sleeps, ends or traps.
  void run() {
    m_wave.status = WaveStatus::Running;
    while (m_wave.status == WaveStatus::Running)
      step();
  }

private:
  // A bit that the address shares with few others.
  static uint64_t placeOf(uint64_t address) { return uint64_t(1) << (address / 4 & 63); }
  void step();
  void execute(const Instruction &instruction);
  void checkPartEnd();
  void cannotExecute(const Instruction &instruction);

  Gpu &m_gpu;
  Wave &m_wave;
  uint64_t m_partEnds = 0; // placeOf() of all part ends
};

void Runner::checkPartEnd() {
  for (const PartEnd &end : *m_wave.m_setup.partEnds) {
    if (end.address != m_wave.pc)
      continue;
    const MergedHalves halves = m_wave.m_setup.halves.value_or(MergedHalves());
    const uint64_t exec = m_wave.m_exec, launch = m_wave.m_setup.exec;
    switch (end.exec) {
    case PartEnd::Exec::SameAsAtLaunch:
    case PartEnd::Exec::SubsetOfLaunch:
      if (end.exec == PartEnd::Exec::SameAsAtLaunch ? exec != launch : (exec & ~launch) != 0)
        m_wave.trap(TrapKind::WrongExec, "at the end of a part EXEC is {:#x}, and was {:#x} at launch", exec, launch);
      break;
    case PartEnd::Exec::FirstHalf:
      // A wave without lanes in this half may jump here, past the half.
      if (halves.first != 0 && exec != halves.first)
        m_wave.trap(TrapKind::WrongExec, "at the end of a part of the first half EXEC is {:#x} instead of {:#x}", exec,
                    halves.first);
      break;
    case PartEnd::Exec::SecondHalf:
      if (exec != halves.second)
        m_wave.trap(TrapKind::WrongExec, "at the end of a part of the second half EXEC is {:#x} instead of {:#x}", exec,
                    halves.second);
      break;
    }
  }
}

void Runner::cannotExecute(const Instruction &instruction) {
  uint64_t end = m_wave.m_setup.codeEnd;
  std::span<const uint8_t> bytes = m_gpu.memory().at(instruction.address, 4);
  if (bytes.empty() || (end != 0 && instruction.address >= end)) {
    m_wave.trap(TrapKind::RanOffCode, "no code at {}", m_gpu.memory().describe(instruction.address));
    return;
  }
  uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t(bytes[3]) << 24;
  if (instruction.size == 0)
    m_wave.trap(TrapKind::UnknownOpcode, "{:#010x} is no instruction, or is cut short", word);
  else
    m_wave.trap(TrapKind::UnknownOpcode, "{:#010x} has opcode {:#x} in {}", word, instruction.number,
                formatName(instruction.format));
}

void Runner::step() {
  if ((m_partEnds & placeOf(m_wave.pc)) != 0)
    checkPartEnd();
  const Instruction &instruction = m_gpu.instructionAt(m_wave.pc);
  uint64_t end = m_wave.m_setup.codeEnd;
  m_wave.m_current = &instruction;
  if (instruction.opcode == nullptr || (end != 0 && m_wave.pc + instruction.size > end))
    return cannotExecute(instruction);
  if (m_wave.instructionCount++ >= m_gpu.instructionLimit) {
    m_wave.trap(TrapKind::TooManyInstructions, "{} instructions were not enough", m_gpu.instructionLimit);
    return;
  }
  m_wave.pc += instruction.size;
  if (!m_wave.m_execWritten && !isScalar(instruction.format)) {
    m_wave.trap(TrapKind::WrongExec, "nothing has set EXEC yet");
    return;
  }
  m_wave.checkWaitStates(m_wave.m_waitStates.begin(instruction));
  if (m_wave.m_chip.replaysMemory)
    m_wave.checkSoftClause(m_wave.m_softClause.begin(instruction));
  if ((m_wave.mode() & scalar_ops::GprIndexEnable) == 0 || !isVectorAlu(instruction.format))
    return execute(instruction);
  const uint32_t m0 = m_wave.peekSgpr(M0); // [7:0] the index, [15:12] the operands
  if (const auto indexed = m_wave.withVgprIndex(instruction, m0 & 0xff, m0 >> 12)) {
    m_wave.m_current = &*indexed;
    execute(*indexed);
    m_wave.m_current = &instruction;
  }
}

void Runner::execute(const Instruction &instruction) {
  const bool isVector = isVectorAlu(instruction.format);
  const bool hasNoise = m_wave.m_roundingNoise.isOn() && (isVector || instruction.format == Format::Vintrp);
  if (hasNoise) {
    const bool isReciprocal = instruction.divisionUse == DivisionUse::Reciprocal &&
                              dividesIntegers(m_wave, instruction, [&](uint64_t address) -> const Instruction & {
                                return m_gpu.instructionAt(address);
                              });
    m_wave.m_division.begin(m_wave, instruction, isReciprocal);
  }
  if (!isVector || !m_wave.mayReadUndefined(instruction) || !m_wave.executeWithUndefined(instruction))
    instruction.opcode->execute(m_wave, instruction);
  if (hasNoise)
    m_wave.m_division.end(instruction, m_wave.m_exec);
}

Result<void> runWaves(Gpu &gpu, std::span<Wave> waves, const GroupRules &rules) {
  for (Wave &wave : waves)
    wave.setChip(gpu.chip());
  for (size_t i = 0; i < waves.size(); ++i) {
    constexpr uint64_t GoldenRatio = 0x9e3779b97f4a7c15; // gives each wave a seed far from its neighbours'
    auto seedOfWave = [&](uint64_t seed) { return seed == 0 ? 0 : (seed + gpu.wavesRun + i + 1) * GoldenRatio | 1; };
    waves[i].roundingNoise() = RoundingNoise(seedOfWave(gpu.variation.roundingNoise), gpu.variation.noiseSources);
    waves[i].setReciprocalUlps(gpu.variation.reciprocalUlps);
    waves[i].undefinedChoices() = UndefinedChoices(seedOfWave(gpu.variation.undefinedChoices));
  }
  auto anyIs = [&](WaveStatus status) {
    return std::any_of(waves.begin(), waves.end(), [&](const Wave &wave) { return wave.status == status; });
  };
  auto isUnfinished = [](const Wave &wave) {
    return wave.status != WaveStatus::Ended && wave.status != WaveStatus::Trapped;
  };
  std::vector<size_t> order(waves.size());
  std::iota(order.begin(), order.end(), 0);
  if (rules.areOrdered)
    std::ranges::reverse(order);
  std::minstd_rand random(uint32_t(gpu.wavesRun + 1));
  while (const auto unfinished = std::ranges::count_if(waves, isUnfinished)) {
    if (rules.shuffled)
      std::shuffle(order.begin(), order.end(), random);
    for (size_t number : order) {
      Wave &wave = waves[number];
      if (isUnfinished(wave))
        Runner(gpu, wave).run();
      if (rules.handsOverInLds && wave.status == WaveStatus::AtBarrier && wave.hasLdsWritesInFlight())
        wave.trap(TrapKind::Barrier, "writes to LDS are in flight, for which no other wave can wait");
      if (wave.trapped())
        return makeError(ErrorCode::CheckFailed, "{}: {}", toString(wave.trapped()->kind), wave.trapped()->text);
    }
    // The oldest wave waits for nobody, so some wave must have finished.
    if (rules.areOrdered && std::ranges::count_if(waves, isUnfinished) == unfinished)
      return makeError(ErrorCode::CheckFailed, "{}: all waves wait for one that has left, or for themselves",
                       toString(TrapKind::WrongOrder));
    if (!rules.endedWavesArrive && anyIs(WaveStatus::AtBarrier) && anyIs(WaveStatus::Ended)) {
      for (Wave &wave : waves) {
        if (wave.status == WaveStatus::AtBarrier)
          wave.trap(TrapKind::Barrier, "another wave of the group has ended");
        if (wave.trapped())
          return makeError(ErrorCode::CheckFailed, "{}: {}", toString(wave.trapped()->kind), wave.trapped()->text);
      }
    }
  }
  gpu.wavesRun += waves.size();
  for (Wave &wave : waves) {
    gpu.instructionsRun += wave.instructionCount;
    for (unsigned event = 0; event < UndefinedEventCount; ++event)
      gpu.undefinedEvents[event] += wave.undefinedChoices().events()[event];
  }
  return {};
}

} // namespace dovetail::emulator
