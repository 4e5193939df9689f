// SPDX-License-Identifier: MIT
//
// Common to GFX9's merged waves (LS and HS, ES and GS) when they start.
#pragma once

#include "tools/proof/emulator/draw/command/program_registers.h"
#include <optional>
#include <span>

namespace dovetail::emulator {

// EXEC is unspecified at the start: each half has lanes of its own, and code sets EXEC. So the emulator starts with a
// value that is wrong for both halves.
constexpr uint64_t MergedLaunchExec = 0xaaaaaaaaaaaaaaaa;

// MergedWaveInfo: [7:0] threads of the first half, [15:8] of the second, [23:16] geometry wave, [27:24] number of the
// wave in its group (Mesa, merged_wave_info_to_mask in aco_instruction_selection.cpp, si_shader_llvm_gs.c; LLPC,
// ShaderMerger.cpp).
constexpr uint32_t mergedWaveInfo(unsigned firstThreads, unsigned secondThreads, uint32_t gsWaveId, unsigned wave) {
  return firstThreads | secondThreads << 8 | (gsWaveId & 0xff) << 16 | wave << 24;
}
constexpr unsigned MergedGroupWaves = 16; // as many as its field can number

// Threads of wave `wave` of a group with `threads`.
constexpr unsigned threadsOfWave(size_t threads, size_t wave) {
  const size_t before = wave * WaveSize;
  return threads <= before ? 0 : unsigned(threads - before < WaveSize ? threads - before : WaveSize);
}

constexpr uint64_t laneMask(unsigned lanes) {
  return lanes >= WaveSize ? ~uint64_t(0) : (uint64_t(1) << lanes) - 1;
}

// s[0:1] hold the value that the driver writes to a pair of registers: Mesa's RADV writes the address of its table of
// rings (radv_device.c, radv_emit_global_shader_pointers). Drivers that embed Dovetail write none, and programs of
// Dovetail read none.
inline void setUserDataAddress(const HardwareRegisters &registers, uint32_t addressLow,
                               std::span<std::optional<uint32_t>> sgprs) {
  for (uint32_t half = 0; half < 2; ++half)
    if (auto found = registers.find(addressLow + half); found != registers.end())
      sgprs[half] = found->second;
}

// A register that only some lanes will set: the others hold arbitrary values.
inline Lanes lanesOfNobody() {
  Lanes lanes;
  lanes.fill(UndefinedValue);
  return lanes;
}

} // namespace dovetail::emulator
