// SPDX-License-Identifier: MIT
//
// Many registers change places at once: every value must be read before its register is overwritten. Moves whose
// destination nobody reads any more go first; where all that are left wait for each other, one register's content is
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

// Registers of one bank.
struct Move {
  uint16_t destination;
  uint16_t source;
  Transform transform = Transform::Copy;

  bool operator==(const Move &) const = default;
};

// Moves that have the same effect one after the other as the given ones at once. A move to its own place is left out.
// Destinations are distinct. Further registers are used only where moves form a circle: the lowest that no move names.
std::vector<Move> inOrder(std::vector<Move> moves);

// VALU instructions in the Vgpr bank, SALU instructions in the Sgpr bank, which may change SCC.
void encodeMove(isa::Encoder &encoder, RegisterBank bank, const Move &move);

} // namespace dovetail
