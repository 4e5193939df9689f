// SPDX-License-Identifier: MIT
//
// What is encoded without a compiler is not decoded again in the library, so here it is: the bytes, and what is said of
// them, are those that LLVM's assembler makes and that LLVM's disassembler finds.
#include "parts/compile/fill_part.h"
#include "src/isa/encoder.h"
#include "src/mc/disassembler.h"
#include "tests/gfx9-merged/halves_by_hand.h"
#include "tests/merge/assembler.h"
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;
using isa::Opcode;

namespace {

// Each opcode, in the order of the enumeration.
isa::Encoder allOpcodes() {
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
  return encoder;
}

std::vector<isa::Instruction> decode(std::span<const uint8_t> code) {
  auto disassembler = mc::Disassembler::forGpu("gfx900");
  REQUIRE(disassembler);
  auto instructions = (*disassembler)->decodeAll(code);
  REQUIRE(instructions);
  return *instructions;
}

template <typename List> std::vector<isa::RegisterRange> ranges(const List &list) {
  return {list.begin(), list.end()};
}

void checkSame(const isa::Instruction &said, const isa::Instruction &decoded) {
  INFO(std::string(decoded.mnemonic));
  CHECK(said.offset == decoded.offset);
  CHECK(said.size == decoded.size);
  CHECK((said.encoding == decoded.encoding));
  CHECK(said.flags == decoded.flags);
  CHECK(said.branchTarget == decoded.branchTarget);
  CHECK(said.immediate == decoded.immediate);
  CHECK(said.source1 == decoded.source1);
  CHECK(said.mnemonic == decoded.mnemonic);
  CHECK((ranges(said.reads) == ranges(decoded.reads)));
  CHECK((ranges(said.writes) == ranges(decoded.writes)));
}

void checkSame(std::span<const isa::Instruction> said, const std::vector<isa::Instruction> &decoded) {
  REQUIRE(said.size() == decoded.size());
  for (size_t i = 0; i < said.size(); ++i)
    checkSame(said[i], decoded[i]);
}

// A copy of a piece of glue about which LLVM's disassembler says what there is to say.
Part decodedAgain(const Part &glue) {
  Part part{};
  part.contract = glue.contract;
  ObjectCode object;
  object.code = glue.code;
  object.usage = glue.usage;
  REQUIRE(fillPart(part, std::move(object), "gfx900"));
  return part;
}

void checkGlue(const StageParts &merged) {
  unsigned pieces = 0;
  for (const PartRef &part : merged.parts) {
    if (part->key.kind != PartKind::Glue)
      continue;
    ++pieces;
    INFO(part->description);
    const Part decoded = decodedAgain(*part);
    CHECK(part->instructionCount == decoded.instructionCount);
    CHECK(part->usage.numberedSgprs == decoded.usage.numberedSgprs);
    CHECK(part->usage.specialSgprs == decoded.usage.specialSgprs);
    CHECK(part->usage.vgprs == decoded.usage.vgprs);
    CHECK(part->usage.sgprs == part->usage.numberedSgprs + 4); // VCC, and XNACK_MASK in front of it
    CHECK((part->hazards.pendingAtEnd == decoded.hazards.pendingAtEnd));
    CHECK((part->hazards.sensitiveAtStart == decoded.hazards.sensitiveAtStart));
    CHECK(part->hazards.length == decoded.hazards.length);
  }
  CHECK(pieces == 2);
}

} // namespace

TEST_CASE("the encoder agrees with LLVM's assembler") {
  const isa::Encoder encoder = allOpcodes();
  CHECK(encoder.instructions().size() == isa::OpcodeCount);
  CHECK(encoder.bytes() == assemble(R"(
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

TEST_CASE("what the encoder says of its instructions is what LLVM's disassembler finds") {
  const isa::Encoder encoder = allOpcodes();
  checkSame(encoder.instructions(), decode(encoder.bytes()));
}

TEST_CASE("a branch that is patched goes where its new distance leads") {
  isa::Encoder encoder;
  encoder.emit(Opcode::SBarrier);
  const uint32_t branch = encoder.offset();
  encoder.emit(Opcode::SCbranchScc0);
  encoder.emit(Opcode::SMovB32, isa::sgpr(1), isa::constant(1000));
  encoder.patch(branch, 2);
  encoder.emit(Opcode::SEndpgm);
  CHECK(encoder.instructions()[1].branchTarget == 16);
  checkSame(encoder.instructions(), decode(encoder.bytes()));
}

TEST_CASE("what glue says of its code is what LLVM's disassembler finds") {
  for (bool hasLsVgprInitBug : {false, true})
    for (uint8_t secondMode : {0xc0, 0xf0}) {
      Part ls = lsHalf(), hs = hsHalf();
      ls.usage.floatMode = 0xc0;
      hs.usage.floatMode = secondMode;
      const TargetInfo target = mergedTarget(hasLsVgprInitBug);
      checkGlue(merge(HardwareStage::Hs, {ls}, {hs}, target));
    }
  checkGlue(merge(HardwareStage::Gs, {esHalf()}, {gsHalf()}));
  checkGlue(merge(HardwareStage::Gs, {tessEvalEsHalf()}, {gsHalf()}));
}
