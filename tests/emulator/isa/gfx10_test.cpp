// SPDX-License-Identifier: MIT
//
// What GFX10.3 does otherwise than GFX9, and what is new there.
#include "tests/emulator/memory/memory_run.h"
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// v0 is the lane's number, v1 is 100 more, v2 is 7, v8 is 0xcafe0000 plus the lane's number.
class Gfx10Run : public MemoryRun {
public:
  Gfx10Run() : MemoryRun(Generation::Gfx10) {
    setup.vgprs.assign(12, allLanes(0u));
    setup.vgprs[0] = eachLane([](unsigned lane) { return lane; });
    setup.vgprs[1] = eachLane([](unsigned lane) { return 100 + lane; });
    setup.vgprs[2] = allLanes(7u);
    setup.vgprs[8] = eachLane([](unsigned lane) { return 0xcafe0000 + lane; });
    setup.sgprCount = 106;
  }
};

// v8 of one lane after the text, which must not trap.
uint32_t result(std::string_view text, unsigned lane = 37, uint64_t exec = ~uint64_t(0)) {
  Gfx10Run run;
  run.setup.exec = exec;
  run.run(text);
  CAPTURE(text);
  CHECK(run.trapText() == "");
  return run.vgpr(8, lane);
}

std::optional<TrapKind> trapOf(std::string_view text) {
  Gfx10Run run;
  run.setPair(4, run.map<uint32_t>({1, 2, 3, 4}));
  run.run(text);
  return run.trap();
}

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

} // namespace

TEST_CASE("16-bit results keep the other half of their register on GFX10") {
  CHECK(result("v_add_f16_e32 v8, 1.0, v3") == 0xcafe3c00);
  CHECK(result("v_add_nc_u16 v8, v2, v2") == 0xcafe000e);
  CHECK(result("v_cvt_f16_f32_e32 v8, 1.0") == 0xcafe3c00);
  CHECK(result("v_mul_lo_u16 v8, v2, v2") == 0xcafe0031);
  CHECK(result("v_add_nc_u16 v8, v2, v2 op_sel:[0,0,1]") == 0x000e0025);
}

TEST_CASE("v_cmpx writes EXEC and no SGPRs on GFX10") {
  Gfx10Run run;
  run.run("s_mov_b64 vcc, 5\nv_cmpx_gt_u32_e32 16, v0\nv_mov_b32_e32 v8, 3");
  CHECK(run.trapText() == "");
  CHECK(run.sgprPair(VccLo) == 5);
  CHECK(run.vgpr(8, 15) == 3);
  CHECK(run.vgpr(8, 16) == 0xcafe0010);
}

TEST_CASE("literals of VOP3 and VOP3P") {
  CHECK(result("v_add_f32_e64 v8, 0x40400000, 1.0") == bits(4.0f));
  CHECK(result("v_mad_u32_u24 v8, v2, 0x1000, v2") == 0x7007);
  CHECK(result("v_pk_add_u16 v8, 0x1234, v2") == 0x123b);
}

TEST_CASE("v_fmamk, v_fmaak and v_fmac round once") {
  constexpr float Small = 0x1.000002p+0f;
  Gfx10Run run;
  run.setup.vgprs[3] = allLanes(Small);
  run.setup.vgprs[8] = run.setup.vgprs[4] = allLanes(-0x1.000004p+0f);
  run.run("v_fmac_f32_e32 v8, v3, v3\nv_fmamk_f32 v5, v3, 0x3f800001, v4\nv_fmaak_f32 v6, v3, v3, 0xbf800002");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 1) == bits(0x1p-46f));
  CHECK(run.vgpr(5, 1) == bits(0x1p-46f));
  CHECK(run.vgpr(6, 1) == bits(0x1p-46f));
}

TEST_CASE("zero times anything is zero in v_fma_legacy_f32") {
  CHECK(result("v_fma_legacy_f32 v8, 0, 0x7f800000, 2.0") == bits(2.0f));
  CHECK(result("v_fma_legacy_f32 v8, 2.0, 4.0, 2.0") == bits(10.0f));
}

TEST_CASE("renamed and new integer instructions") {
  CHECK(result("v_add_nc_u32_e32 v8, v1, v2") == 144);
  CHECK(result("v_sub_nc_u32_e32 v8, v1, v2") == 130);
  CHECK(result("v_subrev_nc_u32_e32 v8, v1, v2") == uint32_t(7 - 137));
  CHECK(result("v_add_nc_i32 v8, v1, v2") == 144);
  CHECK(result("v_xor3_b32 v8, v0, v1, v2") == (37u ^ 137u ^ 7u));
  CHECK(result("v_mov_b32_e32 v8, 10\nv_dot4c_i32_i8_e32 v8, 0x0102ff03, v2") == 10 + 3 * 7);
}

TEST_CASE("carries go to SGPRs, VCC or nowhere") {
  Gfx10Run run;
  run.run("s_mov_b64 vcc, -1\nv_add_co_u32 v8, s[10:11], -3, v2\nv_add_co_ci_u32_e32 v9, vcc, v2, v2, vcc\n"
          "v_add_co_u32 v7, null, -3, v2");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 0) == 4);
  CHECK(run.vgpr(7, 0) == 4);
  CHECK(run.sgprPair(10) == ~uint64_t(0));
  CHECK(run.vgpr(9, 0) == 15);
  CHECK(run.sgprPair(VccLo) == 0);
}

TEST_CASE("undefined bits reach carries, but not the lanes of v_permlane16") {
  Gfx10Run run; // v20 was never written
  run.run("v_lshlrev_b32_e32 v9, 16, v20\nv_add_co_u32 v8, vcc, v9, v2\nv_and_b32_e32 v8, 0xffff, v8");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 3) == 7);
  run.run("v_lshlrev_b32_e32 v9, 16, v20\nv_add_co_u32 v8, vcc, v9, v2\nv_cndmask_b32_e32 v8, v0, v1, vcc");
  CHECK((run.trap() == TrapKind::UninitialisedRegister));
  CHECK((trapOf("v_permlane16_b32 v8, v20, 0, 0") == TrapKind::UninitialisedRegister));
}

TEST_CASE("null reads as 0, and what is written to it is lost") {
  Gfx10Run run;
  run.run("s_mov_b64 s[10:11], null\ns_mov_b64 null, -1\ns_mov_b32 s12, exec_lo\ns_mov_b32 s13, null");
  CHECK(run.trapText() == "");
  CHECK(run.sgprPair(10) == 0);
  CHECK(run.sgpr(12) == 0xffffffff);
  CHECK(run.sgpr(13) == 0);
}

TEST_CASE("GFX10 has 106 SGPRs") {
  Gfx10Run run;
  run.run("s_mov_b32 s102, 3\ns_mov_b32 s105, 4\ns_add_u32 s0, s102, s105");
  CHECK(run.trapText() == "");
  CHECK(run.sgpr(0) == 7);
}

TEST_CASE("DPP8 takes one of eight lanes; lanes that are off give 0, or their value with fi") {
  const std::string control = " dpp8:[7,6,5,4,3,2,1,0]";
  CHECK(result("v_mov_b32_dpp v8, v0" + control, 8) == 15);
  CHECK(result("v_mov_b32_dpp v8, v0" + control, 19) == 20);
  CHECK(result("v_mov_b32_dpp v8, v0" + control, 8, ~(1ull << 14)) == 15);
  CHECK(result("v_mov_b32_dpp v8, v0" + control, 8, ~(1ull << 15)) == 0);
  CHECK(result("v_mov_b32_dpp v8, v0" + control + " fi:1", 8, ~(1ull << 15)) == 15);
}

TEST_CASE("row_share and row_xmask of GFX10's DPP; those across rows are gone") {
  const std::string masks = " row_mask:0xf bank_mask:0xf";
  CHECK(result("v_mov_b32_dpp v8, v0 row_share:3" + masks, 37) == 35);
  CHECK(result("v_mov_b32_dpp v8, v0 row_xmask:5" + masks, 37) == 32);
  CHECK(result("v_mov_b32_dpp v8, v0 row_share:3" + masks, 37, ~(1ull << 35)) == 0xcafe0025);
  CHECK(result("v_mov_b32_dpp v8, v0 row_share:3" + masks + " bound_ctrl:1", 37, ~(1ull << 35)) == 0);
  CHECK(result("v_mov_b32_dpp v8, v0 row_share:3" + masks + " fi:1", 37, ~(1ull << 35)) == 35);
  CHECK((trapOf(".long 0x7e1002fa\n.long 0xff013000") == TrapKind::Unsupported)); // wave_shl:1
}

TEST_CASE("v_permlane16 takes a lane of the row, v_permlanex16 of the other row of the pair") {
  // Lane 5 of a row takes lane 12, lane 9 takes lane 3.
  const std::string selects = "s_mov_b32 s2, 0x00c00000\ns_mov_b32 s3, 0x00000030\n";
  CHECK(result(selects + "v_permlane16_b32 v8, v0, s2, s3", 37) == 44);
  CHECK(result(selects + "v_permlane16_b32 v8, v0, s2, s3", 41) == 35);
  CHECK(result(selects + "v_permlanex16_b32 v8, v0, s2, s3", 37) == 60);
  CHECK(result(selects + "v_permlanex16_b32 v8, v0, s2, s3", 53) == 44);
  CHECK(result(selects + "v_permlane16_b32 v8, v0, s2, s3", 37, ~(1ull << 44)) == 0xcafe0025);
  CHECK(result(selects + "v_permlane16_b32 v8, v0, s2, s3 op_sel:[0,1]", 37, ~(1ull << 44)) == 0);
  CHECK(result(selects + "v_permlane16_b32 v8, v0, s2, s3 op_sel:[1,0]", 37, ~(1ull << 44)) == 44);
}

TEST_CASE("stores count in VSCNT, loads in VMCNT") {
  const std::string load = "global_load_dword v8, v3, s[4:5]\n", store = "global_store_dword v3, v2, s[4:5]\n";
  CHECK((trapOf(load + "v_mov_b32_e32 v9, v8") == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(load + "s_waitcnt vmcnt(0)\nv_mov_b32_e32 v9, v8") == std::nullopt));
  // A store behind the load does not count.
  CHECK((trapOf(load + store + "s_waitcnt vmcnt(1)\nv_mov_b32_e32 v9, v8") == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(load + store + "s_waitcnt_vscnt null, 0x0\nv_mov_b32_e32 v9, v8") == TrapKind::UseBeforeWaitcnt));
  CHECK((trapOf(load + load + "s_waitcnt vmcnt(0)\nv_mov_b32_e32 v9, v8") == std::nullopt));
}

TEST_CASE("lgkmcnt has six bits on GFX10") {
  std::string text;
  for (unsigned i = 0; i < 20; ++i)
    text += "ds_read_b32 v" + std::to_string(20 + i) + ", v3\n";
  Gfx10Run run;
  run.group.lds.resize(64);
  run.run(text + "s_waitcnt lgkmcnt(19)\nv_mov_b32_e32 v8, v20");
  CHECK(run.trapText() == "");
  run.run(text + "s_waitcnt lgkmcnt(19)\nv_mov_b32_e32 v8, v21");
  CHECK((run.trap() == TrapKind::UseBeforeWaitcnt));
}

TEST_CASE("GFX10.3 needs no wait states") {
  CHECK((trapOf("v_readfirstlane_b32 s10, v2\nv_readlane_b32 s11, v0, s10") == std::nullopt));
  CHECK((trapOf("v_mov_b32_e32 v3, 0\nv_mov_b32_dpp v4, v3 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf") ==
         std::nullopt));
}

TEST_CASE("s_round_mode and s_denorm_mode set their bits of MODE") {
  Gfx10Run run;
  run.run("s_round_mode 0x3\ns_denorm_mode 0x5\ns_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)");
  CHECK(run.trapText() == "");
  CHECK(run.sgpr(0) == 0x53);
}

TEST_CASE("an opcode that the emulator does not execute is named") {
  Gfx10Run run;
  run.run("v_mullit_f32 v8, v0, v1, v2");
  CHECK((run.trap() == TrapKind::Unsupported));
  CHECK(run.trapText().find("v_mullit_f32") != std::string::npos);
}

TEST_CASE("offsets of global instructions have 12 bits and a sign") {
  Gfx10Run run;
  const uint64_t data = run.map<uint32_t>({5, 6, 7, 8});
  run.setPair(4, data + 2048);
  run.run("global_load_dword v8, v3, s[4:5] offset:-2044\ns_waitcnt vmcnt(0)");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 3) == 6);
}

TEST_CASE("float atomics of buffers") {
  Gfx10Run run;
  const uint64_t data = run.map<float>({5, 6});
  run.bindRaw(4, data, 8);
  run.setup.vgprs[3] = allLanes(5.5f);
  run.setup.exec = 1;
  run.run("buffer_atomic_fmin v3, off, s[4:7], 0\nbuffer_atomic_fmin v3, off, s[4:7], 0 offset:4");
  CHECK(run.trapText() == "");
  CHECK(run.read<float>(data, 0) == 5.0f);
  CHECK(run.read<float>(data, 1) == 5.5f);
}

namespace {

// Loads a dword from a buffer of three records of eight bytes, within 64 bytes that are 1, 2, 3, …
uint32_t loadChecked(RangeCheck check, unsigned index, unsigned offset) {
  Gfx10Run run;
  BufferDescriptor buffer;
  std::vector<uint32_t> values;
  for (uint32_t i = 1; i <= 16; ++i)
    values.push_back(i);
  buffer.base = run.map(values);
  buffer.stride = 8;
  buffer.numRecords = check == RangeCheck::Bytes ? 24 : 3;
  buffer.dataFormat = AnyDataFormat;
  buffer.numFormat = 4;
  buffer.rangeCheck = uint8_t(check);
  run.bind(4, buffer);
  run.setup.vgprs[4] = allLanes(index);
  run.setup.vgprs[5] = allLanes(offset);
  run.run("buffer_load_dword v8, v[4:5], s[4:7], 0 idxen offen\ns_waitcnt vmcnt(0)");
  CHECK(run.trapText() == "");
  return run.vgpr(8, 9);
}

} // namespace

TEST_CASE("OOB_SELECT says which accesses are out of range") {
  CHECK(loadChecked(RangeCheck::RecordAndOffset, 2, 4) == 6);
  CHECK(loadChecked(RangeCheck::RecordAndOffset, 3, 0) == 0);
  CHECK(loadChecked(RangeCheck::RecordAndOffset, 1, 8) == 0);
  CHECK(loadChecked(RangeCheck::Record, 1, 8) == 5);
  CHECK(loadChecked(RangeCheck::Record, 3, 0) == 0);
  CHECK(loadChecked(RangeCheck::Any, 5, 0) == 11);
  CHECK(loadChecked(RangeCheck::Bytes, 2, 4) == 6);
  CHECK(loadChecked(RangeCheck::Bytes, 2, 8) == 0);
}

TEST_CASE("typed buffers of GFX10: MTBUF's format, and the descriptor's") {
  Gfx10Run run;
  BufferDescriptor buffer;
  buffer.base = run.map<uint32_t>({0x40ff8000});
  buffer.stride = 4;
  buffer.numRecords = 1;
  buffer.dataFormat = 10; // 8_8_8_8
  buffer.numFormat = 0;   // UNORM
  run.bind(4, buffer);
  run.run("tbuffer_load_format_xy v[8:9], v3, s[4:7], 0 format:[BUF_FMT_16_16_UINT] idxen\n"
          "buffer_load_format_xyzw v[4:7], v3, s[4:7], 0 idxen\ns_waitcnt vmcnt(0)");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 0) == 0x8000);
  CHECK(run.vgpr(9, 0) == 0x40ff);
  CHECK(run.vgprFloat(4, 0) == 0.0f);
  CHECK(run.vgprFloat(6, 0) == 1.0f);
}
