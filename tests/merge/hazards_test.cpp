// SPDX-License-Identifier: MIT
//
// Every hazard at a join, and a neighbour of it that needs nothing. A test checks the code twice: it looks for the
// join's s_nop, and the checker, which has its own table, must find no defect.
#include "merge/check/check_image.h"
#include "src/isa/hazard_summary.h"
#include "src/mc/disassembler.h"
#include "tests/merge/assembler.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

struct Case {
  const char *name;
  const char *before;
  const char *after;
  unsigned waitStates;
};

const Case Cases[] = {
    {"VALU writes SGPR, VMEM reads it", "v_readfirstlane_b32 s0, v0", "buffer_load_dword v1, v0, s[0:3], 0 idxen", 5},
    {"another SGPR", "v_readfirstlane_b32 s8, v0", "buffer_load_dword v1, v0, s[0:3], 0 idxen", 0},
    {"with two wait states between", "v_readfirstlane_b32 s0, v0\n s_nop 1",
     "buffer_load_dword v1, v0, s[0:3], 0 idxen", 3},
    {"with an instruction on each side", "v_readfirstlane_b32 s0, v0\n s_mov_b32 s9, s10",
     "s_mov_b32 s11, s12\n buffer_load_dword v1, v0, s[0:3], 0 idxen", 3},
    {"written by SALU", "s_mov_b32 s0, s5", "buffer_load_dword v1, v0, s[0:3], 0 idxen", 0},
    {"as scalar offset", "v_readfirstlane_b32 s8, v0", "buffer_load_dword v1, off, s[0:3], s8", 5},
    {"through VCC", "v_cmp_eq_f32_e32 vcc, 0, v0", "buffer_load_dword v1, off, s[0:3], vcc_lo", 5},
    {"VALU writes VCC, v_div_fmas", "v_cmp_eq_f32_e32 vcc, 0, v0", "v_div_fmas_f32 v1, v0, v0, v0", 4},
    {"VALU writes another mask", "v_cmp_eq_f32_e32 vcc, 0, v0\n s_nop 3\n v_cmp_eq_f32_e64 s[0:1], 0, v0",
     "v_div_fmas_f32 v1, v0, v0, v0", 0},
    {"lane select", "v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v0, s0", 4},
    {"lane select of v_writelane", "v_mov_b32_e32 v1, 0\n v_readfirstlane_b32 s0, v0", "v_writelane_b32 v1, 0, s0", 4},
    {"data of v_writelane", "v_mov_b32_e32 v1, 0\n v_readfirstlane_b32 s0, v0", "v_writelane_b32 v1, s0, 3", 0},
    {"lane select by another SGPR", "v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v0, s2", 0},
    {"VALU writes VGPR, DPP reads it", "v_mov_b32_e32 v1, v0",
     "v_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 2},
    {"DPP reads another VGPR", "v_mov_b32_e32 v1, v0",
     "v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 0},
    {"VALU writes EXEC, DPP", "v_cmpx_eq_f32_e32 vcc, v0, v0",
     "v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 5},
    {"SALU writes EXEC, DPP", "s_mov_b64 exec, -1",
     "v_mov_b32_dpp v2, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 0},
    {"VALU writes EXEC, EXECZ is data", "v_cmpx_eq_f32_e32 vcc, v0, v0", "v_mov_b32_e32 v1, src_execz", 5},
    {"VALU writes VCC, VCCZ is data", "v_cmp_eq_f32_e32 vcc, 0, v0", "v_mov_b32_e32 v1, src_vccz", 5},
    {"VALU writes VCC, EXECZ is data", "v_cmp_eq_f32_e32 vcc, 0, v0", "v_mov_b32_e32 v1, src_execz", 0},
    {"SALU writes M0, v_interp", "s_mov_b32 m0, s0", "v_interp_mov_f32_e32 v1, p0, attr0.x", 1},
    {"SALU writes M0, message", "s_mov_b32 m0, s0", "s_sendmsg sendmsg(MSG_INTERRUPT)", 1},
    {"SALU writes M0, load to LDS", "s_mov_b32 m0, s0", "buffer_load_dword v0, s[4:7], 0 offen lds", 1},
    {"SALU writes M0, LDS by address", "s_mov_b32 m0, s0", "ds_write_b32 v0, v0", 0},
    {"SALU writes M0 earlier", "s_mov_b32 m0, s0\n s_mov_b32 s1, s2", "v_interp_mov_f32_e32 v1, p0, attr0.x", 0},
    {"s_setreg, s_getreg", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3", "s_getreg_b32 s0, hwreg(HW_REG_MODE)", 2},
    {"s_getreg of another", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3", "s_getreg_b32 s0, hwreg(HW_REG_STATUS)",
     0},
    {"s_setreg, s_setreg", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3",
     "s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0", 2},
    {"wide store, VALU overwrites its data", "v_mov_b32_e32 v1, 0\n buffer_store_dwordx4 v[0:3], v0, s[0:3], 0 idxen",
     "v_mov_b32_e32 v1, 0", 1},
    {"narrow store", "v_mov_b32_e32 v1, 0\n buffer_store_dwordx2 v[0:1], v0, s[0:3], 0 idxen", "v_mov_b32_e32 v1, 0",
     0},
    {"wide store with an SGPR offset", "v_mov_b32_e32 v1, 0\n buffer_store_dwordx4 v[0:3], v0, s[0:3], s8 idxen",
     "v_mov_b32_e32 v1, 0", 0},
    {"wide store, VALU writes elsewhere", "v_mov_b32_e32 v1, 0\n buffer_store_dwordx4 v[0:3], v0, s[0:3], 0 idxen",
     "v_mov_b32_e32 v4, 0", 0},
    {"s_setreg MODE.VSKIP, vector", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0", "v_mov_b32_e32 v1, 0", 2},
    {"s_setreg MODE without VSKIP, vector", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3", "v_mov_b32_e32 v1, 0", 0},
    {"interpolation writes VGPR, DPP reads it", "s_mov_b32 m0, s0\n s_nop 0\n v_interp_mov_f32_e32 v1, p0, attr0.x",
     "v_mov_b32_dpp v2, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", 2},
    {"wide store, interpolation overwrites its data",
     "v_mov_b32_e32 v1, 0\n s_mov_b32 m0, s0\n buffer_store_dwordx4 v[0:3], v0, s[0:3], 0 idxen",
     "v_interp_mov_f32_e32 v1, p0, attr0.x", 1},
    {"scalar load, its clause overwrites its address", "s_load_dwordx2 s[8:9], s[2:3], 0x0",
     "s_load_dwordx2 s[2:3], s[0:1], 0x0", 1},
    {"scalar load, its clause leaves its address", "s_load_dwordx2 s[8:9], s[2:3], 0x0",
     "s_load_dwordx2 s[10:11], s[2:3], 0x0", 0},
    {"scalar load, another clause overwrites its address", "s_load_dwordx2 s[8:9], s[2:3], 0x0\n s_nop 0",
     "s_load_dwordx2 s[2:3], s[0:1], 0x0", 0},
    {"two scalar loads, the next one but one overwrites an address",
     "s_load_dwordx2 s[8:9], s[2:3], 0x0\n s_load_dwordx2 s[10:11], s[0:1], 0x0",
     "s_load_dwordx2 s[12:13], s[0:1], 0x0\n s_load_dwordx2 s[2:3], s[0:1], 0x0", 1},
    {"scalar load overwrites its own address", "s_load_dwordx2 s[2:3], s[2:3], 0x0",
     "s_load_dwordx2 s[8:9], s[0:1], 0x0", 1},
    {"scalar load, then one that overwrites its own address", "s_load_dwordx2 s[8:9], s[0:1], 0x0",
     "s_load_dwordx2 s[2:3], s[2:3], 0x0", 1},
    {"vector load, its clause overwrites its address",
     "v_mov_b32_e32 v1, 0\n buffer_load_dword v2, v0, s[0:3], 0 idxen", "buffer_load_dword v0, v1, s[0:3], 0 idxen", 1},
    {"vector load, then a store in its clause", "buffer_load_dword v2, v0, s[0:3], 0 idxen",
     "buffer_store_dword v0, v0, s[0:3], 0 idxen", 1},
    {"vector store, then a load", "buffer_store_dword v0, v0, s[0:3], 0 idxen",
     "buffer_load_dword v2, v0, s[0:3], 0 idxen", 0},
    {"scalar load, then vector memory", "s_load_dwordx2 s[8:9], s[8:9], 0x0",
     "buffer_load_dword v2, v0, s[0:3], 0 idxen", 0},
    {"in a branch that goes to the end",
     "s_cmp_eq_u32 s4, 0\n s_cbranch_scc0 2\n v_readfirstlane_b32 s0, v0\n s_branch 1\n s_nop 7",
     "buffer_load_dword v1, v0, s[0:3], 0 idxen", 4},
};

Result<isa::HazardSummary> summaryOf(std::string_view text, std::string_view gpu = "gfx900") {
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(gpu));
  return isa::summarizeHazards(DOVETAIL_TRY(disassembler->decodeAll(assemble(text, std::string(gpu)))),
                               *findTarget(gpu));
}

unsigned waitStatesBefore(const Image &image, const ImagePart &part) {
  if (part.waitStates == 0)
    return 0;
  uint32_t word;
  std::memcpy(&word, &image.code[part.offset - 4], 4);
  CHECK((word & 0xfffffff0) == 0xbf800000); // s_nop
  return (word & 0xf) + 1;
}

} // namespace

TEST_CASE("a hazard at a join gets exactly the wait states that are missing") {
  for (const Case &test : Cases) {
    INFO(std::string(test.name));
    auto image = joinCompute({computePiece(test.before), computeMain(std::string(test.after) + "\n s_endpgm")});
    REQUIRE(image);
    CHECK(waitStatesBefore(**image, (*image)->parts[1]) == test.waitStates);
    auto result = checkImage(**image);
    CHECK_MESSAGE(result.has_value(), (result ? std::string() : result.error().text));
  }
}

TEST_CASE("the checker finds each hazard on its own when the join is not told of it") {
  for (const Case &test : Cases) {
    INFO(std::string(test.name));
    Part first = computePiece(test.before);
    first.hazards.pendingAtEnd.clear();
    auto image = joinCompute({first, computeMain(std::string(test.after) + "\n s_endpgm")});
    REQUIRE(image);
    CHECK(findImageDefects(**image).empty() == (test.waitStates == 0));
  }
}

TEST_CASE("a hazard reaches across a part that is shorter than it") {
  auto image = joinCompute({computePiece("v_readfirstlane_b32 s0, v0"), computePiece("s_mov_b32 s8, s9"),
                            computeMain("buffer_load_dword v1, v0, s[0:3], 0 idxen\n s_endpgm")});
  REQUIRE(image);
  CHECK(waitStatesBefore(**image, (*image)->parts[1]) == 0);
  CHECK(waitStatesBefore(**image, (*image)->parts[2]) == 4);
  CHECK(checkImage(**image));
}

TEST_CASE("a hazard ends inside a part that is long enough") {
  auto image = joinCompute({computePiece("v_readfirstlane_b32 s0, v0"), computePiece("s_nop 4"),
                            computeMain("buffer_load_dword v1, v0, s[0:3], 0 idxen\n s_endpgm")});
  REQUIRE(image);
  CHECK(waitStatesBefore(**image, (*image)->parts[2]) == 0);
  CHECK(checkImage(**image));
}

TEST_CASE("wait states of an earlier join count for a later one") {
  auto image = joinCompute({computePiece("v_readfirstlane_b32 s0, v0\n v_cmp_eq_f32_e32 vcc, 0, v0"),
                            computePiece("v_div_fmas_f32 v2, v0, v0, v0"),
                            computeMain("buffer_load_dword v1, v0, s[0:3], 0 idxen\n s_endpgm")});
  REQUIRE(image);
  CHECK(waitStatesBefore(**image, (*image)->parts[1]) == 4);
  CHECK(waitStatesBefore(**image, (*image)->parts[2]) == 0);
  CHECK(checkImage(**image));
}

TEST_CASE("s_rfe waits for TRAPSTS") {
  auto image = joinCompute(
      {computePiece("s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 0, 1), 0"), computeMain("s_rfe_b64 s[0:1]\n s_endpgm")});
  REQUIRE(image);
  CHECK(waitStatesBefore(**image, (*image)->parts[1]) == 1);
}

TEST_CASE("the length of a part is that of its shortest path") {
  // 3 instructions if the branch is taken, more if it is not.
  auto summary = summaryOf("s_cmp_eq_u32 s4, 0\n s_cbranch_scc1 1\n s_nop 9\n s_mov_b32 s1, s2");
  REQUIRE(summary);
  CHECK(summary->length == 3);
}

TEST_CASE("code that branches out of itself has no summary") {
  auto summary = summaryOf("s_branch 2\n s_nop 0");
  REQUIRE(!summary);
  CHECK((summary.error().code == ErrorCode::InvalidInput));
  CHECK(summaryOf("s_branch 1\n s_nop 0"));
}

TEST_CASE("GFX8 waits for M0 by itself, but for messages") {
  auto sensitive = [](std::string_view text, std::string_view gpu) {
    auto summary = summaryOf(text, gpu);
    REQUIRE(summary);
    return std::ranges::count(summary->sensitiveAtStart, isa::Hazard::SaluWritesM0ThenInterpOrLdsOrMessage,
                              &isa::HazardEdge::hazard);
  };
  CHECK(sensitive("v_interp_mov_f32_e32 v1, p0, attr0.x", "gfx900") == 1);
  CHECK(sensitive("v_interp_p1ll_f16 v1, v0, attr0.x", "gfx900") == 1);
  CHECK(sensitive("v_interp_mov_f32_e32 v1, p0, attr0.x", "gfx803") == 0);
  CHECK(sensitive("s_sendmsg sendmsg(MSG_INTERRUPT)", "gfx900") == 1);
  CHECK(sensitive("s_sendmsg sendmsg(MSG_INTERRUPT)", "gfx803") == 1);
}

TEST_CASE("soft clauses matter on GPUs that replay memory") {
  for (const TargetInfo &gpu : allTargets()) {
    CAPTURE(std::string(gpu.gpuName));
    auto summary = summaryOf("s_load_dwordx2 s[0:1], s[0:1], 0x0", gpu.gpuName);
    REQUIRE(summary);
    CHECK(summary->pendingAtEnd.empty() == !gpu.replaysMemory);
    CHECK(gpu.replaysMemory == (gpu.gfxIp.major == 9 || gpu.gpuName == "gfx801" || gpu.gpuName == "gfx810"));
  }
}
