// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/wave/ordered_waves.h"
#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator {

namespace {

constexpr uint32_t NumberMask = 0x3ff;
constexpr unsigned PackerShift = 24; // of the field MODE[25:24]

bool hasSetPacker(const Wave &wave) {
  return (wave.mode() >> PackerShift & 3) != 0;
}

} // namespace

void Packer::leave(uint64_t wave) {
  m_left.at(wave - m_exiting) = true;
  while (!m_left.empty() && m_left.front()) {
    m_left.pop_front();
    ++m_exiting;
  }
}

// [31] overlap, [28] packer, [25:16] newest, [9:0] own number. If the numbers wrap around between the two, GFX9's value
// is off by one. Without an overlap, the value names the wave itself: a program that waits anyway waits for itself.
uint32_t OrderedWave::collisionWaveId() const {
  const uint32_t own = number & NumberMask;
  uint32_t other = newest.value_or(number) & NumberMask;
  if (other > own)
    --other;
  return uint32_t(newest.has_value()) << 31 | packerNumber << 28 | other << 16 | own;
}

uint32_t readExitingWave(Wave &wave) {
  const std::optional<OrderedWave> &ordered = wave.setup().ordered;
  if (!ordered || (wave.mode() >> PackerShift & 3) != 1u << ordered->packerNumber) {
    wave.trap(TrapKind::WrongOrder, "POPS_EXITING_WAVE_ID of a packer that is not the wave's");
    return 0;
  }
  return ordered->packer->exiting() & NumberMask;
}

void leaveOrderedSection(Wave &wave) {
  const std::optional<OrderedWave> &ordered = wave.setup().ordered;
  if (!ordered)
    return wave.trap(TrapKind::WrongOrder, "the wave is not ordered");
  if (wave.ordered.hasLeft)
    return wave.trap(TrapKind::WrongOrder, "the wave has left its ordered section before");
  if (const size_t accesses = wave.accessesInFlight(); accesses != 0)
    return wave.trap(TrapKind::WrongOrder, "{} vector memory operations are still in flight", accesses);
  if (hasSetPacker(wave) && ordered->newest && ordered->packer->exiting() <= *ordered->newest)
    return wave.trap(TrapKind::WrongOrder, "the wave leaves its ordered section before one that it has to wait for");
  wave.ordered.hasLeft = true;
  ordered->packer->leave(ordered->number);
}

void endOrderedWave(Wave &wave) {
  const std::optional<OrderedWave> &ordered = wave.setup().ordered;
  if (!ordered || wave.ordered.hasLeft)
    return;
  if (hasSetPacker(wave))
    return wave.trap(TrapKind::WrongOrder, "the wave ends without ORDERED_PS_DONE");
  ordered->packer->leave(ordered->number);
}

void sleep(Wave &wave) {
  if (wave.setup().ordered && wave.status == WaveStatus::Running)
    wave.status = WaveStatus::Sleeping;
}

} // namespace dovetail::emulator
