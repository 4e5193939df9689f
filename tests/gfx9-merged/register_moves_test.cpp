// SPDX-License-Identifier: MIT
#include "gfx9-merged/register_moves.h"
#include "tests/merge/assembler.h"
#include <array>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;
using isa::Opcode;

namespace {

using Registers = std::array<uint32_t, 32>;

uint32_t transformed(uint32_t value, Transform transform) {
  switch (transform) {
  case Transform::Copy:
    return value;
  case Transform::LowHalf:
    return value & 0xffff;
  case Transform::HighHalf:
    return value >> 16;
  case Transform::GsWaveId:
    return value >> 16 & 0xff;
  case Transform::FirstVertexOfWave:
    return (value >> 24 & 15) * 64;
  }
  return 0;
}

Registers start() {
  Registers registers;
  for (uint32_t i = 0; i < registers.size(); ++i)
    registers[i] = 0xabcd0000 * (i + 1) + i;
  return registers;
}

void checkSameEffect(const std::vector<Move> &moves) {
  const Registers before = start();
  Registers after = before;
  for (const Move &move : inOrder(moves))
    after[move.destination] = transformed(after[move.source], move.transform);
  for (const Move &move : moves)
    CHECK(after[move.destination] == transformed(before[move.source], move.transform));
}

} // namespace

TEST_CASE("moves that wait for each other") {
  checkSameEffect({{0, 1}, {1, 2}, {2, 3}});
  checkSameEffect({{3, 2}, {2, 1}, {1, 0}});
  checkSameEffect({{0, 1}, {1, 0}});
  checkSameEffect({{0, 1}, {1, 2}, {2, 0}, {5, 6}, {6, 5}, {7, 0}});
  checkSameEffect({{4, 4, Transform::HighHalf}, {3, 4, Transform::LowHalf}, {5, 3}});
}

TEST_CASE("a move to its own place is no instruction, and nothing else is written over it") {
  std::vector<Move> ordered = inOrder({{0, 0}, {1, 2}, {2, 1}});
  CHECK(ordered.size() == 3);
  for (const Move &move : ordered)
    CHECK(move.destination != 0);
}

TEST_CASE("any moves") {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    std::vector<Move> moves;
    for (uint16_t to = 0; to < 12; ++to)
      if (random() % 3)
        moves.push_back({to, uint16_t(random() % 12), Transform(random() % 3)});
    checkSameEffect(moves);
  }
}

TEST_CASE("the encoder agrees with LLVM's assembler") {
  isa::Encoder encoder;
  encoder.emit(Opcode::SAndB32, isa::sgpr(1), isa::sgpr(2), isa::constant(0x1234));
  encoder.emit(Opcode::SLshlB32, isa::sgpr(101), isa::sgpr(0), isa::constant(6));
  encoder.emit(Opcode::SBfmB64, isa::Exec, isa::VccLo, isa::constant(0));
  encoder.emit(Opcode::SBfeU32, isa::VccLo, isa::sgpr(3), isa::constant(8 | 8 << 16));
  encoder.emit(Opcode::SMovB32, isa::sgpr(7), isa::constant(-16));
  encoder.emit(Opcode::SMovB64, isa::Exec, isa::constant(-1));
  encoder.emit(Opcode::SCmovB64, isa::Exec, isa::constant(-1));
  encoder.compare(Opcode::SBitcmp1B32, isa::VccLo, isa::constant(6));
  encoder.emit(Opcode::SSetregImm32B32, isa::hwregField(isa::HwregMode, 0, 8), 0xf0);
  encoder.emit(Opcode::SEndpgm);
  encoder.emit(Opcode::SCbranchScc0, 1);
  encoder.emit(Opcode::SCbranchScc1, 2);
  encoder.emit(Opcode::SCbranchExecz, 3);
  encoder.emit(Opcode::SBarrier);
  encoder.emit(Opcode::SWaitcnt, 0);
  encoder.emit(Opcode::VMovB32, isa::vgpr(255), isa::vgpr(0));
  encoder.emit(Opcode::VAndB32, isa::vgpr(4), isa::constant(0xffff), isa::vgpr(200));
  encoder.emit(Opcode::VLshrrevB32, isa::vgpr(4), isa::constant(16), isa::vgpr(9));
  CHECK(encoder.instructionCount() == 18);
  CHECK(encoder.bytes() == test::assemble(R"(
    s_and_b32 s1, s2, 0x1234
    s_lshl_b32 s101, s0, 6
    s_bfm_b64 exec, vcc_lo, 0
    s_bfe_u32 vcc_lo, s3, 0x80008
    s_mov_b32 s7, -16
    s_mov_b64 exec, -1
    s_cmov_b64 exec, -1
    s_bitcmp1_b32 vcc_lo, 6
    s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xf0
    s_endpgm
    s_cbranch_scc0 1
    s_cbranch_scc1 2
    s_cbranch_execz 3
    s_barrier
    s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
    v_mov_b32_e32 v255, v0
    v_and_b32_e32 v4, 0xffff, v200
    v_lshrrev_b32_e32 v4, 16, v9
  )"));
}
