// SPDX-License-Identifier: MIT
//
// Tests each rule of the table of wait states. One wait state too few traps, enough of them do not. A neighbour that
// the rule does not cover does not trap either.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// s[4:7] and s[8:9] are a buffer over and the address of 64 bytes; v0 = 0, v[1:2] the address, v[4:7] data.
std::optional<TrapKind> trapOf(std::string_view text, const Chip &chip = {}) {
  AssemblyRun run(chip);
  FragmentParameters parameters;
  parameters.primMask = 1;
  parameters.primitives = {{FragmentParameters::Attribute{}}};
  run.setup.parameters = &parameters;
  uint64_t address = run.gpu.memory().map("data", std::vector<uint8_t>(4096));
  uint32_t low = uint32_t(address), high = uint32_t(address >> 32);
  run.setup.sgprs = {0u, 0u, 0u, 0u, low, high, 4096u, 0x00024facu, low, high, 0u, 0u};
  auto zero = allLanes(0u);
  run.setup.vgprs = {zero, allLanes(low), allLanes(high), zero, zero, zero, zero, zero, zero};
  run.run(text);
  INFO(run.trapText());
  CHECK((run.trap().has_value() || run.wave().status == WaveStatus::Ended));
  return run.trap();
}

// Runs first, then second: one wait state less than `states` between them traps, `states` do not.
void checkRule(unsigned states, const std::string &first, const std::string &second) {
  INFO(first << " / " << second);
  std::string before = first + "\n", after = "\n" + second;
  std::string fewer = states > 1 ? fmt::format("s_nop {}\n", states - 2) : "";
  CHECK((trapOf(before + fewer + after) == TrapKind::WaitStates));
  CHECK((trapOf(before + fmt::format("s_nop {}\n", states - 1) + after) == std::nullopt));
  // Other instructions count as much as s_nop.
  std::string others;
  for (unsigned i = 0; i < states; ++i)
    others += "s_mov_b32 s40, 0\n";
  CHECK((trapOf(before + others + after) == std::nullopt));
}

void checkNoRule(const std::string &first, const std::string &second) {
  INFO(first << " / " << second);
  CHECK((trapOf(first + "\n" + second) == std::nullopt));
}

} // namespace

TEST_CASE("s_setreg, then s_getreg or s_setreg of the same register: 2") {
  checkRule(2, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1", "s_getreg_b32 s0, hwreg(HW_REG_MODE)");
  checkRule(2, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 1");
  checkNoRule("s_getreg_b32 s0, hwreg(HW_REG_MODE)", "s_getreg_b32 s0, hwreg(HW_REG_MODE)");
}

TEST_CASE("s_setreg of MODE.vskip, then a vector instruction: 2") {
  checkRule(2, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0", "v_mov_b32_e32 v3, 0");
  checkNoRule("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), 0xc0", "v_mov_b32_e32 v3, 0");
  checkNoRule("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0", "s_mov_b32 s0, 0");
}

TEST_CASE("a VALU instruction writes VCC, then VCCZ is a data source: 5") {
  checkRule(5, "v_cmp_eq_u32_e32 vcc, 0, v0", "v_mov_b32_e32 v3, src_vccz");
  checkNoRule("s_mov_b64 vcc, 0", "v_mov_b32_e32 v3, src_vccz");
  checkNoRule("v_cmp_eq_u32_e32 vcc, 0, v0", "s_cbranch_vccz 0");
}

TEST_CASE("a VALU instruction writes EXEC, then EXECZ is a data source: 5") {
  checkRule(5, "v_cmpx_eq_u32_e32 vcc, 0, v0", "v_mov_b32_e32 v3, src_execz");
  checkNoRule("s_mov_b64 exec, -1", "v_mov_b32_e32 v3, src_execz");
}

TEST_CASE("a VALU instruction writes an SGPR, then it selects a lane: 4") {
  checkRule(4, "v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v0, s0");
  checkRule(4, "v_readfirstlane_b32 s0, v0", "v_writelane_b32 v3, 0, s0");
  checkRule(4, "v_cmp_eq_u32_e32 vcc, 1, v0", "v_readlane_b32 s1, v0, vcc_lo");
  checkNoRule("v_readfirstlane_b32 s0, v0", "v_readlane_b32 s1, v0, s2");
  checkNoRule("s_mov_b32 s0, 0", "v_readlane_b32 s1, v0, s0");
}

TEST_CASE("a VALU instruction writes VCC, then v_div_fmas: 4") {
  checkRule(4, "v_cmp_eq_u32_e32 vcc, 0, v0", "v_div_fmas_f32 v3, v0, v0, v0");
  checkRule(4, "v_div_scale_f32 v5, vcc, v0, v0, v0", "v_div_fmas_f32 v3, v0, v0, v0");
  checkNoRule("s_mov_b64 vcc, 0", "v_div_fmas_f32 v3, v0, v0, v0");
}

TEST_CASE("a store of more than 64 bits, then a VALU instruction writes its data: 1") {
  checkRule(1, "global_store_dwordx4 v[1:2], v[4:7], off", "v_mov_b32_e32 v6, 0");
  checkRule(1, "buffer_store_dwordx3 v[4:6], off, s[4:7], 0", "v_mov_b32_e32 v4, 0");
  checkNoRule("buffer_store_dwordx2 v[4:5], off, s[4:7], 0", "v_mov_b32_e32 v4, 0");
  checkNoRule("buffer_store_dwordx3 v[4:6], off, s[4:7], 0", "v_mov_b32_e32 v7, 0");
  checkNoRule("buffer_store_dwordx4 v[4:7], off, s[4:7], s0", "v_mov_b32_e32 v4, 0");
  checkNoRule("buffer_store_dwordx4 v[4:7], off, s[4:7], 0", "v_mov_b32_e32 v3, v4");
}

TEST_CASE("a VALU instruction writes an SGPR, then vector memory reads it: 5") {
  checkRule(5, "v_readfirstlane_b32 s10, v0", "buffer_load_dword v3, off, s[4:7], s10");
  checkRule(5, "v_readfirstlane_b32 s8, v1", "global_load_dword v3, v0, s[8:9]");
  checkRule(5, "v_readfirstlane_b32 s4, v1", "buffer_load_dword v3, off, s[4:7], 0");
  checkNoRule("v_readfirstlane_b32 s11, v0", "buffer_load_dword v3, off, s[4:7], s10");
  checkNoRule("s_mov_b32 s10, 0", "buffer_load_dword v3, off, s[4:7], s10");
  checkNoRule("v_readfirstlane_b32 s10, v0", "v_mov_b32_e32 v3, s10");
}

TEST_CASE("an SALU instruction writes M0, then it is read without an interlock: 1") {
  checkRule(1, "s_mov_b32 m0, 1", "s_sendmsg sendmsg(MSG_INTERRUPT)");
  checkRule(1, "s_mov_b32 m0, 1", "s_movrels_b32 s0, s1");
  checkRule(1, "s_mov_b32 m0, 1", "v_interp_p1_f32_e32 v3, v0, attr0.x");
  checkRule(1, "s_mov_b32 m0, 1", "v_interp_p1_f32_e64 v3, v0, attr0.x");
  checkRule(1, "s_mov_b32 m0, 1", "v_interp_p1ll_f16 v3, v0, attr0.x");
  checkNoRule("s_mov_b32 m0, 1", "s_mov_b32 s0, m0");
  checkNoRule("s_mov_b32 m0, 1", "v_mov_b32_e32 v3, m0");
}

TEST_CASE("GFX8 waits for M0 by itself, but for messages") {
  const char *interpolation = "s_mov_b32 m0, 1\nv_interp_mov_f32_e32 v8, p0, attr0.x";
  CHECK((trapOf(interpolation) == TrapKind::WaitStates));
  CHECK((trapOf(interpolation, chipOf(Generation::Gfx8)) == std::nullopt));
  const char *message = "s_mov_b32 m0, 1\ns_sendmsg sendmsg(MSG_INTERRUPT)";
  CHECK((trapOf(message) == TrapKind::WaitStates));
  CHECK((trapOf(message, chipOf(Generation::Gfx8)) == TrapKind::WaitStates));
}

TEST_CASE("a VALU instruction writes a VGPR, then DPP reads it: 2") {
  checkRule(2, "v_mov_b32_e32 v3, 0", "v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  checkNoRule("v_mov_b32_e32 v5, 0", "v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  checkNoRule("v_mov_b32_e32 v3, 0", "v_mov_b32_e32 v4, v3");
}

// Only the first source goes through DPP. LLVM keeps the second source away, too; ACO does not.
TEST_CASE("a VALU instruction writes a VGPR, then it is the second source of a DPP instruction: none") {
  checkRule(2, "v_mov_b32_e32 v5, 0", "v_add_u32_dpp v4, v5, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  checkNoRule("v_mov_b32_e32 v3, 0", "v_add_u32_dpp v4, v5, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
}

TEST_CASE("a VALU instruction writes EXEC, then DPP: 5") {
  checkRule(5, "v_cmpx_eq_u32_e32 vcc, 0, v0", "v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  checkNoRule("s_mov_b64 exec, -1", "v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
}

TEST_CASE("interpolation counts as a VALU instruction where it writes VGPRs") {
  checkRule(2, "s_mov_b32 m0, 1\ns_nop 0\nv_interp_mov_f32_e32 v3, p0, attr0.x",
            "v_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  checkRule(1, "s_mov_b32 m0, 1\nbuffer_store_dwordx3 v[4:6], off, s[4:7], 0", "v_interp_mov_f32_e32 v4, p0, attr0.x");
  checkNoRule("s_mov_b32 m0, 1\nbuffer_store_dwordx3 v[4:6], off, s[4:7], 0", "v_interp_mov_f32_e32 v7, p0, attr0.x");
}

namespace {

// Memory instructions on a GPU that may replay them, and on one that never does.
void checkClause(bool isAllowed, const std::string &text) {
  INFO(text);
  std::string end = "\ns_waitcnt vmcnt(0) lgkmcnt(0)";
  CHECK((trapOf(text + end, {.replaysMemory = true}) ==
         (isAllowed ? std::nullopt : std::optional(TrapKind::WaitStates))));
  CHECK((trapOf(text + end) == std::nullopt));
}

} // namespace

TEST_CASE("a clause of scalar loads that may be replayed does not overwrite what it reads") {
  checkClause(true, "s_load_dwordx2 s[20:21], s[8:9], 0x0\ns_load_dwordx2 s[22:23], s[8:9], 0x8");
  checkClause(false, "s_load_dwordx2 s[20:21], s[8:9], 0x0\ns_load_dwordx2 s[8:9], s[4:5], 0x8");
  checkClause(true, "s_load_dwordx2 s[20:21], s[8:9], 0x0\ns_nop 0\ns_load_dwordx2 s[8:9], s[4:5], 0x8");
  checkClause(false, "s_load_dwordx2 s[20:21], s[8:9], 0x0\ns_load_dwordx2 s[22:23], s[8:9], 0x0\n"
                     "s_load_dwordx2 s[8:9], s[4:5], 0x8");
}

TEST_CASE("a scalar load that may be replayed and overwrites its own address stands alone") {
  checkClause(true, "s_load_dwordx2 s[8:9], s[8:9], 0x0");
  checkClause(false, "s_load_dwordx2 s[8:9], s[8:9], 0x0\ns_load_dwordx2 s[20:21], s[4:5], 0x8");
  checkClause(true, "s_load_dwordx2 s[8:9], s[8:9], 0x0\ns_mov_b32 s30, 0\ns_load_dwordx2 s[20:21], s[4:5], 0x8");
  checkClause(false, "s_load_dwordx2 s[20:21], s[4:5], 0x8\ns_load_dwordx2 s[8:9], s[8:9], 0x0");
}

TEST_CASE("a clause of vector memory that may be replayed does not overwrite what it reads, nor stores behind a load") {
  checkClause(true, "buffer_load_dword v3, v0, s[4:7], 0 offen\nbuffer_load_dword v4, v0, s[4:7], 0 offen");
  checkClause(false, "buffer_load_dword v3, v0, s[4:7], 0 offen\nbuffer_load_dword v0, v8, s[4:7], 0 offen");
  checkClause(true, "buffer_load_dword v3, v0, s[4:7], 0 offen\ns_nop 0\nbuffer_load_dword v0, v8, s[4:7], 0 offen");
  checkClause(true, "buffer_load_dword v0, v0, s[4:7], 0 offen");
  checkClause(false, "buffer_load_dword v0, v0, s[4:7], 0 offen\nbuffer_load_dword v3, v8, s[4:7], 0 offen");
  checkClause(false, "buffer_load_dword v3, v0, s[4:7], 0 offen\nbuffer_store_dword v4, v0, s[4:7], 0 offen");
  checkClause(true, "buffer_store_dword v4, v0, s[4:7], 0 offen\nbuffer_load_dword v3, v0, s[4:7], 0 offen");
  checkClause(false, "buffer_load_dword v3, v0, s[4:7], 0 offen\nbuffer_atomic_add v4, v0, s[4:7], 0 offen glc");
}

TEST_CASE("scalar and vector memory are clauses of their own") {
  checkClause(true, "s_load_dwordx2 s[8:9], s[8:9], 0x0\nbuffer_load_dword v0, v0, s[4:7], 0 offen\n"
                    "s_load_dwordx2 s[20:21], s[4:5], 0x8");
}
