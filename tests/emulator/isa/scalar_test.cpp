// SPDX-License-Identifier: MIT
//
// SOP1, SOP2, SOPC and SOPK: one case for each group of opcodes, with values worked out by hand.
#include "tests/emulator/isa/run_assembly.h"
#include <doctest/doctest.h>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// Runs "text" with s[2:3] = a and s[4:5] = b; results are expected in s6 or s[6:7], and SCC in s8.
struct Scalar {
  AssemblyRun run;

  Scalar(std::string_view text, uint64_t a, uint64_t b) {
    run.setup.sgprs.resize(8);
    run.setup.sgprs[2] = uint32_t(a);
    run.setup.sgprs[3] = uint32_t(a >> 32);
    run.setup.sgprs[4] = uint32_t(b);
    run.setup.sgprs[5] = uint32_t(b >> 32);
    run.run("s_cmp_eq_u32 0, 1\n" + std::string(text) + "\ns_cselect_b32 s8, 1, 0");
  }
};

struct Expected {
  std::string_view text;
  uint64_t a, b, d;
  unsigned scc;
};

void check32(const Expected &expected) {
  INFO(std::string(expected.text));
  Scalar scalar(expected.text, expected.a, expected.b);
  INFO(scalar.run.trapText());
  CHECK(!scalar.run.trap());
  CHECK(scalar.run.sgpr(6) == expected.d);
  CHECK(scalar.run.sgpr(8) == expected.scc);
}

void check64(const Expected &expected) {
  INFO(std::string(expected.text));
  Scalar scalar(expected.text, expected.a, expected.b);
  INFO(scalar.run.trapText());
  CHECK(!scalar.run.trap());
  CHECK(scalar.run.sgprPair(6) == expected.d);
  CHECK(scalar.run.sgpr(8) == expected.scc);
}

} // namespace

TEST_CASE("scalar addition and subtraction, with carry, borrow and overflow in SCC") {
  check32({"s_add_u32 s6, s2, s4", 0xffffffff, 2, 1, 1});
  check32({"s_add_u32 s6, s2, s4", 0x7fffffff, 1, 0x80000000, 0});
  check32({"s_sub_u32 s6, s2, s4", 3, 5, 0xfffffffe, 1});
  check32({"s_sub_u32 s6, s2, s4", 5, 3, 2, 0});
  check32({"s_add_i32 s6, s2, s4", 0x7fffffff, 1, 0x80000000, 1});
  check32({"s_add_i32 s6, s2, s4", 0xffffffff, 1, 0, 0});
  check32({"s_sub_i32 s6, s2, s4", 0x80000000, 1, 0x7fffffff, 1});
  check32({"s_sub_i32 s6, s2, s4", 1, 2, 0xffffffff, 0});
  // 0xffffffff + 1 carries into the second half; 0 - 1 borrows from it.
  check64({"s_add_u32 s6, s2, s4\ns_addc_u32 s7, s3, s5", 0x00000001ffffffff, 0x0000000200000001, 0x400000000, 0});
  check64({"s_add_u32 s6, s2, s4\ns_addc_u32 s7, s3, s5", 0xffffffffffffffff, 1, 0, 1});
  check64({"s_sub_u32 s6, s2, s4\ns_subb_u32 s7, s3, s5", 0x0000000300000000, 1, 0x2ffffffff, 0});
  check64({"s_sub_u32 s6, s2, s4\ns_subb_u32 s7, s3, s5", 0, 1, 0xffffffffffffffff, 1});
  check32({"s_absdiff_i32 s6, s2, s4", 3, 10, 7, 1});
  check32({"s_absdiff_i32 s6, s2, s4", 10, 10, 0, 0});
  check32({"s_addk_i32 s2, 0x8000\ns_mov_b32 s6, s2", 0x80000000, 0, 0x7fff8000, 1});
  check32({"s_lshl3_add_u32 s6, s2, s4", 0x20000001, 5, 13, 1});
  check32({"s_lshl1_add_u32 s6, s2, s4", 7, 5, 19, 0});
}

TEST_CASE("scalar minimum and maximum; SCC says that the first source was taken") {
  check32({"s_min_i32 s6, s2, s4", 0xffffffff, 1, 0xffffffff, 1});
  check32({"s_min_u32 s6, s2, s4", 0xffffffff, 1, 1, 0});
  check32({"s_max_i32 s6, s2, s4", 0xffffffff, 1, 1, 0});
  check32({"s_max_u32 s6, s2, s4", 0xffffffff, 1, 0xffffffff, 1});
  check32({"s_min_u32 s6, s2, s4", 4, 4, 4, 0});
}

TEST_CASE("scalar bitwise operations") {
  check32({"s_and_b32 s6, s2, s4", 0xff00, 0x0ff0, 0x0f00, 1});
  check32({"s_and_b32 s6, s2, s4", 0xff00, 0x00ff, 0, 0});
  check32({"s_or_b32 s6, s2, s4", 0xf0, 0x0f, 0xff, 1});
  check32({"s_xor_b32 s6, s2, s4", 0xff, 0xff, 0, 0});
  check32({"s_andn2_b32 s6, s2, s4", 0xff, 0x0f, 0xf0, 1});
  check32({"s_orn2_b32 s6, s2, s4", 1, 0xfffffff0, 0xf, 1});
  check32({"s_nand_b32 s6, s2, s4", 0xffffffff, 0xffffffff, 0, 0});
  check32({"s_nor_b32 s6, s2, s4", 0xf0, 0x0f, 0xffffff00, 1});
  check32({"s_xnor_b32 s6, s2, s4", 0xff, 0xf0, 0xfffffff0, 1});
  check64({"s_and_b64 s[6:7], s[2:3], s[4:5]", 0xff00000000, 0xf000000001, 0xf000000000, 1});
  check64({"s_andn2_b64 s[6:7], s[2:3], s[4:5]", 0x300000003, 0x300000003, 0, 0});
  check64({"s_xnor_b64 s[6:7], s[2:3], s[4:5]", 0, 0, 0xffffffffffffffff, 1});
  check32({"s_not_b32 s6, s2", 0xffffffff, 0, 0, 0});
  check64({"s_not_b64 s[6:7], s[2:3]", 0x00000000ffffffff, 0, 0xffffffff00000000, 1});
}

TEST_CASE("scalar shifts use as many bits of the amount as they need") {
  check32({"s_lshl_b32 s6, s2, s4", 1, 33, 2, 1});
  check64({"s_lshl_b64 s[6:7], s[2:3], s4", 1, 33, 0x200000000, 1});
  check32({"s_lshr_b32 s6, s2, s4", 0x80000000, 31, 1, 1});
  check64({"s_lshr_b64 s[6:7], s[2:3], s4", 0x8000000000000000, 63, 1, 1});
  check32({"s_ashr_i32 s6, s2, s4", 0x80000000, 4, 0xf8000000, 1});
  check64({"s_ashr_i64 s[6:7], s[2:3], s4", 0x8000000000000000, 60, 0xfffffffffffffff8, 1});
  check32({"s_lshr_b32 s6, s2, s4", 1, 1, 0, 0});
}

TEST_CASE("scalar bit fields") {
  check32({"s_bfm_b32 s6, s2, s4", 4, 8, 0xf00, 0});
  check64({"s_bfm_b64 s[6:7], s2, s4", 8, 30, 0x3fc0000000, 0});
  // Width in bits 22:16, offset in the low bits.
  check32({"s_bfe_u32 s6, s2, s4", 0x12345678, 8 << 16 | 8, 0x56, 1});
  check32({"s_bfe_i32 s6, s2, s4", 0x0000f000, 4 << 16 | 12, 0xffffffff, 1});
  check32({"s_bfe_u32 s6, s2, s4", 0x12345678, 8, 0, 0});
  check64({"s_bfe_u64 s[6:7], s[2:3], s4", 0x123456789abcdef0, 16 << 16 | 40, 0x3456, 1});
  check64({"s_bfe_i64 s[6:7], s[2:3], s4", 0xf000000000000000, 4 << 16 | 60, 0xffffffffffffffff, 1});
  check32({"s_mov_b32 s6, 0\ns_bitset1_b32 s6, s2", 35, 0, 8, 0});
  check32({"s_mov_b32 s6, -1\ns_bitset0_b32 s6, s2", 4, 0, 0xffffffef, 0});
  check64({"s_mov_b64 s[6:7], 0\ns_bitset1_b64 s[6:7], s2", 35, 0, 0x800000000, 0});
  check32({"s_pack_ll_b32_b16 s6, s2, s4", 0x11112222, 0x33334444, 0x44442222, 0});
  check32({"s_pack_lh_b32_b16 s6, s2, s4", 0x11112222, 0x33334444, 0x33332222, 0});
  check32({"s_pack_hh_b32_b16 s6, s2, s4", 0x11112222, 0x33334444, 0x33331111, 0});
}

TEST_CASE("scalar multiplication") {
  check32({"s_mul_i32 s6, s2, s4", 0xffffffff, 3, 0xfffffffd, 0});
  check32({"s_mul_hi_u32 s6, s2, s4", 0xffffffff, 3, 2, 0});
  check32({"s_mul_hi_i32 s6, s2, s4", 0xffffffff, 3, 0xffffffff, 0});
  check32({"s_mulk_i32 s2, 0xffff\ns_mov_b32 s6, s2", 5, 0, 0xfffffffb, 0});
}

TEST_CASE("scalar bit counting and searching") {
  check32({"s_bcnt1_i32_b32 s6, s2", 0xf00f, 0, 8, 1});
  check32({"s_bcnt0_i32_b32 s6, s2", 0xffffffff, 0, 0, 0});
  check32({"s_bcnt1_i32_b64 s6, s[2:3]", 0xff000000000000ff, 0, 16, 1});
  check32({"s_bcnt0_i32_b64 s6, s[2:3]", 1, 0, 63, 1});
  check32({"s_ff1_i32_b32 s6, s2", 0x10, 0, 4, 0});
  check32({"s_ff1_i32_b32 s6, s2", 0, 0, 0xffffffff, 0});
  check32({"s_ff0_i32_b32 s6, s2", 0xf, 0, 4, 0});
  check32({"s_ff1_i32_b64 s6, s[2:3]", 0x100000000, 0, 32, 0});
  check32({"s_ff0_i32_b64 s6, s[2:3]", 0xffffffffffffffff, 0, 0xffffffff, 0});
  check32({"s_flbit_i32_b32 s6, s2", 0x00010000, 0, 15, 0});
  check32({"s_flbit_i32_b32 s6, s2", 0, 0, 0xffffffff, 0});
  check32({"s_flbit_i32_b64 s6, s[2:3]", 1, 0, 63, 0});
  check32({"s_flbit_i32 s6, s2", 0xffff0000, 0, 16, 0});
  check32({"s_flbit_i32 s6, s2", 0xffffffff, 0, 0xffffffff, 0});
  check32({"s_flbit_i32_i64 s6, s[2:3]", 0x0000000100000000, 0, 31, 0});
  check32({"s_brev_b32 s6, s2", 0x00000003, 0, 0xc0000000, 0});
  check64({"s_brev_b64 s[6:7], s[2:3]", 0x1, 0, 0x8000000000000000, 0});
  check64({"s_bitreplicate_b64_b32 s[6:7], s2", 0x80000005, 0, 0xc000000000000033, 0});
  check32({"s_sext_i32_i8 s6, s2", 0x1280, 0, 0xffffff80, 0});
  check32({"s_sext_i32_i16 s6, s2", 0x7fff, 0, 0x7fff, 0});
  check32({"s_abs_i32 s6, s2", 0xfffffff6, 0, 10, 1});
}

TEST_CASE("whole quads and quad masks") {
  check32({"s_wqm_b32 s6, s2", 0x00010280, 0, 0x000f0ff0, 1});
  check64({"s_wqm_b64 s[6:7], s[2:3]", 0x8000000000000001, 0, 0xf00000000000000f, 1});
  check64({"s_wqm_b64 s[6:7], s[2:3]", 0, 0, 0, 0});
  check32({"s_quadmask_b32 s6, s2", 0x10000280, 0, 0x86, 1});
  check64({"s_quadmask_b64 s[6:7], s[2:3]", 0x1000000000000001, 0, 0x8001, 1});
}

TEST_CASE("scalar comparisons") {
  auto scc = [](std::string_view text, uint64_t a, uint64_t b) {
    Scalar scalar(text, a, b);
    INFO(scalar.run.trapText());
    CHECK(!scalar.run.trap());
    return scalar.run.sgpr(8);
  };
  CHECK(scc("s_cmp_eq_i32 s2, s4", 7, 7) == 1);
  CHECK(scc("s_cmp_lg_i32 s2, s4", 7, 7) == 0);
  CHECK(scc("s_cmp_gt_i32 s2, s4", 0xffffffff, 0) == 0);
  CHECK(scc("s_cmp_gt_u32 s2, s4", 0xffffffff, 0) == 1);
  CHECK(scc("s_cmp_ge_i32 s2, s4", 3, 3) == 1);
  CHECK(scc("s_cmp_lt_i32 s2, s4", 0xffffffff, 0) == 1);
  CHECK(scc("s_cmp_lt_u32 s2, s4", 0xffffffff, 0) == 0);
  CHECK(scc("s_cmp_le_i32 s2, s4", 4, 3) == 0);
  CHECK(scc("s_cmp_ge_u32 s2, s4", 3, 4) == 0);
  CHECK(scc("s_cmp_le_u32 s2, s4", 3, 4) == 1);
  CHECK(scc("s_cmp_eq_u64 s[2:3], s[4:5]", 0x100000000, 0) == 0);
  CHECK(scc("s_cmp_lg_u64 s[2:3], s[4:5]", 0x100000000, 0) == 1);
  CHECK(scc("s_bitcmp1_b32 s2, s4", 0x10, 4) == 1);
  CHECK(scc("s_bitcmp0_b32 s2, s4", 0x10, 4) == 0);
  CHECK(scc("s_bitcmp1_b64 s[2:3], s4", 0x1000000000, 36) == 1);
  CHECK(scc("s_bitcmp0_b64 s[2:3], s4", 0x1000000000, 35) == 1);
  CHECK(scc("s_cmpk_eq_i32 s2, 0xffff", 0xffffffff, 0) == 1);
  CHECK(scc("s_cmpk_eq_u32 s2, 0xffff", 0xffffffff, 0) == 0);
  CHECK(scc("s_cmpk_lg_u32 s2, 0xffff", 0xffff, 0) == 0);
  CHECK(scc("s_cmpk_gt_i32 s2, 0xffff", 0, 0) == 1);
  CHECK(scc("s_cmpk_lt_u32 s2, 0xffff", 0, 0) == 1);
  CHECK(scc("s_cmpk_ge_i32 s2, 3", 2, 0) == 0);
  CHECK(scc("s_cmpk_le_u32 s2, 3", 3, 0) == 1);
}

TEST_CASE("moves, conditional moves and selects") {
  check32({"s_movk_i32 s6, 0x8000", 0, 0, 0xffff8000, 0});
  check32({"s_mov_b32 s6, 0.5", 0, 0, 0x3f000000, 0});
  check32({"s_mov_b32 s6, 0x12345678", 0, 0, 0x12345678, 0});
  check64({"s_mov_b64 s[6:7], -16", 0, 0, 0xfffffffffffffff0, 0});
  check64({"s_mov_b64 s[6:7], 0xf0000000", 0, 0, 0xf0000000, 0});
  check64({"s_mov_b64 s[6:7], 2.0", 0, 0, 0x4000000000000000, 0});
  check32({"s_mov_b32 s6, 1\ns_cmov_b32 s6, s2", 9, 0, 1, 0});
  check32({"s_mov_b32 s6, 1\ns_cmp_eq_u32 s2, s2\ns_cmov_b32 s6, s2", 9, 0, 9, 1});
  check32({"s_cmp_eq_u32 s2, s2\ns_cmovk_i32 s6, 0x7fff", 9, 0, 0x7fff, 1});
  check32({"s_cselect_b32 s6, s2, s4", 1, 2, 2, 0});
  check64({"s_cmp_eq_u32 0, 0\ns_cselect_b64 s[6:7], s[2:3], s[4:5]", 0x100000002, 3, 0x100000002, 1});
}

TEST_CASE("moves with M0 as index") {
  check32({"s_mov_b32 m0, 2\ns_nop 0\ns_movrels_b32 s6, s2", 1, 77, 77, 0});
  check32({"s_mov_b32 m0, 4\ns_nop 0\ns_movreld_b32 s2, s4\n", 1, 78, 78, 0});
  check64({"s_mov_b32 m0, 2\ns_nop 0\ns_movrels_b64 s[6:7], s[2:3]", 1, 0x700000008, 0x700000008, 0});
}

TEST_CASE("s_*_saveexec keeps the old EXEC and says whether lanes are left") {
  constexpr uint64_t Exec = 0xff;
  auto run = [](std::string_view text) {
    AssemblyRun run;
    run.setup.exec = Exec;
    run.setup.sgprs = {0x0f0u, 0u};
    run.run(text);
    CHECK(!run.trap());
    return run.wave().exec();
  };
  CHECK(run("s_and_saveexec_b64 s[2:3], s[0:1]") == 0xf0);
  CHECK(run("s_or_saveexec_b64 s[2:3], s[0:1]") == 0xff);
  CHECK(run("s_xor_saveexec_b64 s[2:3], s[0:1]") == 0x0f);
  CHECK(run("s_andn2_saveexec_b64 s[2:3], s[0:1]") == 0);
  CHECK(run("s_orn2_saveexec_b64 s[2:3], s[0:1]") == ~uint64_t(0x0f));
  CHECK(run("s_nand_saveexec_b64 s[2:3], s[0:1]") == ~uint64_t(0xf0));
  CHECK(run("s_nor_saveexec_b64 s[2:3], s[0:1]") == ~uint64_t(0xff));
  CHECK(run("s_xnor_saveexec_b64 s[2:3], s[0:1]") == ~uint64_t(0x0f));
  CHECK(run("s_andn1_saveexec_b64 s[2:3], s[0:1]") == 0x0f);
  CHECK(run("s_orn1_saveexec_b64 s[2:3], s[0:1]") == ~uint64_t(0));
  CHECK(run("s_andn1_wrexec_b64 s[2:3], s[0:1]") == 0x0f);
  CHECK(run("s_andn2_wrexec_b64 s[2:3], s[0:1]") == 0);

  AssemblyRun both;
  both.setup.exec = Exec;
  both.setup.sgprs = {0x0f0u, 0u};
  both.run("s_andn2_saveexec_b64 s[2:3], s[0:1]\ns_cselect_b32 s4, 1, 0\ns_andn1_wrexec_b64 s[6:7], 0");
  CHECK(both.sgprPair(2) == Exec);
  CHECK(both.sgpr(4) == 0);
  CHECK(both.sgprPair(6) == 0);
}

TEST_CASE("s_getreg and s_setreg reach the fields of MODE") {
  AssemblyRun run;
  run.setup.floatMode = 0xc0;
  run.run("s_getreg_b32 s0, hwreg(HW_REG_MODE, 0, 8)\n"
          "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n"
          "s_nop 1\n"
          "s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 8)\n"
          "s_mov_b32 s2, 1\n"
          "s_setreg_b32 hwreg(HW_REG_MODE, 2, 2), s2\n"
          "s_nop 1\n"
          "s_getreg_b32 s3, hwreg(HW_REG_MODE, 2, 4)\n");
  INFO(run.trapText());
  CHECK(!run.trap());
  CHECK(run.sgpr(0) == 0xc0);
  CHECK(run.sgpr(1) == 0xf0);
  CHECK(run.sgpr(3) == 0xd);
  CHECK((run.wave().mode() & 0xff) == 0xf4);
}
