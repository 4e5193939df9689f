// SPDX-License-Identifier: MIT
//
// Ordered pixel waves (POPS, GFX9): the numbers that packers give to waves, and what a wave may say and ask of them.
// The hardware trusts programs; here one that it would hang on, or that would let other waves in too early, is a trap.
//
// Source: Mesa main, pops.rst.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace dovetail::emulator {

class Wave;

// Numbers waves, and knows which of them have left their ordered sections. Programs see the last ten bits of a number.
class Packer {
public:
  uint64_t next() const { return m_exiting + m_left.size(); } // the number of the next wave
  uint64_t add() {
    m_left.push_back(false);
    return next() - 1;
  }
  // The oldest wave that has not left.
  uint64_t exiting() const { return m_exiting; }
  void leave(uint64_t wave);

private:
  uint64_t m_exiting = 1020; // so that numbers soon wrap around
  std::deque<bool> m_left;   // by wave, from the exiting one on
};

struct OrderedWave {
  Packer *packer = nullptr;
  unsigned packerNumber = 0; // 0, 1
  uint64_t number = 0;
  std::optional<uint64_t> newest; // wave that this one overlaps and that had not left when this one was made

  uint32_t collisionWaveId() const;
};

struct OrderedState {
  bool hasLeft = false;
};

// POPS_EXITING_WAVE_ID.
uint32_t readExitingWave(Wave &wave);
// MSG_ORDERED_PS_DONE, and the end of the wave.
void leaveOrderedSection(Wave &wave);
void endOrderedWave(Wave &wave);
// S_SLEEP: lets other waves run.
void sleep(Wave &wave);

} // namespace dovetail::emulator
