// SPDX-License-Identifier: MIT
//
// Changes of sources before an instruction and of results behind it: constants, abs and neg, OP_SEL, denormals,
// rounding, output modifier, clamp.
#include "tests/emulator/isa/vector_evaluate.h"

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

// Bits of FLOAT_MODE. Rounding: f32 in bits 1:0, f16 and f64 in bits 3:2. Denormals: f32 in bits 5:4, f16 and f64 in
// bits 7:6; the lower bit of the two is for inputs.
constexpr uint8_t Up = 1, Down = 2, Zero = 3;
constexpr uint8_t Keep32 = 0x30, KeepInputs32 = 0x10, KeepResults32 = 0x20, Keep16 = 0xc0;

constexpr uint32_t Denormal = 0x00400000;         // 2^-127
constexpr uint32_t SmallestNormal = 0x00800000;   // 2^-126
constexpr uint32_t NegativeDenormal = 0x80400000; //
constexpr uint32_t HalfDenormal = 0x0200, One = 0x3f800000;

} // namespace

TEST_CASE("inline constants are in the type of the operand") {
  checkCases({FloatCase{"v_add_f32 v8, 0.5, v0", {1.0f}, 1.5f},
              {"v_mul_f32 v8, -4.0, v0", {2.0f}, -8.0f},
              {"v_mul_f32 v8, 0.15915494, v0", {1.0f}, 0x1.45f306p-3f},
              {"v_add_f32 v8, 0x40490fdb, v0", {0.0f}, 0x1.921fb6p1f}});
  checkCases({Case{"v_add_f16 v8, 0.5, v0", {0x3c00}, 0x3e00},
              {"v_mul_f16 v8, 0.15915494, v0", {0x3c00}, 0x3118},
              {"v_add_u32 v8, 64, v0", {1}, 65},
              {"v_add_u32 v8, -16, v0", {1}, uint32_t(-15)},
              {"v_add_u32 v8, 1.0, v0", {0}, 0x3f800000},
              {"v_add_u16 v8, -1, v0", {3}, 2},
              {"v_max_i16 v8, -1, v0", {0xfff0}, 0xffff},
              {"v_and_b32 v8, 0x12345678, v0", {0xff00ff00}, 0x12005600}});
  CHECK(evaluateDouble("v_mul_f64 v[8:9], v[0:1], -2.0", {3.0}) == -6.0);
  CHECK(evaluateDouble("v_mul_f64 v[8:9], v[0:1], 0.15915494309189532", {1.0}) == 0x1.45f306dc9c882p-3);
  CHECK(evaluateDouble("v_trunc_f64 v[8:9], 0x40039999", {}) == 2.0); // the literal is the upper half: 2.4500007629
  CHECK(evaluate64("v_lshlrev_b64 v[8:9], 4, -1", {}) == 0xfffffffffffffff0);
}

TEST_CASE("abs comes before neg") {
  checkCases({FloatCase{"v_add_f32 v8, -v0, v1", {1.0f, 5.0f}, 4.0f},
              {"v_add_f32 v8, |v0|, v1", {-1.0f, 5.0f}, 6.0f},
              {"v_add_f32 v8, -|v0|, v1", {-1.0f, 5.0f}, 4.0f},
              {"v_add_f32 v8, v0, -|v1|", {-1.0f, 5.0f}, -6.0f},
              {"v_mad_f32 v8, v0, -v1, |v2|", {2.0f, 3.0f, -1.0f}, -5.0f},
              {"s_mov_b64 s[0:1], 0\nv_cndmask_b32_e64 v8, -v0, v1, s[0:1]", {1.0f, 5.0f}, -1.0f}});
  checkCases({Case{"v_add_f16 v8, -|v0|, v1", {0xbc00, 0x4500}, 0x4400}, // -1 + 5
              {"v_pack_b32_f16 v8, -v0, |v1|", {0x3c00, 0xc500}, 0x4500bc00}});
}

TEST_CASE("abs and neg of an integer are refused") {
  AssemblyRun run;
  run.setup.vgprs = {allLanes(1u), allLanes(1u)};
  // v_lshl_or_b32 v0, v0, v0, v0 with NEG of the first source, which the assembler would not accept.
  run.run(".long 0xd2000000\n.long 0x24020100");
  CHECK((run.trap() == TrapKind::Unsupported));
}

TEST_CASE("OP_SEL chooses halves of 16-bit sources and of the destination") {
  const std::vector<uint32_t> v = {0x40003c00, 0x44004200, 0}; // 2 : 1, 4 : 3
  checkCases({Case{"v_mad_f16 v8, v0, v1, v2", v, 0xcafe4200},
              {"v_mad_f16 v8, v0, v1, v2 op_sel:[1,0,0,0]", v, 0xcafe4600},
              {"v_mad_f16 v8, v0, v1, v2 op_sel:[1,1,0,0]", v, 0xcafe4800},
              {"v_mad_f16 v8, v0, v1, v0 op_sel:[0,0,1,1]", v, 0x45001234},
              {"v_mad_u32_u16 v8, v0, v1, v2 op_sel:[1,0,0,0]", v, 0x4000 * 0x4200},
              {"v_add_i16 v8, v0, v1 op_sel:[1,1,1]", v, 0x84001234},
              {"v_max3_u16 v8, v0, v1, v2 op_sel:[1,1,0,1]", v, 0x44001234},
              {"v_pack_b32_f16 v8, v0, v1 op_sel:[1,0,0]", v, 0x42004000},
              {"v_cvt_pknorm_i16_f16 v8, v0, v1 op_sel:[0,1,0]", {0x3c00, 0xbc000000}, 0x80017fff}});
}

TEST_CASE("denormal f32 inputs and results are kept as MODE says") {
  // 2^-127 * 2 is normal: only the input matters. 2^-126 / 2 is denormal: only the result does.
  struct Mode {
    uint8_t bits;
    uint32_t ofInput, ofResult;
  };
  const Mode modes[] = {
      {0, 0, 0}, {KeepInputs32, SmallestNormal, 0}, {KeepResults32, 0, Denormal}, {Keep32, SmallestNormal, Denormal}};
  for (const Mode &mode : modes) {
    CAPTURE(mode.bits);
    checkCases({Case{"v_mul_f32 v8, 2.0, v0", {Denormal}, mode.ofInput},
                {"v_add_f32 v8, v0, v0", {Denormal}, mode.ofInput},
                {"v_mul_f32 v8, 0.5, v0", {SmallestNormal}, mode.ofResult},
                {"v_fma_f32 v8, 0.5, v0, 0", {SmallestNormal}, mode.ofResult},
                {"v_ldexp_f32 v8, v0, -1", {SmallestNormal}, mode.ofResult}},
               mode.bits);
  }
}

TEST_CASE("flushed denormals keep their sign") {
  checkCases({Case{"v_max_f32 v8, v0, v0", {NegativeDenormal}, 0x80000000},
              {"v_mul_f32 v8, -0.5, v0", {SmallestNormal}, 0x80000000}});
}

TEST_CASE("v_mad, v_mac and the transcendentals know no denormals in any mode, moves and classes know them in all") {
  for (uint8_t mode : {uint8_t(0), Keep32}) {
    CAPTURE(mode);
    checkCases({Case{"v_mad_f32 v8, 2.0, v0, 0", {Denormal}, 0},
                {"v_mad_f32 v8, 0.5, v0, 0", {SmallestNormal}, 0},
                {"v_mov_b32 v8, 0\nv_mac_f32 v8, 0.5, v0", {SmallestNormal}, 0},
                {"v_rcp_f32 v8, v0", {Denormal}, Infinity},
                {"v_log_f32 v8, v0", {Denormal}, NegativeInfinity},
                {"v_exp_f32 v8, v0", {f32(-127.0f)}, 0},
                {"v_mov_b32 v8, v0", {Denormal}, Denormal},
                {"s_mov_b64 s[0:1], 0\nv_cndmask_b32_e64 v8, v0, 0, s[0:1]", {Denormal}, Denormal},
                {"v_cmp_class_f32 vcc, v0, v1\nv_cndmask_b32 v8, 0, v2, vcc", {Denormal, 1 << 7, 77}, 77}},
               mode);
  }
}

TEST_CASE("compares see denormals as MODE says") {
  const char *text = "v_cmp_lt_f32 vcc, 0, v0\nv_cndmask_b32 v8, 0, v1, vcc";
  checkCases({Case{text, {Denormal, 77}, 0}}, 0);
  checkCases({Case{text, {Denormal, 77}, 77}}, Keep32);
}

TEST_CASE("denormals of f16 and f64 have mode bits of their own") {
  checkCases({Case{"v_add_f16 v8, v0, v0", {HalfDenormal}, 0x0400},
              {"v_cvt_f32_f16 v8, v0", {HalfDenormal}, f32(0x1p-15f)},
              {"v_cvt_f16_f32 v8, v0", {f32(0x1p-15f)}, HalfDenormal}},
             Keep16);
  checkCases({Case{"v_add_f16 v8, v0, v0", {HalfDenormal}, 0},
              {"v_cvt_f32_f16 v8, v0", {HalfDenormal}, 0},
              {"v_cvt_f16_f32 v8, v0", {f32(0x1p-15f)}, 0}},
             Keep32);
  CHECK(evaluateDouble("v_mul_f64 v[8:9], v[0:1], 0.5", {0x1p-1022}, Keep16) == 0x1p-1023);
  CHECK(evaluateDouble("v_mul_f64 v[8:9], v[0:1], 0.5", {0x1p-1022}, Keep32) == 0);
}

TEST_CASE("results are rounded as MODE says") {
  // 1 + 2^-25 lies between 1 and 1 + 2^-23, below the middle.
  const float above = 1 + 0x1p-23f;
  struct Mode {
    uint8_t bits;
    float positive, negative;
  };
  for (const Mode &mode : {Mode{0, 1, -1}, {Up, above, -1}, {Down, 1, -above}, {Zero, 1, -1}}) {
    CAPTURE(mode.bits);
    checkCases({FloatCase{"v_add_f32 v8, 1.0, v0", {0x1p-25f}, mode.positive},
                {"v_sub_f32 v8, -1.0, v0", {0x1p-25f}, mode.negative},
                {"v_fma_f32 v8, v0, 1.0, 1.0", {0x1p-25f}, mode.positive},
                {"v_mad_f32 v8, v0, 1.0, 1.0", {0x1p-25f}, mode.positive}},
               mode.bits);
  }
  checkCases({FloatCase{"v_cvt_f32_u32 v8, 0x1000001", {}, 16777216.0f}}, 0);
  checkCases({FloatCase{"v_cvt_f32_u32 v8, 0x1000001", {}, 16777218.0f}}, Up);
  checkCases({FloatCase{"v_cvt_f32_f64 v8, v[0:1]", {0x1p-100f, 1.875f}, 1.0f}}, 0); // 1 + a little, as f64 bits
  checkCases({FloatCase{"v_cvt_f32_f64 v8, v[0:1]", {0x1p-100f, 1.875f}, above}}, Up);
}

TEST_CASE("f16 and f64 have a rounding mode of their own") {
  // 1 + 2^-12: between 1 and 1 + 2^-10.
  const std::vector<uint32_t> between = {f32(1 + 0x1p-12f)};
  checkCases({Case{"v_cvt_f16_f32 v8, v0", between, 0x3c00}}, Keep16 | Up);
  checkCases({Case{"v_cvt_f16_f32 v8, v0", between, 0x3c01}}, Keep16 | Up << 2);
  checkCases({Case{"v_cvt_f16_f32 v8, -v0", between, 0xbc00}}, Keep16 | Up << 2);
  checkCases({Case{"v_cvt_f16_f32 v8, -v0", between, 0xbc01}}, Keep16 | Down << 2);
  checkCases({Case{"v_add_f16 v8, v0, v1", {0x3c00, 0x0c00}, 0x3c01}}, Keep16 | Up << 2); // 1 + 2^-12
  checkCases({Case{"v_add_f16 v8, v0, v1", {0x3c00, 0x0c00}, 0x3c00}}, Keep16 | Zero << 2);
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], 1.0", {0x1p-60}, Keep16 | Up) == 1);
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], 1.0", {0x1p-60}, Keep16 | Up << 2) == 1 + 0x1p-52);
}

TEST_CASE("output modifiers multiply where denormal results are off") {
  const uint8_t flushAll = 0;
  checkCases({FloatCase{"v_add_f32 v8, v0, v1 mul:2", {1.0f, 2.0f}, 6.0f},
              {"v_add_f32 v8, v0, v1 mul:4", {1.0f, 2.0f}, 12.0f},
              {"v_add_f32 v8, v0, v1 div:2", {1.0f, 2.0f}, 1.5f},
              {"v_mul_f32 v8, v0, v1 mul:2", {-1.0f, 0.0f}, 0.0f}}, // -0 becomes +0
             flushAll);
  checkCases({FloatCase{"v_add_f32 v8, v0, v1 mul:2", {1.0f, 2.0f}, 3.0f}}, Keep32);
  checkCases({Case{"v_add_f16_e64 v8, v0, v1 mul:2", {0x3c00, 0x3c00}, 0x4400}}, flushAll);
  checkCases({Case{"v_add_f16_e64 v8, v0, v1 mul:2", {0x3c00, 0x3c00}, 0x4000}}, Keep16);
}

TEST_CASE("clamp of floats is to [0, 1], behind the output modifier") {
  checkCases({FloatCase{"v_add_f32 v8, v0, v1 clamp", {1.0f, 2.0f}, 1.0f},
              {"v_add_f32 v8, v0, v1 clamp", {1.0f, -2.0f}, 0.0f},
              {"v_add_f32 v8, v0, v1 clamp", {0.25f, 0.5f}, 0.75f},
              {"v_add_f32 v8, v0, v1 clamp mul:2", {0.25f, 0.5f}, 1.0f},
              {"v_max_f32 v8, v0, v1 clamp", {-1.0f, 0.125f}, 0.125f}});
  checkCases({Case{"v_add_f16_e64 v8, v0, v1 clamp", {0x3c00, 0x3c00}, 0x3c00},
              {"v_pk_add_f16 v8, v0, v1 clamp", {0x3c00bc00, 0x3c003800}, 0x3c000000}});
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], 4.0 clamp", {-3.5}) == 0.5);
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], 4.0 clamp", {3.5}) == 1.0);
}

TEST_CASE("a NaN clamps to 0 with DX10_CLAMP and stays a NaN without") {
  for (bool dx10Clamp : {true, false}) {
    AssemblyRun run;
    run.setup.dx10Clamp = dx10Clamp;
    run.setup.vgprs = {allLanes(QuietNan), allLanes(0u)};
    run.run("v_add_f32 v1, v0, v0 clamp");
    float result = run.vgprFloat(1, 0);
    bool isNan = result != result;
    CHECK(isNan == !dx10Clamp);
    if (dx10Clamp)
      CHECK(run.vgpr(1, 0) == 0);
  }
}

TEST_CASE("clamp of integers saturates") {
  checkCases({Case{"v_add_u32 v8, v0, v1 clamp", {0xfffffff0, 0x20}, 0xffffffff},
              {"v_add_u32 v8, v0, v1", {0xfffffff0, 0x20}, 0x10},
              {"v_sub_u32 v8, v0, v1 clamp", {1, 2}, 0},
              {"v_subrev_u32 v8, v0, v1 clamp", {1, 2}, 1},
              {"v_add_i32 v8, v0, v1 clamp", {0x7fffffff, 1}, 0x7fffffff},
              {"v_add_i32 v8, v0, v1", {0x7fffffff, 1}, 0x80000000},
              {"v_sub_i32 v8, v0, v1 clamp", {0x80000000, 1}, 0x80000000},
              {"v_add_u16_e64 v8, v0, v1 clamp", {0xfff0, 0x20}, 0xffff},
              {"v_sub_u16_e64 v8, v0, v1 clamp", {1, 2}, 0},
              {"v_add_i16 v8, v0, v1 clamp", {0x7fff, 1}, 0xcafe7fff},
              {"v_sub_i16 v8, v0, v1 clamp", {0x8000, 1}, 0xcafe8000},
              {"v_mad_u32_u24 v8, v0, v1, v2 clamp", {0xffffff, 0xffffff, 0}, 0xffffffff},
              {"v_mad_i32_i24 v8, v0, v1, v2 clamp", {0x800000, 0x7fffff, 0}, 0x80000000},
              {"v_mad_u16 v8, v0, v1, v2 clamp", {0xff, 0x200, 0}, 0xcafeffff},
              {"v_pk_add_u16 v8, v0, v1 clamp", {0xfff00001, 0x00200001}, 0xffff0002},
              {"v_pk_sub_i16 v8, v0, v1 clamp", {0x80007fff, 0x0001ffff}, 0x80007fff},
              {"v_sad_u32 v8, v0, v1, v2 clamp", {0xffffffff, 0, 5}, 0xffffffff}});
}

TEST_CASE("the mode can change between instructions") {
  // hwreg(HW_REG_MODE, 4, 2): denormals of f32.
  checkCases(
      {Case{"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\ns_nop 1\nv_mul_f32 v8, 0.5, v0",
            {SmallestNormal},
            Denormal},
       {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\ns_nop 1\nv_add_f32 v8, 1.0, v0", {f32(0x1p-25f)}, One + 1}});
}
