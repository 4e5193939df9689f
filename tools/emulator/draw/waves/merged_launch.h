// SPDX-License-Identifier: MIT
//
// What GFX9's merged waves (LS and HS, ES and GS) have in common when they start.
#pragma once

#include "tools/emulator/draw/program_registers.h"

namespace dovetail::emulator {

// Nobody promises what EXEC is: each half has lanes of its own, and code sets it. So it is something that is right for
// neither.
constexpr uint64_t MergedLaunchExec = 0xaaaaaaaaaaaaaaaa;

// MergedWaveInfo: [7:0] threads of the first half, [15:8] of the second, [23:16] geometry wave, [27:24] wave of the
// group.
constexpr uint32_t mergedWaveInfo(unsigned firstThreads, unsigned secondThreads, uint32_t gsWaveId, unsigned wave) {
  return firstThreads | secondThreads << 8 | (gsWaveId & 0xff) << 16 | wave << 24;
}
constexpr unsigned MergedGroupWaves = 16; // that fit into that

// Threads of wave `wave` of a group with `threads`.
constexpr unsigned threadsOfWave(size_t threads, size_t wave) {
  const size_t before = wave * WaveSize;
  return threads <= before ? 0 : unsigned(threads - before < WaveSize ? threads - before : WaveSize);
}

constexpr uint64_t laneMask(unsigned lanes) {
  return lanes >= WaveSize ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
}

// A register of which only some lanes will be set: the others hold whatever was there.
inline Lanes lanesOfNobody() {
  Lanes lanes;
  lanes.fill(UndefinedValue);
  return lanes;
}

} // namespace dovetail::emulator
