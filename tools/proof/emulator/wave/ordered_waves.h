// SPDX-License-Identifier: MIT
//
// Ordered pixel waves (POPS, GFX9): the numbers that packers give to waves, and the values and messages of waves. The
// hardware trusts programs. Here, a program that would hang it, or would let other waves in too early, is a trap.
//
// Source: Mesa main, pops.rst.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

namespace dovetail::emulator {

class Wave;

// Numbers waves, and knows which waves have left their ordered sections. Programs see the last ten bits of a number.
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
  uint64_t m_exiting = 1020; // so that numbers wrap around soon
  std::deque<bool> m_left;   // by wave, beginning with the exiting one
};

struct OrderedWave {
  Packer *packer = nullptr;
  unsigned packerNumber = 0; // 0 or 1
  uint64_t number = 0;
  std::optional<uint64_t> newest; // the newest wave that this one overlaps and that had not left when this one started

  uint32_t collisionWaveId() const;
};

struct OrderedState {
  bool hasLeft = false;
};

// Reads POPS_EXITING_WAVE_ID.
uint32_t readExitingWave(Wave &wave);
// MSG_ORDERED_PS_DONE, and the end of the wave.
void leaveOrderedSection(Wave &wave);
void endOrderedWave(Wave &wave);
// S_SLEEP: lets other waves run.
void sleep(Wave &wave);

} // namespace dovetail::emulator
