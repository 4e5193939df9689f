// SPDX-License-Identifier: MIT
#include "gfx9-merged/register_moves.h"
#include "src/base/parallel_moves.h"
#include <bitset>
#include <cassert>

namespace dovetail {

using isa::Opcode;

std::vector<Move> inOrder(std::vector<Move> pending) {
  std::bitset<512> named;
  for (const Move &move : pending)
    named.set(move.destination).set(move.source);
  std::erase_if(pending,
                [](const Move &move) { return move.destination == move.source && move.transform == Transform::Copy; });

  return oneByOne(pending, [&] {
    uint16_t aside = 0;
    while (named[aside])
      ++aside;
    named.set(aside);
    return aside;
  });
}

void encodeMove(isa::Encoder &encoder, RegisterBank bank, const Move &move) {
  if (bank == RegisterBank::Vgpr) {
    isa::Operand to = isa::vgpr(move.destination), from = isa::vgpr(move.source);
    switch (move.transform) {
    case Transform::Copy:
      return encoder.emit(Opcode::VMovB32, to, from);
    case Transform::LowHalf:
      return encoder.emit(Opcode::VAndB32, to, isa::constant(0xffff), from);
    case Transform::HighHalf:
      return encoder.emit(Opcode::VLshrrevB32, to, isa::constant(16), from);
    default:
      break;
    }
  } else {
    isa::Operand to = isa::sgpr(move.destination), from = isa::sgpr(move.source);
    switch (move.transform) {
    case Transform::Copy:
      return encoder.emit(Opcode::SMovB32, to, from);
    case Transform::GsWaveId:
      return encoder.emit(Opcode::SBfeU32, to, from, isa::constant(16 | 8 << 16));
    case Transform::FirstVertexOfWave:
      encoder.emit(Opcode::SBfeU32, to, from, isa::constant(24 | 4 << 16));
      return encoder.emit(Opcode::SLshlB32, to, to, isa::constant(6));
    default:
      break;
    }
  }
  assert(!"the transform is one of the other bank's");
}

} // namespace dovetail
