// SPDX-License-Identifier: MIT
//
// Integer and bit instructions, values worked out by hand.
#include "tests/emulator/isa/vector_evaluate.h"

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr uint32_t Minus1 = 0xffffffff;

} // namespace

TEST_CASE("32-bit sums, products, minima and maxima") {
  checkCases({Case{"v_add_u32 v8, v0, v1", {7, 5}, 12},
              {"v_sub_u32 v8, v0, v1", {5, 7}, 0xfffffffe},
              {"v_subrev_u32 v8, v0, v1", {5, 7}, 2},
              {"v_add3_u32 v8, v0, v1, v2", {1, 20, 300}, 321},
              {"v_mul_lo_u32 v8, v0, v1", {0x10001, 0x10001}, 0x20001},
              {"v_mul_hi_u32 v8, v0, v1", {0xffffffff, 0xffffffff}, 0xfffffffe},
              {"v_mul_hi_i32 v8, v0, v1", {0xffffffff, 2}, Minus1},
              {"v_mul_i32_i24 v8, v0, v1", {0xff800001, 3}, 0xfe800003},   // -8388607 * 3
              {"v_mul_i32_i24 v8, v0, v1", {0x01ffffff, 3}, uint32_t(-3)}, // bits above 24 do not count
              {"v_mul_hi_i32_i24 v8, v0, v1", {0x800000, 0x7fffff}, 0xffffc000},
              {"v_mul_u32_u24 v8, v0, v1", {0xff000010, 0x20}, 0x200},
              {"v_mul_hi_u32_u24 v8, v0, v1", {0xffffff, 0xffffff}, 0xffff},
              {"v_mad_i32_i24 v8, v0, v1, v2", {0xffffff, 5, 7}, 2},
              {"v_mad_u32_u24 v8, v0, v1, v2", {0x1000, 0x1000, 9}, 0x1000009},
              {"v_min_i32 v8, v0, v1", {Minus1, 1}, Minus1},
              {"v_max_i32 v8, v0, v1", {Minus1, 1}, 1},
              {"v_min_u32 v8, v0, v1", {Minus1, 1}, 1},
              {"v_max_u32 v8, v0, v1", {Minus1, 1}, Minus1},
              {"v_min3_i32 v8, v0, v1, v2", {5, Minus1, 7}, Minus1},
              {"v_min3_u32 v8, v0, v1, v2", {5, Minus1, 7}, 5},
              {"v_max3_i32 v8, v0, v1, v2", {5, Minus1, 7}, 7},
              {"v_max3_u32 v8, v0, v1, v2", {5, Minus1, 7}, Minus1},
              {"v_med3_i32 v8, v0, v1, v2", {5, Minus1, 7}, 5},
              {"v_med3_u32 v8, v0, v1, v2", {5, Minus1, 7}, 7},
              {"v_med3_u32 v8, v0, v1, v2", {9, 4, 6}, 6}});
}

TEST_CASE("64-bit products and shifts") {
  CHECK(evaluate64("v_mad_u64_u32 v[8:9], vcc, v0, v1, v[2:3]", {Minus1, Minus1, 2, 0}) == 0xfffffffe00000003);
  CHECK(evaluate64("v_mad_i64_i32 v[8:9], vcc, v0, v1, v[2:3]", {Minus1, 3, 1, 0}) == uint64_t(-2));
  CHECK(evaluate64("v_lshlrev_b64 v[8:9], v0, v[2:3]", {36, 0, 0x12345678, 0}) == 0x2345678000000000);
  CHECK(evaluate64("v_lshrrev_b64 v[8:9], v0, v[2:3]", {4, 0, 0, 0x80000001}) == 0x0800000010000000);
  CHECK(evaluate64("v_ashrrev_i64 v[8:9], v0, v[2:3]", {68, 0, 0, 0x80000000}) == 0xf800000000000000);
}

TEST_CASE("a carry leaves a wide multiply-add") {
  AssemblyRun run;
  run.setup.vgprs = {allLanes(2u), allLanes(2u), allLanes(0xfffffffdu), allLanes(Minus1), allLanes(0u), allLanes(0u)};
  run.setup.exec = 0xf0;
  run.run("v_mad_u64_u32 v[4:5], s[4:5], v0, v1, v[2:3]\nv_mad_u64_u32 v[4:5], s[6:7], v0, 1, v[2:3]");
  CHECK(run.trapText() == "");
  CHECK(run.sgprPair(4) == 0xf0); // 2 * 2 + 2^64 - 3
  CHECK(run.sgprPair(6) == 0);    // 2 * 1 + 2^64 - 3
}

TEST_CASE("32-bit shifts and logic") {
  checkCases({Case{"v_lshlrev_b32 v8, v0, v1", {36, 0x12345678}, 0x23456780},
              {"v_lshrrev_b32 v8, v0, v1", {4, 0x82345678}, 0x08234567},
              {"v_ashrrev_i32 v8, v0, v1", {4, 0x82345678}, 0xf8234567},
              {"v_and_b32 v8, v0, v1", {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
              {"v_or_b32 v8, v0, v1", {0xff00ff00, 0x0ff00ff0}, 0xfff0fff0},
              {"v_xor_b32 v8, v0, v1", {0xff00ff00, 0x0ff00ff0}, 0xf0f0f0f0},
              {"v_not_b32 v8, v0", {0x0000ffff}, 0xffff0000},
              {"v_or3_b32 v8, v0, v1, v2", {1, 2, 4}, 7},
              {"v_and_or_b32 v8, v0, v1, v2", {0xf0, 0x3c, 1}, 0x31},
              {"v_lshl_or_b32 v8, v0, v1, v2", {3, 4, 5}, 0x35},
              {"v_lshl_add_u32 v8, v0, v1, v2", {3, 4, 5}, 53},
              {"v_add_lshl_u32 v8, v0, v1, v2", {3, 4, 5}, 224},
              {"v_xad_u32 v8, v0, v1, v2", {6, 3, 10}, 15},
              {"v_bfi_b32 v8, v0, v1, v2", {0xffff0000, 0x12345678, 0x9abcdef0}, 0x1234def0},
              {"v_bfm_b32 v8, v0, v1", {8, 4}, 0xff0},
              {"v_alignbit_b32 v8, v0, v1, v2", {0x12345678, 0x9abcdef0, 8}, 0x789abcde},
              {"v_alignbyte_b32 v8, v0, v1, v2", {0x12345678, 0x9abcdef0, 3}, 0x3456789a}});
}

TEST_CASE("bit fields and counting") {
  checkCases({Case{"v_bfe_u32 v8, v0, v1, v2", {0x12345678, 8, 12}, 0x456},
              {"v_bfe_u32 v8, v0, v1, v2", {0x12345678, 24, 31}, 0x12},
              {"v_bfe_u32 v8, v0, v1, v2", {0x12345678, 8, 0}, 0},
              {"v_bfe_i32 v8, v0, v1, v2", {0x00000f00, 8, 4}, Minus1},
              {"v_bfe_i32 v8, v0, v1, v2", {0x00000700, 8, 4}, 7},
              {"v_bfe_i32 v8, v0, v1, v2", {0x80000000, 28, 20}, 0xfffffff8},
              {"v_bfe_i32 v8, v0, v1, v2", {Minus1, 3, 0}, 0},
              {"v_bfrev_b32 v8, v0", {0x00000016}, 0x68000000},
              {"v_ffbh_u32 v8, v0", {0x00010000}, 15},
              {"v_ffbh_u32 v8, v0", {0}, Minus1},
              {"v_ffbl_b32 v8, v0", {0x00010000}, 16},
              {"v_ffbl_b32 v8, v0", {0}, Minus1},
              {"v_ffbh_i32 v8, v0", {0xffff0000}, 16},
              {"v_ffbh_i32 v8, v0", {0x00010000}, 15},
              {"v_ffbh_i32 v8, v0", {Minus1}, Minus1},
              {"v_bcnt_u32_b32 v8, v0, v1", {0xf0f, 100}, 108}});
}

TEST_CASE("bytes: permutation, averages, sums of differences") {
  checkCases({Case{"v_perm_b32 v8, v0, v1, v2", {0x88776655, 0x44332211, 0x07040300}, 0x88554411},
              {"v_perm_b32 v8, v0, v1, v2", {0x88776655, 0x44332211, 0x0d0c0b08}, 0xff00ff00},
              {"v_lerp_u8 v8, v0, v1, v2", {0x00ff0305, 0x01ff0204, 0x00000101}, 0x00ff0305},
              {"v_sad_u8 v8, v0, v1, v2", {0x01020304, 0x04030201, 100}, 108},
              {"v_sad_hi_u8 v8, v0, v1, v2", {0x01020304, 0x04030201, 100}, 0x80064},
              {"v_sad_u16 v8, v0, v1, v2", {0x00010005, 0x00030002, 10}, 15},
              {"v_sad_u32 v8, v0, v1, v2", {3, 10, 1}, 8},
              {"v_msad_u8 v8, v0, v1, v2", {0x01020304, 0x04000201, 100}, 107}}); // the reference's 0 does not count
  // Bytes 1 2 3 4 5 6 7 from 0, 1, 2 and 3 on, against 1 2 3 4.
  CHECK(evaluate64("v_qsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]",
                   {0x04030201, 0x070605, 0x04030201, 0, 0x00010000, 0}) == 0x000c000800050000);
  CHECK(evaluate64("v_mqsad_pk_u16_u8 v[8:9], v[0:1], v2, v[4:5]", {0x04030201, 0x070605, 0x00030201, 0, 0, 1}) ==
        0x0009000700030000);
  CHECK(evaluate64("v_mqsad_u32_u8 v[8:11], v[0:1], v2, v[4:7]",
                   {0x04030201, 0x070605, 0x04030201, 0, 10, 20, 30, 40}) == 0x000000180000000a);
}

TEST_CASE("16-bit integers clear the upper half of the register") {
  checkCases({Case{"v_add_u16 v8, v0, v1", {0x1ffff, 0x20002}, 1},
              {"v_sub_u16 v8, v0, v1", {1, 2}, 0xffff},
              {"v_subrev_u16 v8, v0, v1", {1, 2}, 1},
              {"v_mul_lo_u16 v8, v0, v1", {0xffff, 0xffff}, 1},
              {"v_lshlrev_b16 v8, v0, v1", {20, 0x1234}, 0x2340},
              {"v_lshrrev_b16 v8, v0, v1", {4, 0x12348234}, 0x0823},
              {"v_ashrrev_i16 v8, v0, v1", {4, 0x12348234}, 0xf823},
              {"v_min_u16 v8, v0, v1", {0xffff, 1}, 1},
              {"v_max_u16 v8, v0, v1", {0xffff, 1}, 0xffff},
              {"v_min_i16 v8, v0, v1", {0xffff, 1}, 0xffff},
              {"v_max_i16 v8, v0, v1", {0xffff, 1}, 1},
              {"v_mad_legacy_u16 v8, v0, v1, v2", {0x100, 0x101, 3}, 0x0103},
              {"v_mad_legacy_i16 v8, v0, v1, v2", {0xffff, 5, 7}, 2},
              {"v_mad_u16 v8, v0, v1, v2", {0x100, 0x101, 3}, 0xcafe0103},
              {"v_mad_i16 v8, v0, v1, v2", {0xffff, 5, 7}, 0xcafe0002},
              {"v_mad_i32_i16 v8, v0, v1, v2", {0xffff, 5, 7}, 2},
              {"v_mad_u32_u16 v8, v0, v1, v2", {0xffff, 5, 7}, 0x50002},
              {"v_min3_i16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafeffff},
              {"v_min3_u16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafe0005},
              {"v_max3_i16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafe0007},
              {"v_max3_u16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafeffff},
              {"v_med3_i16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafe0005},
              {"v_med3_u16 v8, v0, v1, v2", {5, 0xffff, 7}, 0xcafe0007}});
}

TEST_CASE("packed integers work on both halves") {
  const std::vector<uint32_t> v = {0x00058001, 0xfffe0003, 0x00010002}; // 5 : -32767, -2 : 3, 1 : 2
  checkCases({Case{"v_pk_add_u16 v8, v0, v1", v, 0x00038004},
              {"v_pk_sub_u16 v8, v0, v1", v, 0x00077ffe},
              {"v_pk_add_i16 v8, v0, v1", v, 0x00038004},
              {"v_pk_sub_i16 v8, v0, v1", v, 0x00077ffe},
              {"v_pk_mul_lo_u16 v8, v0, v1", v, 0xfff68003},
              {"v_pk_mad_u16 v8, v0, v1, v2", v, 0xfff78005},
              {"v_pk_mad_i16 v8, v0, v1, v2", v, 0xfff78005},
              {"v_pk_min_i16 v8, v0, v1", v, 0xfffe8001},
              {"v_pk_max_i16 v8, v0, v1", v, 0x00050003},
              {"v_pk_min_u16 v8, v0, v1", v, 0x00050003},
              {"v_pk_max_u16 v8, v0, v1", v, 0xfffe8001},
              {"v_pk_lshlrev_b16 v8, v2, v0", v, 0x000a0004},
              {"v_pk_lshrrev_b16 v8, v2, v0", v, 0x00022000},
              {"v_pk_ashrrev_i16 v8, v2, v0", v, 0x0002e000}});
}

TEST_CASE("packed operations choose halves for each result") {
  const std::vector<uint32_t> v = {0x00050001, 0x00300020};
  checkCases({Case{"v_pk_add_u16 v8, v0, v1 op_sel:[1,0] op_sel_hi:[0,1]", v, 0x00310025},
              {"v_pk_add_u16 v8, v0, v1 op_sel_hi:[0,0]", v, 0x00210021},
              {"v_pk_add_u16 v8, v0, 3 op_sel_hi:[1,0]", v, 0x00080004},
              {"v_pk_add_u16 v8, v0, -1", v, 0x00040000}});
  checkCases({Case{"v_pk_add_f16 v8, v0, v1", {0x3c004000, 0x42004400}, 0x44004600},
              {"v_pk_mul_f16 v8, v0, v1 neg_lo:[1,0] neg_hi:[0,1]", {0x3c004000, 0x42004400}, 0xc200c800},
              {"v_pk_fma_f16 v8, v0, v1, v0", {0x3c004000, 0x42004400}, 0x44004900},
              {"v_pk_min_f16 v8, v0, v1", {0x3c004400, 0x42004000}, 0x3c004000},
              {"v_pk_max_f16 v8, v0, v1", {0x3c004400, 0x42004000}, 0x42004400},
              {"v_pk_mul_f16 v8, v0, 2.0 op_sel_hi:[1,0]", {0x3c004000, 0}, 0x40004400}});
}

TEST_CASE("v_mad_mix takes floats and halves, and writes floats and halves") {
  // v0 = 2 : 3 as halves, v1 = 5 as a float, v2 = 0.5 as a float.
  const std::vector<uint32_t> v = {0x40004200, f32(5.0f), f32(0.5f)};
  checkCases({Case{"v_mad_mix_f32 v8, v1, v1, v2", v, f32(25.5f)},
              {"v_mad_mix_f32 v8, v0, v1, v2 op_sel_hi:[1,0,0]", v, f32(15.5f)},
              {"v_mad_mix_f32 v8, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[1,0,0]", v, f32(10.5f)},
              {"v_mad_mix_f32 v8, -v0, v1, |v2| op_sel_hi:[1,0,0]", v, f32(-14.5f)},
              {"v_mad_mix_f32 v8, v0, v0, v0 op_sel:[0,1,0] op_sel_hi:[1,1,1]", v, f32(9.0f)},
              {"v_mad_mixlo_f16 v8, v0, v1, v2 op_sel_hi:[1,0,0]", v, 0xcafe4bc0},
              {"v_mad_mixhi_f16 v8, v0, v1, v2 op_sel_hi:[1,0,0]", v, 0x4bc01234},
              {"v_mad_mix_f32 v8, v1, v1, v2 clamp", v, f32(1.0f)}});
}

// (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24. A rounded product has lost this. Denormals follow MODE.
TEST_CASE("v_mad_mix rounds twice and flushes, the v_fma_mix that has its number rounds once and obeys MODE") {
  struct Expectation {
    const char *gpuName;
    float difference;
    uint32_t denormal;
  };
  for (Expectation expected : {Expectation{"gfx900", 0, 0},
                               {"gfx902", 0, 0},
                               {"gfx904", 0x1p-24f, 3},
                               {"gfx906", 0x1p-24f, 3},
                               {"gfx909", 0, 0}}) {
    CAPTURE(expected.gpuName);
    AssemblyRun run(chipOf(expected.gpuName));
    run.setup.floatMode = 0xf0;
    run.setup.vgprs = {allLanes(1 + 0x1p-12f), allLanes(-(1 + 0x1p-11f)), allLanes(3u), allLanes(1.0f), {}, {}};
    const bool isFused = (uint8_t(run.gpu.chip().instructionSet) & FmaMix) != 0;
    const std::string name = isFused ? "v_fma_mix_f32" : "v_mad_mix_f32";
    run.run(name + " v4, v0, v0, v1\n" + name + " v5, v2, v3, v2");
    CHECK(run.trapText() == "");
    CHECK(run.vgprFloat(4, 0) == expected.difference);
    CHECK(run.vgpr(5, 0) == 2 * expected.denormal);
  }
}

// Mesa's work item 6178 and llvm-project #224911 say that hardware flushes them. No other source says so.
TEST_CASE("v_mad_mix flushes some half denormals and keeps others, which v_fma_mix keeps all") {
  struct Count {
    unsigned kept = 0, flushed = 0;
    void add(uint32_t bits, uint32_t whole) {
      CHECK((bits == whole || bits == 0));
      ++(bits == 0 ? flushed : kept);
    }
  };
  for (const char *gpu : {"gfx900", "gfx904"}) {
    CAPTURE(gpu);
    const bool isFused = gpu == std::string_view("gfx904");
    const std::string name = isFused ? "v_fma_mix" : "v_mad_mix";
    Count sources, results;
    for (uint32_t half = 1; half < 0x400; half += 37) {
      const std::vector<uint32_t> v = {half, f32(1.0f), f32(float(half) * 0x1p-24f), 0};
      sources.add(evaluate(name + "_f32 v8, v0, v1, v3 op_sel_hi:[1,0,0]", v, UsualMode, chipOf(gpu)), v[2]);
      results.add(evaluate(name + "lo_f16 v8, v2, v1, v3", v, UsualMode, chipOf(gpu)) & 0xffff, half);
    }
    for (const Count &count : {sources, results}) {
      CHECK(count.kept > 5);
      CHECK((count.flushed > 5) == !isFused);
      CHECK((count.flushed == 0) == isFused);
    }
    // Normal halves keep their values.
    CHECK(evaluate(name + "_f32 v8, v0, v1, v3 op_sel_hi:[1,0,0]", {0x400, f32(1.0f), 0, 0}, UsualMode, chipOf(gpu)) ==
          f32(0x1p-14f));
  }
}

TEST_CASE("gfx906 has dot products, a fused v_fmac_f32 and v_xnor_b32") {
  const Chip chip = chipOf("gfx906");
  struct DotCase {
    const char *text;
    std::vector<uint32_t> sources;
    uint32_t expected;
  };
  const std::vector<uint32_t> bytes = {0x01fe8003, 0x02ff8004, 1000};
  for (const DotCase &each : {
           // 1*2 + -2*-1 + -128*-128 + 3*4, and without signs 1*2 + 254*255 + 128*128 + 3*4.
           DotCase{"v_dot4_i32_i8 v8, v0, v1, v2", bytes, 1000 + 2 + 2 + 16384 + 12},
           {"v_dot4_u32_u8 v8, v0, v1, v2", bytes, 1000 + 2 + 64770 + 16384 + 12},
           // Digits of four bits: 7*7 + -1*-1 + -8*2, and without signs 7*7 + 15*15 + 8*2.
           {"v_dot8_i32_i4 v8, v0, v1, v2", {0x000007f8, 0x000007f2, 5}, 5 + 49 + 1 - 16},
           {"v_dot8_u32_u4 v8, v0, v1, v2", {0x000007f8, 0x000007f2, 5}, 5 + 49 + 225 + 16},
           {"v_dot8_u32_u4 v8, v0, v1, v2", {0x90000000, 0x90000000, 0}, 81},
           {"v_dot2_i32_i16 v8, v0, v1, v2", {0xffff0003, 0x00020005, 7}, 7 + 15 - 2},
           {"v_dot2_u32_u16 v8, v0, v1, v2", {0xffff0003, 0x00020005, 7}, 7 + 15 + 2 * 0xffff},
           // The halves that op_sel and op_sel_hi choose.
           {"v_dot2_i32_i16 v8, v0, v1, v2 op_sel:[1,0,0] op_sel_hi:[0,1,1]", {0xffff0003, 0x00020005, 7}, 7 - 5 + 6},
           {"v_dot2_f32_f16 v8, v0, v1, v2", {0x40004200, 0x38004400, f32(0.25f)}, f32(0.25f + 12 + 1)},
           {"v_dot2_f32_f16 v8, v0, v1, v2 neg_lo:[1,0,1] neg_hi:[0,0,1]",
            {0x40004200, 0x38004400, f32(0.25f)},
            f32(-0.25f - 12 + 1)},
           // Denormal summands are 0.
           {"v_dot2_f32_f16 v8, v0, v1, v2", {0, 0, 1}, 0},
           // Clamp is to the range of the result.
           {"v_dot4_i32_i8 v8, v0, v1, v2 clamp", {0x7f7f7f7f, 0x7f7f7f7f, 0x7fffffff}, 0x7fffffff},
           {"v_dot4_i32_i8 v8, v0, v1, v2", {0x00000001, 0x00000001, 0x7fffffff}, 0x80000000},
           {"v_dot4_i32_i8 v8, v0, v1, v2 clamp", {0x80808080, 0x7f7f7f7f, 0x80000000}, 0x80000000},
           {"v_dot8_u32_u4 v8, v0, v1, v2 clamp", {0xffffffff, 0xffffffff, 0xffffff00}, 0xffffffff},
           {"v_dot2_u32_u16 v8, v0, v1, v2 clamp", {0xffffffff, 0xffffffff, 0}, 0xffffffff},
           {"v_xnor_b32_e32 v8, v0, v1", {0xff00ff00, 0x0ff00ff0}, 0x0f0f0f0f},
           {"v_xnor_b32_e64 v8, v0, 3", {0xff00ff00}, 0x00ff00fc},
       }) {
    CAPTURE(each.text);
    CHECK(evaluate(each.text, each.sources, UsualMode, chip) == each.expected);
  }
  // (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24. A rounded product has lost this.
  AssemblyRun run(chip);
  run.setup.vgprs = {allLanes(1 + 0x1p-12f), allLanes(-(1 + 0x1p-11f)), allLanes(2.0f)};
  run.run("v_fmac_f32_e32 v1, v0, v0\nv_fmac_f32_e64 v2, -v0, 2.0 clamp");
  CHECK(run.trapText() == "");
  CHECK(run.vgprFloat(1, 0) == 0x1p-24f);
  CHECK(run.vgprFloat(2, 0) == 0);
}
