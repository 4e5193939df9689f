// SPDX-License-Identifier: MIT
//
// Values that go between lanes and into masks: EXEC, compares, carries, lane access, DPP, SDWA.
#include "tests/emulator/isa/vector_evaluate.h"
#include "tools/proof/emulator/alu/vector_execute.h"
#include <functional>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr uint64_t All = ~uint64_t(0);

// Two sources: v0 is the lane's number, v1 is 100 + the lane's number; v8 is 1000 + the lane's number.
void startWithNumbers(AssemblyRun &run) {
  run.setup.vgprs.assign(10, allLanes(0u));
  run.setup.vgprs[0] = eachLane([](unsigned lane) { return lane; });
  run.setup.vgprs[1] = eachLane([](unsigned lane) { return 100 + lane; });
  run.setup.vgprs[8] = eachLane([](unsigned lane) { return 1000 + lane; });
}

uint64_t maskOf(const std::function<bool(unsigned)> &condition) {
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    mask |= uint64_t(condition(lane)) << lane;
  return mask;
}

// Runs `v_mov_b32_dpp v8, v0 CONTROL` and compares each lane with its expected value.
void checkDpp(std::string_view control, uint64_t exec, const std::function<unsigned(unsigned)> &expected) {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = exec;
  run.run(fmt::format("v_mov_b32_dpp v8, v0 {}", control));
  CAPTURE(control);
  CHECK(run.trapText() == "");
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    CAPTURE(lane);
    CHECK(run.vgpr(8, lane) == expected(lane));
  }
}

unsigned old(unsigned lane) {
  return 1000 + lane;
}

} // namespace

TEST_CASE("lanes that are off keep their values") {
  for (const char *text : {"v_add_u32 v8, v0, v1", "v_add_u32_sdwa v8, v0, v1 dst_sel:DWORD src0_sel:DWORD",
                           "v_mad_u32_u24 v8, v0, 1, v1"}) {
    AssemblyRun run;
    startWithNumbers(run);
    run.setup.exec = 0x00000000ffff000f;
    run.run(text);
    CHECK(run.trapText() == "");
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      CHECK(run.vgpr(8, lane) == ((run.setup.exec >> lane & 1) != 0 ? 100 + 2 * lane : old(lane)));
  }
}

TEST_CASE("lanes that are off keep both halves of a 64-bit value") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = 2;
  run.run("v_lshlrev_b64 v[8:9], 36, v[0:1]");
  CHECK(run.vgpr(8, 0) == old(0));
  CHECK(run.vgpr(9, 0) == 0);
  CHECK(run.vgpr(8, 1) == 0);
  CHECK(run.vgpr(9, 1) == 16);
}

TEST_CASE("compares write a bit for each lane, 0 for those that are off") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = 0xffff0000ffff00ff;
  run.run("v_cmp_gt_u32 vcc, 10, v0\n"
          "v_cmp_lt_u32_e64 s[4:5], v0, 40\n"
          "v_cmp_ne_u32_sdwa s[6:7], v0, v1 src0_sel:DWORD src1_sel:DWORD\n"
          "v_cmp_t_i32 s[8:9], v0, v1\n"
          "v_cmp_f_i32 s[10:11], v0, v1");
  CHECK(run.trapText() == "");
  CHECK(run.sgprPair(VccLo) == 0xff);
  CHECK(run.sgprPair(4) == (run.setup.exec & 0xffffffffff));
  CHECK(run.sgprPair(6) == run.setup.exec);
  CHECK(run.sgprPair(8) == run.setup.exec);
  CHECK(run.sgprPair(10) == 0);
  CHECK(run.wave().exec() == run.setup.exec);
}

TEST_CASE("v_cmpx writes EXEC besides") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = 0xff;
  run.run("v_cmpx_gt_u32 vcc, 4, v0\nv_mov_b32 v8, 7");
  CHECK(run.trapText() == "");
  CHECK(run.sgprPair(VccLo) == 0xf);
  CHECK(run.wave().exec() == 0xf);
  CHECK(run.vgpr(8, 3) == 7);
  CHECK(run.vgpr(8, 4) == old(4));
}

TEST_CASE("all float conditions on less, equal, greater and unordered") {
  // Lane 0: 1 < 2, lane 1: 2 = 2, lane 2: 3 > 2, lane 3: NaN.
  struct Condition {
    const char *name;
    unsigned mask;
  };
  const Condition conditions[] = {{"f", 0},    {"lt", 1},   {"eq", 2},   {"le", 3},  {"gt", 4},   {"lg", 5},
                                  {"ge", 6},   {"o", 7},    {"u", 8},    {"nge", 9}, {"nlg", 10}, {"ngt", 11},
                                  {"nle", 12}, {"neq", 13}, {"nlt", 14}, {"tru", 15}};
  for (const Condition &condition : conditions) {
    AssemblyRun run;
    Lanes floats = {}, halves = {}, doubles = {};
    floats[0] = f32(1), floats[1] = f32(2), floats[2] = f32(3), floats[3] = QuietNan;
    halves[0] = 0x3c00, halves[1] = 0x4000, halves[2] = 0x4200, halves[3] = 0x7e00;
    doubles[0] = uint32_t(f64(1) >> 32), doubles[1] = uint32_t(f64(2) >> 32), doubles[2] = uint32_t(f64(3) >> 32);
    doubles[3] = 0x7ff80000;
    run.setup.vgprs = {floats, halves, allLanes(0u), doubles};
    run.setup.exec = 0xf;
    run.run(fmt::format("v_cmp_{0}_f32 s[4:5], v0, 2.0\nv_cmp_{0}_f16 s[6:7], v1, 2.0\n"
                        "v_cmp_{0}_f64 s[8:9], v[2:3], 2.0\nv_cmpx_{0}_f32 s[10:11], v0, 2.0",
                        condition.name));
    CAPTURE(condition.name);
    CHECK(run.trapText() == "");
    CHECK(run.sgprPair(4) == condition.mask);
    CHECK(run.sgprPair(6) == condition.mask);
    CHECK(run.sgprPair(8) == condition.mask);
    CHECK(run.sgprPair(10) == condition.mask);
    CHECK(run.wave().exec() == condition.mask);
  }
}

TEST_CASE("all integer conditions, signed and unsigned, of all sizes") {
  // Lane 0: -1, lane 1: 2, lane 2: 3, compared with 2.
  struct Condition {
    const char *name;
    unsigned isSigned, isUnsigned;
  };
  const Condition conditions[] = {{"f", 0, 0},  {"lt", 1, 0}, {"eq", 2, 2}, {"le", 3, 2},
                                  {"gt", 4, 5}, {"ne", 5, 5}, {"ge", 6, 7}, {"t", 7, 7}};
  for (const Condition &condition : conditions) {
    AssemblyRun run;
    Lanes low = {}, high = {};
    low[0] = 0xffffffff, low[1] = 2, low[2] = 3;
    high[0] = 0xffffffff;
    run.setup.vgprs = {low, high};
    run.setup.exec = 7;
    run.run(fmt::format("v_cmp_{0}_i16 s[4:5], v0, 2\nv_cmp_{0}_u16 s[6:7], v0, 2\n"
                        "v_cmp_{0}_i32 s[8:9], v0, 2\nv_cmp_{0}_u32 s[10:11], v0, 2\n"
                        "v_cmp_{0}_i64 s[12:13], v[0:1], 2\nv_cmp_{0}_u64 s[14:15], v[0:1], 2",
                        condition.name));
    CAPTURE(condition.name);
    CHECK(run.trapText() == "");
    for (unsigned sgpr : {4u, 8u, 12u})
      CHECK(run.sgprPair(sgpr) == condition.isSigned);
    for (unsigned sgpr : {6u, 10u, 14u})
      CHECK(run.sgprPair(sgpr) == condition.isUnsigned);
  }
}

TEST_CASE("classes of floats") {
  // One value for each bit of the mask, in their order.
  const uint32_t floats[] = {0x7fa00000, 0x7fc00000, 0xff800000, 0xbf800000, 0x80000001,
                             0x80000000, 0x00000000, 0x00000001, 0x3f800000, 0x7f800000};
  const uint32_t halves[] = {0x7d00, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0x0000, 0x0001, 0x3c00, 0x7c00};
  const uint32_t doubles[] = {0x7ff40000, 0x7ff80000, 0xfff00000, 0xbff00000, 0x80000001,
                              0x80000000, 0x00000000, 0x00000001, 0x3ff00000, 0x7ff00000};
  for (unsigned bit = 0; bit < 10; ++bit) {
    AssemblyRun run;
    Lanes f = {}, h = {}, d = {};
    std::copy(std::begin(floats), std::end(floats), f.begin());
    std::copy(std::begin(halves), std::end(halves), h.begin());
    std::copy(std::begin(doubles), std::end(doubles), d.begin());
    run.setup.vgprs = {f, h, allLanes(0u), d, allLanes(1u << bit)};
    run.setup.exec = 0x3ff;
    run.run("v_cmp_class_f32 s[4:5], v0, v4\nv_cmp_class_f16 s[6:7], v1, v4\nv_cmp_class_f64 s[8:9], v[2:3], v4\n"
            "v_cmp_class_f32 s[10:11], -v0, v4");
    CAPTURE(bit);
    CHECK(run.trapText() == "");
    CHECK(run.sgprPair(4) == 1u << bit);
    CHECK(run.sgprPair(6) == 1u << bit);
    CHECK(run.sgprPair(8) == 1u << bit);
    CHECK(run.sgprPair(10) == 1u << (bit < 2 ? bit : 11 - bit));
  }
}

TEST_CASE("v_cndmask chooses by a mask") {
  AssemblyRun run;
  startWithNumbers(run);
  run.run("s_mov_b64 vcc, 0xf0\ns_mov_b64 s[4:5], 0xf\nv_cndmask_b32 v8, v0, v1, vcc\n"
          "v_cndmask_b32_e64 v9, v0, v1, s[4:5]");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 3) == 3);
  CHECK(run.vgpr(8, 4) == 104);
  CHECK(run.vgpr(9, 3) == 103);
  CHECK(run.vgpr(9, 4) == 4);
}

TEST_CASE("v_cndmask with SDWA and DPP chooses by VCC") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.vgprs[2] = allLanes(0x00070009u);
  run.run("s_mov_b64 vcc, 0xf0\n"
          "v_cndmask_b32_sdwa v8, v2, v1, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:BYTE_0\n"
          "v_cndmask_b32_dpp v9, v0, v1, vcc quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 3) == 7);
  CHECK(run.vgpr(8, 4) == 104);
  CHECK(run.vgpr(9, 3) == 2);
  CHECK(run.vgpr(9, 4) == 104);
}

TEST_CASE("carries go out to VCC or an SGPR pair, and come in") {
  AssemblyRun run;
  run.setup.vgprs.assign(10, allLanes(0u));
  run.setup.vgprs[0] = eachLane([](unsigned lane) { return lane < 4 ? 0xffffffff : 5; });
  run.setup.vgprs[1] = allLanes(1u);
  run.setup.exec = 0xff;
  run.run("v_add_co_u32 v2, vcc, v0, v1\n"                 // carry in lanes 0..3
          "v_addc_co_u32 v3, vcc, 10, v1, vcc\n"           // 12 there, 11 elsewhere; no carry
          "v_sub_co_u32_e64 v4, s[4:5], v1, v0\n"          // 1 - 0xffffffff = 2 with borrow; 1 - 5 borrows, too
          "v_subrev_co_u32_e64 v5, s[6:7], v0, v1\n"       // the same
          "v_subb_co_u32_e64 v6, s[8:9], v1, v1, s[4:5]\n" // 1 - 1 - 1
          "v_subbrev_co_u32 v7, vcc, v1, v0, vcc\n"        // VCC is 0 here: v0 - 1
          "v_sub_co_u32 v8, vcc, v0, v1");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(2, 0) == 0);
  CHECK(run.vgpr(2, 4) == 6);
  CHECK(run.vgpr(3, 3) == 12);
  CHECK(run.vgpr(3, 4) == 11);
  CHECK(run.vgpr(4, 0) == 2);
  CHECK(run.sgprPair(4) == 0xff);
  CHECK(run.vgpr(5, 7) == uint32_t(-4));
  CHECK(run.sgprPair(6) == 0xff);
  CHECK(run.vgpr(6, 0) == 0xffffffff);
  CHECK(run.sgprPair(8) == 0xff);
  CHECK(run.vgpr(7, 0) == 0xfffffffe);
  CHECK(run.vgpr(8, 5) == 4);
  CHECK(run.sgprPair(VccLo) == 0);
}

TEST_CASE("a borrow of everything: 0 - 0xffffffff - 1") {
  AssemblyRun run;
  run.setup.vgprs = {allLanes(0u), allLanes(0xffffffffu), allLanes(7u)};
  run.run("s_mov_b64 vcc, -1\nv_subb_co_u32 v2, vcc, v0, v1, vcc");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(2, 9) == 0);
  CHECK(run.sgprPair(VccLo) == All);
}

TEST_CASE("GFX8 calls the additions with carry v_add_u32") {
  AssemblyRun run(Generation::Gfx8);
  run.setup.vgprs = {allLanes(0xffffffffu), allLanes(2u), allLanes(0u)};
  run.run("v_add_u32 v2, vcc, v0, v1");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(2, 9) == 1);
  CHECK(run.sgprPair(VccLo) == All);
  run.run("s_mov_b64 vcc, -1\nv_addc_u32 v3, vcc, v1, v1, vcc\n"   // 2 + 2 + 1, no carry
          "v_subb_u32 v4, vcc, v1, v0, vcc\n"                      // 2 - 0xffffffff with borrow
          "v_subbrev_u32 v5, vcc, v1, v0, vcc\nv_nop\nv_clrexcp"); // 0xffffffff - 2 - 1
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(3, 9) == 5);
  CHECK(run.vgpr(4, 9) == 3);
  CHECK(run.vgpr(5, 9) == 0xfffffffc);
  CHECK(run.sgprPair(VccLo) == 0);
}

TEST_CASE("GFX8 has moves relative to M0") {
  AssemblyRun run(Generation::Gfx8);
  startWithNumbers(run);
  run.run("s_mov_b32 m0, 1\ns_nop 0\nv_movrels_b32 v8, v0\nv_movreld_b32 v8, v0\nv_movrelsd_b32 v3, v0");
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 5) == 105);
  CHECK(run.vgpr(9, 5) == 5);
  CHECK(run.vgpr(4, 5) == 105);
}

// 1 + 255 and 10 + 255 are registers that no wave has.
static void checkIndexBeyondRegisters(Generation generation, const std::string &code) {
  AssemblyRun run(generation);
  startWithNumbers(run);
  run.setup.vgprCount = 12;
  run.run("v_mov_b32 v10, v1\n" + code);
  CHECK(run.trapText() == "");
  CHECK(run.vgpr(8, 5) == 5);
  CHECK(run.vgpr(10, 5) == 105);
}

TEST_CASE("an index that chooses no VGPR reads v0, and writes nothing") {
  checkIndexBeyondRegisters(Generation::Gfx9, "s_movk_i32 s4, 0xff\ns_set_gpr_idx_on s4, gpr_idx(SRC0)\n"
                                              "v_mov_b32 v8, v1\ns_set_gpr_idx_off\n"
                                              "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v10, v0\n"
                                              "s_set_gpr_idx_off");
  checkIndexBeyondRegisters(Generation::Gfx8,
                            "s_movk_i32 m0, 0xff\ns_nop 0\nv_movrels_b32 v8, v1\nv_movreld_b32 v10, v0");
}

TEST_CASE("single lanes to and from SGPRs, whatever EXEC is") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = 0xff00;
  run.run("s_movk_i32 s4, 0x46\n" // 70 is lane 6
          "v_readlane_b32 s5, v0, 63\n"
          "v_readlane_b32 s6, v1, s4\n"
          "v_readfirstlane_b32 s7, v0\n"
          "v_writelane_b32 v8, s5, 2\n"
          "s_mov_b64 exec, 0\n"
          "v_readfirstlane_b32 s8, v1");
  CHECK(run.trapText() == "");
  CHECK(run.sgpr(5) == 63);
  CHECK(run.sgpr(6) == 106);
  CHECK(run.sgpr(7) == 8);
  CHECK(run.sgpr(8) == 100);
  CHECK(run.vgpr(8, 2) == 63);
  CHECK(run.vgpr(8, 3) == old(3));
}

TEST_CASE("an SGPR that nobody wrote may be spilled to a lane and come back, and is a defect where it is used") {
  AssemblyRun run;
  startWithNumbers(run);
  const std::string there = "v_writelane_b32 v8, s20, 2\n", back = "v_readlane_b32 s21, v8, 2\n",
                    use = "s_add_u32 s6, s21, 1\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 0";
  run.run(there + back);
  CHECK(run.trapText() == "");
  run.run(there + back + use);
  CHECK((run.trap() == TrapKind::UninitialisedRegister));
  // The same holds for a lane of a VGPR that nobody wrote.
  run.run("v_readlane_b32 s21, v20, 2");
  CHECK(run.trapText() == "");
  run.run("v_readlane_b32 s21, v20, 2\n" + use);
  CHECK((run.trap() == TrapKind::UninitialisedRegister));
  // A lane that another instruction, or another lane access, has written is defined.
  run.run(there + "v_mov_b32 v8, v0\n" + back + use);
  CHECK(run.trapText() == "");
  run.run(there + "v_writelane_b32 v8, 7, 2\n" + back + use);
  CHECK(run.trapText() == "");
  CHECK(run.sgpr(6) == 8);
}

TEST_CASE("a lane select from an SGPR that the VALU has just written needs wait states") {
  AssemblyRun run;
  startWithNumbers(run);
  run.run("v_readfirstlane_b32 s4, v0\nv_readlane_b32 s5, v0, s4");
  CHECK((run.trap() == TrapKind::WaitStates));
  run.run("v_readfirstlane_b32 s4, v0\ns_nop 3\nv_readlane_b32 s5, v0, s4");
  CHECK(run.trapText() == "");
}

TEST_CASE("v_mbcnt counts bits of lower lanes") {
  AssemblyRun run;
  startWithNumbers(run);
  run.run("v_mbcnt_lo_u32_b32 v8, -1, 0\nv_mbcnt_hi_u32_b32 v8, -1, v8\nv_mbcnt_lo_u32_b32 v9, 42, 10\n"
          "v_mbcnt_hi_u32_b32 v7, 42, 0");
  CHECK(run.trapText() == "");
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    CHECK(run.vgpr(8, lane) == lane);
  CHECK(run.vgpr(9, 0) == 10);
  CHECK(run.vgpr(9, 3) == 11); // bits 1, 3 and 5 are set
  CHECK(run.vgpr(9, 50) == 13);
  CHECK(run.vgpr(7, 31) == 0);
  CHECK(run.vgpr(7, 36) == 2);
}

TEST_CASE("v_swap exchanges two registers where lanes are on") {
  AssemblyRun run;
  startWithNumbers(run);
  run.setup.exec = 1;
  run.run("v_swap_b32 v0, v1");
  CHECK(run.vgpr(0, 0) == 100);
  CHECK(run.vgpr(1, 0) == 0);
  CHECK(run.vgpr(0, 1) == 1);
  CHECK(run.vgpr(1, 1) == 101);
}

TEST_CASE("DPP: permutations of quads and rows") {
  checkDpp("quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return lane ^ 1; });
  checkDpp("quad_perm:[0,0,2,2] row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return lane & ~1u; });
  checkDpp("quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return lane ^ 3; });
  checkDpp("row_mirror row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return lane ^ 15; });
  checkDpp("row_half_mirror row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return lane ^ 7; });
  checkDpp("row_ror:3 row_mask:0xf bank_mask:0xf", All,
           [](unsigned lane) { return lane / 16 * 16 + (lane + 13) % 16; });
}

TEST_CASE("DPP: shifts leave lanes without a source as they are, or give them 0 with bound_ctrl") {
  checkDpp("row_shl:3 row_mask:0xf bank_mask:0xf", All,
           [](unsigned lane) { return lane % 16 < 13 ? lane + 3 : old(lane); });
  checkDpp("row_shl:3 row_mask:0xf bank_mask:0xf bound_ctrl:0", All,
           [](unsigned lane) { return lane % 16 < 13 ? lane + 3 : 0; });
  checkDpp("row_shr:1 row_mask:0xf bank_mask:0xf", All,
           [](unsigned lane) { return lane % 16 >= 1 ? lane - 1 : old(lane); });
  checkDpp("row_shr:15 row_mask:0xf bank_mask:0xf bound_ctrl:0", All,
           [](unsigned lane) { return lane % 16 == 15 ? lane - 15 : 0; });
}

TEST_CASE("DPP: across the wave") {
  checkDpp("wave_shl:1 row_mask:0xf bank_mask:0xf", All,
           [](unsigned lane) { return lane < 63 ? lane + 1 : old(lane); });
  checkDpp("wave_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0", All,
           [](unsigned lane) { return lane > 0 ? lane - 1 : 0; });
  checkDpp("wave_rol:1 row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return (lane + 1) % 64; });
  checkDpp("wave_ror:1 row_mask:0xf bank_mask:0xf", All, [](unsigned lane) { return (lane + 63) % 64; });
  checkDpp("row_bcast:15 row_mask:0xa bank_mask:0xf", All,
           [](unsigned lane) { return lane / 16 % 2 == 1 ? lane / 16 * 16 - 1 : old(lane); });
  checkDpp("row_bcast:31 row_mask:0xc bank_mask:0xf", All, [](unsigned lane) { return lane >= 32 ? 31 : old(lane); });
}

TEST_CASE("DPP: row_mask and bank_mask leave lanes as they are") {
  checkDpp("quad_perm:[1,0,3,2] row_mask:0x5 bank_mask:0xf", All,
           [](unsigned lane) { return lane / 16 % 2 == 0 ? lane ^ 1 : old(lane); });
  checkDpp("quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0x2", All,
           [](unsigned lane) { return lane / 4 % 4 == 1 ? lane ^ 1 : old(lane); });
  checkDpp("row_shl:1 row_mask:0x1 bank_mask:0x8 bound_ctrl:0", All, [](unsigned lane) {
    return lane >= 12 && lane < 15 ? lane + 1 : lane == 15 ? 0 : old(lane);
  });
}

TEST_CASE("DPP: a lane that is off has no value for others") {
  const uint64_t exec = maskOf([](unsigned lane) { return lane % 4 != 1; });
  checkDpp("quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", exec,
           [](unsigned lane) { return lane % 4 < 2 ? old(lane) : lane ^ 1; });
  checkDpp("quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:0", exec, [](unsigned lane) {
    return lane % 4 == 1 ? old(lane) : lane % 4 == 0 ? 0 : lane ^ 1;
  });
}

TEST_CASE("DPP: modifiers and a second source") {
  AssemblyRun run;
  run.setup.vgprs.assign(10, allLanes(0u));
  run.setup.vgprs[0] = eachLane([](unsigned lane) { return f32(float(lane)); });
  run.setup.vgprs[1] = eachLane([](unsigned lane) { return f32(-float(lane) - 0.5f); });
  run.run("v_sub_f32_dpp v8, v0, v0 quad_perm:[1,1,3,3] row_mask:0xf bank_mask:0xf\n"
          "v_add_f32_dpp v9, -v0, |v1| quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  CHECK(run.trapText() == "");
  CHECK(run.vgprFloat(8, 4) == 1.0f); // a derivative in x
  CHECK(run.vgprFloat(8, 5) == 0.0f);
  CHECK(run.vgprFloat(9, 4) == -0.5f); // -5 + 4.5
  CHECK(run.vgprFloat(9, 5) == 1.5f);
}

TEST_CASE("DPP of a register that the VALU has just written needs wait states") {
  AssemblyRun run;
  startWithNumbers(run);
  run.run("v_mov_b32 v2, v0\nv_mov_b32_dpp v8, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  CHECK((run.trap() == TrapKind::WaitStates));
}

TEST_CASE("SDWA: parts of sources, zero- or sign-extended") {
  const std::vector<uint32_t> v = {0x81fe7f03, 0};
  checkCases(
      {Case{"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0", v, 0x03},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1", v, 0x7f},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", v, 0xfe},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_3", v, 0x81},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0", v, 0x7f03},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", v, 0x81fe},
       {"v_mov_b32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD", v, 0x81fe7f03},
       {"v_mov_b32_sdwa v8, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", v, 0xfffffffe},
       {"v_mov_b32_sdwa v8, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1", v, 0x7f},
       {"v_mov_b32_sdwa v8, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", v, 0xffff81fe},
       {"v_add_u32_sdwa v8, v0, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_3", v,
        uint32_t(3 - 127)},
       {"v_add_f16_sdwa v8, v0, -v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0",
        {0x40003c00},
        0x3c00}, // 2 - 1
       {"v_cvt_f32_f16_sdwa v8, |v0| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", {0xc0003c00}, f32(2.0f)},
       {"v_cvt_f32_u32_sdwa v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", v, f32(254.0f)},
       {"s_mov_b32 s4, 0x12345678\nv_mov_b32_sdwa v8, s4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", v,
        0x1234}});
}

TEST_CASE("SDWA: parts of the destination, the rest cleared, sign-extended or kept") {
  const std::vector<uint32_t> v = {0x00000081, 0x0000007f}; // v8 is 0xcafe1234
  checkCases({Case{"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:DWORD", v, 0x00008100},
              {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:DWORD", v, 0xffff8100},
              {"v_mov_b32_sdwa v8, v1 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT src0_sel:DWORD", v, 0x00007f00},
              {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0xcafe8134},
              {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0xcafe1281},
              {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0xca811234},
              {"v_mov_b32_sdwa v8, v0 dst_sel:BYTE_3 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0x81fe1234},
              {"v_mov_b32_sdwa v8, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0x00811234},
              {"v_mov_b32_sdwa v8, v0 dst_sel:WORD_0 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", v, 0xcafe0081},
              {"v_mov_b32_sdwa v8, v0 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD", v, 0x00810000},
              {"v_mul_f16_sdwa v8, v0, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 src1_sel:WORD_1",
               {0x4000, 0x42000000},
               0x46001234},
              {"v_cvt_f16_f32_sdwa v8, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD",
               {f32(1.0f)},
               0x3c001234}});
}

TEST_CASE("SDWA: clamp and output modifier of GFX9") {
  checkCases({Case{"v_add_f32_sdwa v8, v0, v0 clamp dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
                   {f32(0.75f)},
                   f32(1.0f)},
              {"v_add_f32_sdwa v8, v0, v0 mul:2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
               {f32(0.75f)},
               f32(3.0f)}});
}

TEST_CASE("masks of lanes are their bits and back") {
  for (const uint64_t bits : {uint64_t(0), All, uint64_t(1), uint64_t(1) << 63, uint64_t(0x123456789abcdef0)}) {
    const Lanes masks = laneMasks(bits);
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      CHECK(masks[lane] == ((bits >> lane & 1) != 0 ? ~0u : 0));
    CHECK(laneBits(masks) == bits);
  }
}

#ifdef __x86_64__
namespace {

// Runs an operation on random bits in both ways in which host_vectors.h compiles loops. The result goes into the
// register of the first source, in some lanes.
template <typename D, typename A, typename B, auto Operation> void checkBothHosts() {
  if (!HostHasAvx2)
    return;
  uint32_t random = 7;
  auto next = [&] { return random = random * 1664525 + 1013904223; };
  for (unsigned repeat = 0; repeat < 200; ++repeat) {
    std::array<Lanes, 2> sources;
    for (Lanes &lanes : sources)
      std::ranges::generate(lanes, next);
    FusedOperands operands;
    const uint32_t keepDenormals = repeat % 2 != 0 ? ~0u : 0;
    for (unsigned i = 0; i < 2; ++i)
      operands.sources[i] = {sources[i].data(), 0, ~0u, repeat % 3 == i ? 0x80000000u : 0, keepDenormals};
    if (repeat % 5 == 0)
      operands.sources[1] = {.uniform = next()};
    operands.keepDenormalResults = repeat % 4 < 2 ? ~0u : 0;
    const Lanes exec = laneMasks(uint64_t(next()) << 32 | next());
    Lanes any = sources[0], avx2 = sources[0], carries;
    auto compute = [&](Lanes &to) {
      FusedOperands own = operands;
      own.sources[0].lanes = to.data();
      return computeFused<D, A, B, NoOperand, false, false, Operation>(own, exec, to, carries);
    };
    const bool isAnyNaN = compute(any);
    bool isAvx2NaN = false;
    runWithAvx2([&] { isAvx2NaN = compute(avx2); });
    CHECK(isAvx2NaN == isAnyNaN);
    for (unsigned lane = 0; lane < WaveSize; ++lane) {
      // The compiler chooses which of two NaNs comes out.
      const float float1 = std::bit_cast<float>(any[lane]), float2 = std::bit_cast<float>(avx2[lane]);
      const bool areNaNs = std::is_same_v<typename D::Value, float> && std::isnan(float1) && std::isnan(float2);
      CHECK((areNaNs || any[lane] == avx2[lane]));
      CHECK((exec[lane] != 0 || any[lane] == sources[0][lane]));
    }
  }
}

} // namespace

TEST_CASE("hosts with and without AVX2 compute the same bits") {
  checkBothHosts<F32, F32, F32, [](float a, float b, Nothing, const Context &) { return a + b; }>();
  checkBothHosts<F32, F32, F32, [](float a, float b, Nothing, const Context &) { return a * b; }>();
  checkBothHosts<F32, F32, F32, [](float a, float b, Nothing, const Context &) { return a * b + a; }>();
  checkBothHosts<F32, F32, F32, [](float a, float b, Nothing, const Context &) { return minimum(a, b); }>();
  checkBothHosts<F32, F32, F32, [](float a, float b, Nothing, const Context &) { return maximum(a, b); }>();
  checkBothHosts<U32, U32, U32, [](uint32_t a, uint32_t b, Nothing, const Context &) { return (b >> (a & 31)); }>();
  checkBothHosts<F32, U32, U32, [](uint32_t a, uint32_t b, Nothing, const Context &) { return float(a ^ b); }>();
}
#endif
