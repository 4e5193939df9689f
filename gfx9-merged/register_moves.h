// SPDX-License-Identifier: MIT
//
// Many registers change places at once, so every value must be read before its register is overwritten. Moves whose
// destination nobody reads any more go first. Where all remaining moves wait for each other, one register's content is
// set aside.
#pragma once

#include "src/abi/value.h"
#include "src/isa/encoder.h"
#include <cstdint>
#include <vector>

namespace dovetail {

enum class Transform : uint8_t {
  Copy,
  LowHalf,           // of a VGPR: bits 15..0
  HighHalf,          // of a VGPR: bits 31..16
  GsWaveId,          // of merged_wave_info: bits 23..16
  FirstVertexOfWave, // of merged_wave_info: the wave's number in its group, bits 27..24, times 64 lanes
};

// A move between registers of one bank.
struct Move {
  uint16_t destination;
  uint16_t source;
  Transform transform = Transform::Copy;

  bool operator==(const Move &) const = default;
};

// Returns moves that have, one after the other, the same effect as the given moves at once. A move to its own place is
// left out. Destinations are distinct. Only where moves form a circle, further registers are used: the lowest ones that
// no move names.
std::vector<Move> inOrder(std::vector<Move> moves);

// Encodes VALU instructions for the Vgpr bank, SALU instructions for the Sgpr bank; the latter may change SCC.
void encodeMove(isa::Encoder &encoder, RegisterBank bank, const Move &move);

} // namespace dovetail
