// SPDX-License-Identifier: MIT
//
// Floating-point instructions: values worked out by hand, and a division whose steps must give the exactly rounded
// quotient.
#include "tests/emulator/isa/vector_evaluate.h"
#include <cmath>
#include <limits>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

namespace {

constexpr float Inf = std::numeric_limits<float>::infinity();
constexpr float Nan = std::numeric_limits<float>::quiet_NaN();

bool isNear(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance;
}

} // namespace

TEST_CASE("f32 sums, differences and products") {
  checkCases({FloatCase{"v_add_f32 v8, v0, v1", {1.5f, 2.25f}, 3.75f},
              {"v_sub_f32 v8, v0, v1", {1.5f, 2.25f}, -0.75f},
              {"v_subrev_f32 v8, v0, v1", {1.5f, 2.25f}, 0.75f},
              {"v_mul_f32 v8, v0, v1", {1.5f, -2.0f}, -3.0f},
              {"v_mul_f32 v8, v0, v1", {0.0f, Inf}, Nan},
              {"v_add_f32 v8, v0, v1", {Inf, -Inf}, Nan},
              {"v_mad_f32 v8, v0, v1, v2", {3.0f, 4.0f, 5.0f}, 17.0f},
              {"v_fma_f32 v8, v0, v1, v2", {3.0f, 4.0f, 5.0f}, 17.0f},
              {"v_madmk_f32 v8, v0, 0x40400000, v1", {2.0f, 5.0f}, 11.0f},
              {"v_madak_f32 v8, v0, v1, 0x40400000", {2.0f, 5.0f}, 13.0f},
              {"v_madak_f32 v8, 0x40400000, v1, 0x40400000", {2.0f, 5.0f}, 18.0f}});
}

TEST_CASE("legacy products with a zero are zero, the others are IEEE's") {
  checkCases({FloatCase{"v_mul_legacy_f32 v8, v0, v1", {0.0f, Inf}, 0.0f},
              {"v_mul_legacy_f32 v8, v0, v1", {Nan, 0.0f}, 0.0f},
              {"v_mul_legacy_f32 v8, v0, v1", {3.0f, 0.5f}, 1.5f},
              {"v_mad_legacy_f32 v8, v0, v1, v2", {Inf, 0.0f, 7.0f}, 7.0f},
              {"v_mad_f32 v8, v0, v1, v2", {Inf, 0.0f, 7.0f}, Nan}});
}

TEST_CASE("v_mad and v_mac round the product, v_fma does not") {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, half a unit in the last place above an even value.
  const float a = 1 + 0x1p-12f, minusRounded = -(1 + 0x1p-11f);
  checkCases({FloatCase{"v_mad_f32 v8, v0, v0, v1", {a, minusRounded}, 0.0f},
              {"v_mov_b32 v8, v1\nv_mac_f32 v8, v0, v0", {a, minusRounded}, 0.0f},
              {"v_mov_b32 v8, v1\nv_mac_f32_e64 v8, v0, v0", {a, minusRounded}, 0.0f},
              {"v_madak_f32 v8, v0, v0, 0xbf801000", {a}, 0.0f},
              {"v_fma_f32 v8, v0, v0, v1", {a, minusRounded}, 0x1p-24f}});
  // (1 + 2^-6)^2 = 1 + 2^-5 + 2^-12: the last is less than half of 2^-10.
  const uint32_t half = 0x3c10, minusRoundedHalf = 0xbc20;
  checkCases({Case{"v_mad_f16 v8, v0, v0, v1", {half, minusRoundedHalf}, OldLow & 0xffff0000},
              {"v_mad_legacy_f16 v8, v0, v0, v1", {half, minusRoundedHalf}, 0},
              {"v_fma_f16 v8, v0, v0, v1", {half, minusRoundedHalf}, (OldLow & 0xffff0000) | 0x0c00},
              {"v_fma_legacy_f16 v8, v0, v0, v1", {half, minusRoundedHalf}, 0x0c00},
              {"v_mov_b32 v8, v1\nv_mac_f16 v8, v0, v0", {half, minusRoundedHalf}, 0}});
}

TEST_CASE("minimum and maximum prefer numbers to NaNs and know the sign of zero") {
  checkCases({FloatCase{"v_min_f32 v8, v0, v1", {1.0f, -2.0f}, -2.0f},
              {"v_max_f32 v8, v0, v1", {1.0f, -2.0f}, 1.0f},
              {"v_min_f32 v8, v0, v1", {Nan, 3.0f}, 3.0f},
              {"v_max_f32 v8, v0, v1", {3.0f, Nan}, 3.0f},
              {"v_max_f32 v8, v0, v1", {Nan, Nan}, Nan},
              {"v_min_f32 v8, v0, v1", {0.0f, -0.0f}, -0.0f},
              {"v_min_f32 v8, v0, v1", {-0.0f, 0.0f}, -0.0f},
              {"v_max_f32 v8, v0, v1", {0.0f, -0.0f}, 0.0f},
              {"v_max_f32 v8, v0, v1", {-0.0f, 0.0f}, 0.0f},
              {"v_min3_f32 v8, v0, v1, v2", {3.0f, -1.0f, 2.0f}, -1.0f},
              {"v_max3_f32 v8, v0, v1, v2", {3.0f, -1.0f, 4.0f}, 4.0f},
              {"v_med3_f32 v8, v0, v1, v2", {3.0f, -1.0f, 2.0f}, 2.0f},
              {"v_med3_f32 v8, v0, v1, v2", {-1.0f, 2.0f, 3.0f}, 2.0f},
              {"v_med3_f32 v8, v0, v1, v2", {2.0f, 3.0f, -1.0f}, 2.0f},
              {"v_med3_f32 v8, v0, v1, v2", {Nan, 1.0f, 0.0f}, 0.0f}});
}

TEST_CASE("rounding to integers") {
  checkCases({FloatCase{"v_floor_f32 v8, v0", {-1.5f}, -2.0f},
              {"v_ceil_f32 v8, v0", {-1.5f}, -1.0f},
              {"v_trunc_f32 v8, v0", {-1.5f}, -1.0f},
              {"v_trunc_f32 v8, v0", {2.75f}, 2.0f},
              {"v_rndne_f32 v8, v0", {2.5f}, 2.0f},
              {"v_rndne_f32 v8, v0", {3.5f}, 4.0f},
              {"v_rndne_f32 v8, v0", {-0.5f}, -0.0f},
              {"v_rndne_f32 v8, v0", {-2.75f}, -3.0f},
              {"v_rndne_f32 v8, v0", {16777215.0f}, 16777215.0f},
              {"v_rndne_f32 v8, v0", {-Inf}, -Inf},
              {"v_fract_f32 v8, v0", {-1.25f}, 0.75f},
              {"v_fract_f32 v8, v0", {3.0f}, 0.0f},
              {"v_fract_f32 v8, v0", {-0x1p-30f}, 0x1.fffffep-1f}}); // never 1
}

TEST_CASE("v_rndne does not follow the rounding mode") {
  checkCases({FloatCase{"v_rndne_f32 v8, v0", {2.5f}, 2.0f}, {"v_rndne_f32 v8, v0", {2.25f}, 2.0f}}, 0xc1);
}

TEST_CASE("reciprocals, roots, powers and logarithms of two") {
  checkCases({FloatCase{"v_rcp_f32 v8, v0", {4.0f}, 0.25f},
              {"v_rcp_iflag_f32 v8, v0", {-8.0f}, -0.125f},
              {"v_rcp_f32 v8, v0", {0.0f}, Inf},
              {"v_rcp_f32 v8, v0", {-0.0f}, -Inf},
              {"v_rcp_f32 v8, v0", {3.0f}, 0x1.555556p-2f},
              {"v_rsq_f32 v8, v0", {16.0f}, 0.25f},
              {"v_rsq_f32 v8, v0", {-1.0f}, Nan},
              {"v_sqrt_f32 v8, v0", {2.0f}, 0x1.6a09e6p0f},
              {"v_sqrt_f32 v8, v0", {-2.0f}, Nan},
              {"v_exp_f32 v8, v0", {3.0f}, 8.0f},
              {"v_exp_f32 v8, v0", {-1.0f}, 0.5f},
              {"v_exp_f32 v8, v0", {0.5f}, 0x1.6a09e6p0f},
              {"v_exp_f32 v8, v0", {200.0f}, Inf},
              {"v_exp_legacy_f32 v8, v0", {-2.0f}, 0.25f},
              {"v_log_f32 v8, v0", {8.0f}, 3.0f},
              {"v_log_f32 v8, v0", {0.0f}, -Inf},
              {"v_log_f32 v8, v0", {-1.0f}, Nan},
              {"v_log_legacy_f32 v8, v0", {0.25f}, -2.0f}});
}

TEST_CASE("angles are in turns") {
  checkCases({FloatCase{"v_sin_f32 v8, v0", {0.25f}, 1.0f},
              {"v_sin_f32 v8, v0", {-0.25f}, -1.0f},
              {"v_sin_f32 v8, v0", {0.5f}, 0.0f},
              {"v_cos_f32 v8, v0", {0.0f}, 1.0f},
              {"v_cos_f32 v8, v0", {0.5f}, -1.0f},
              {"v_cos_f32 v8, v0", {256.0f}, 1.0f},
              {"v_sin_f32 v8, v0", {-300.25f}, -1.0f},
              {"v_cos_f32 v8, v0", {-300.5f}, -1.0f},
              {"v_sin_f32 v8, v0", {Inf}, Nan},
              {"v_cos_f32 v8, v0", {Nan}, Nan}});
  CHECK(isNear(evaluateFloat("v_sin_f32 v8, v0", {100.0f + 1.0f / 16}), 0.382683432, 1e-7)); // sin 22.5 degrees
  CHECK(isNear(evaluateFloat("v_cos_f32 v8, v0", {-1.0f / 16}), 0.923879533, 1e-7));
}

TEST_CASE("beyond 256 turns, angles count as 0 before GFX9") {
  for (Generation generation : {Generation::Gfx8, Generation::Gfx9}) {
    CAPTURE(int(generation));
    const bool isReduced = generation == Generation::Gfx8;
    AssemblyRun run(generation);
    run.setup.vgprs = {allLanes(300.25f), allLanes(-300.5f), allLanes(256.25f)};
    run.run("v_sin_f32 v3, v0\nv_cos_f32 v4, v1\nv_sin_f32 v5, v2\n"
            "v_cvt_f16_f32 v6, v0\nv_sin_f16 v6, v6\nv_cvt_f32_f16 v6, v6");
    CHECK(run.trapText() == "");
    CHECK(run.vgprFloat(3, 5) == (isReduced ? 0.0f : 1.0f));
    CHECK(run.vgprFloat(4, 5) == (isReduced ? 1.0f : -1.0f));
    CHECK(run.vgprFloat(5, 5) == (isReduced ? 0.0f : 1.0f));
    CHECK(run.vgprFloat(6, 5) == (isReduced ? 0.0f : 1.0f));
  }
}

TEST_CASE("fraction and exponent") {
  checkCases({FloatCase{"v_frexp_mant_f32 v8, v0", {12.0f}, 0.75f},
              {"v_frexp_mant_f32 v8, v0", {-0.25f}, -0.5f},
              {"v_frexp_mant_f32 v8, v0", {Inf}, Inf},
              {"v_ldexp_f32 v8, v0, 4", {0.75f}, 12.0f},
              {"v_ldexp_f32 v8, v0, -1", {-3.0f}, -1.5f}});
  checkCases({Case{"v_frexp_exp_i32_f32 v8, v0", {f32(12.0f)}, 4},
              {"v_frexp_exp_i32_f32 v8, v0", {f32(0.25f)}, uint32_t(-1)},
              {"v_frexp_exp_i32_f32 v8, v0", {Infinity}, 0},
              {"v_ldexp_f32 v8, v0, v1", {f32(1.0f), uint32_t(-100000)}, 0},
              {"v_ldexp_f32 v8, v0, v1", {f32(1.0f), 0x7fffffff}, Infinity}});
  CHECK(evaluateDouble("v_frexp_mant_f64 v[8:9], v[0:1]", {-20.0}) == -0.625);
  CHECK(evaluate("v_frexp_exp_i32_f64 v8, v[0:1]", {0, uint32_t(f64(20.0) >> 32)}) == 5);
  CHECK(evaluateDouble("v_ldexp_f64 v[8:9], v[0:1], -3", {20.0}) == 2.5);
}

TEST_CASE("f64 arithmetic") {
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], v[2:3]", {0.1, 0.2}) == 0.1 + 0.2);
  CHECK(evaluateDouble("v_mul_f64 v[8:9], v[0:1], v[2:3]", {1.5, -3.0}) == -4.5);
  CHECK(evaluateDouble("v_min_f64 v[8:9], v[0:1], v[2:3]", {1.5, -3.0}) == -3.0);
  CHECK(evaluateDouble("v_max_f64 v[8:9], v[0:1], v[2:3]", {1.5, -3.0}) == 1.5);
  // (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54.
  CHECK(evaluateDouble("v_fma_f64 v[8:9], v[0:1], v[0:1], v[2:3]", {1 + 0x1p-27, -(1 + 0x1p-26)}) == 0x1p-54);
  CHECK(evaluateDouble("v_trunc_f64 v[8:9], v[0:1]", {-2.75}) == -2.0);
  CHECK(evaluateDouble("v_floor_f64 v[8:9], v[0:1]", {-2.75}) == -3.0);
  CHECK(evaluateDouble("v_ceil_f64 v[8:9], v[0:1]", {2.25}) == 3.0);
  CHECK(evaluateDouble("v_rndne_f64 v[8:9], v[0:1]", {4503599627370495.5}) == 4503599627370496.0);
  CHECK(evaluateDouble("v_fract_f64 v[8:9], v[0:1]", {-0.25}) == 0.75);
  CHECK(evaluateDouble("v_rcp_f64 v[8:9], v[0:1]", {8.0}) == 0.125);
  CHECK(evaluateDouble("v_rsq_f64 v[8:9], v[0:1]", {64.0}) == 0.125);
  CHECK(evaluateDouble("v_sqrt_f64 v[8:9], v[0:1]", {2.25}) == 1.5);
  CHECK(evaluateDouble("v_add_f64 v[8:9], -v[0:1], |v[2:3]|", {1.0, -3.0}) == 2.0);
  CHECK(evaluateDouble("v_add_f64 v[8:9], v[0:1], 0.5", {1.0}) == 1.5);
}

TEST_CASE("f16 arithmetic clears the upper half of the register") {
  checkCases({Case{"v_add_f16 v8, v0, v1", {0xffff3e00, 0x4080}, 0x4380},         // 1.5 + 2.25 = 3.75
              {"v_sub_f16 v8, v0, v1", {0x3e00, 0x4080}, 0xba00},                 // -0.75
              {"v_subrev_f16 v8, v0, v1", {0x3e00, 0x4080}, 0x3a00},              // 0.75
              {"v_mul_f16 v8, v0, v1", {0x3e00, 0xc000}, 0xc200},                 // -3
              {"v_min_f16 v8, v0, v1", {0x3e00, 0xc000}, 0xc000},                 //
              {"v_max_f16 v8, v0, v1", {0x7e00, 0xc000}, 0xc000},                 // a NaN and a number
              {"v_rcp_f16 v8, v0", {0x4400}, 0x3400},                             // 1 / 4
              {"v_rsq_f16 v8, v0", {0x4400}, 0x3800},                             //
              {"v_sqrt_f16 v8, v0", {0x4400}, 0x4000},                            //
              {"v_exp_f16 v8, v0", {0x4200}, 0x4800},                             // 2^3
              {"v_log_f16 v8, v0", {0x4800}, 0x4200},                             //
              {"v_sin_f16 v8, v0", {0x3400}, 0x3c00},                             // a quarter turn
              {"v_cos_f16 v8, v0", {0x3800}, 0xbc00},                             //
              {"v_floor_f16 v8, v0", {0xbe00}, 0xc000},                           // -1.5
              {"v_ceil_f16 v8, v0", {0xbe00}, 0xbc00},                            //
              {"v_trunc_f16 v8, v0", {0xbe00}, 0xbc00},                           //
              {"v_rndne_f16 v8, v0", {0xbe00}, 0xc000},                           //
              {"v_fract_f16 v8, v0", {0xbd00}, 0x3a00},                           // -1.25 to 0.75
              {"v_frexp_mant_f16 v8, v0", {0x4a00}, 0x3a00},                      // 12 = 0.75 * 2^4
              {"v_frexp_exp_i16_f16 v8, v0", {0x4a00}, 4},                        //
              {"v_ldexp_f16 v8, v0, v1", {0x3a00, 0xffff}, 0x3600},               // by -1
              {"v_madmk_f16 v8, v0, 0x4200, v1", {0x4000, 0x4500}, 0xcafe4980},   // 2 * 3 + 5 = 11
              {"v_madak_f16 v8, v0, v1, 0x4200", {0x4000, 0x4500}, 0xcafe4a80}}); // 2 * 5 + 3 = 13
}

TEST_CASE("the third generation's 16-bit instructions keep the upper half") {
  checkCases({Case{"v_min3_f16 v8, v0, v1, v2", {0x3c00, 0x4000, 0xbc00}, 0xcafebc00},
              {"v_max3_f16 v8, v0, v1, v2", {0x3c00, 0x4000, 0xbc00}, 0xcafe4000},
              {"v_med3_f16 v8, v0, v1, v2", {0x3c00, 0x4000, 0xbc00}, 0xcafe3c00},
              {"v_div_fixup_f16 v8, v0, v1, v2", {0x3c00, 0, 0x3c00}, 0xcafe7c00}, // 1 / 0
              {"v_div_fixup_legacy_f16 v8, v0, v1, v2", {0x3800, 0xc000, 0x3c00}, 0xb800}});
}

TEST_CASE("cube maps: face, coordinates and twice the major axis") {
  struct Cube {
    float x, y, z, face, s, t, major;
  };
  // By OpenGL's table of faces: +x (-z, -y), -x (z, -y), +y (x, z), -y (x, -z), +z (x, -y), -z (-x, -y).
  const Cube cubes[] = {{4, 2, 1, 0, -1, -2, 8},  {-4, 2, 1, 1, 1, -2, -8}, {1, 4, 2, 2, 1, 2, 8},
                        {1, -4, 2, 3, 1, -2, -8}, {1, 2, 4, 4, 1, -2, 8},   {1, 2, -4, 5, -1, -2, -8},
                        {3, 3, 3, 4, 3, -3, 6},   {3, -3, 1, 3, 3, -1, -6}}; // z wins, then y
  for (const Cube &cube : cubes) {
    std::vector<float> v = {cube.x, cube.y, cube.z};
    CHECK(evaluateFloat("v_cubeid_f32 v8, v0, v1, v2", v) == cube.face);
    CHECK(evaluateFloat("v_cubesc_f32 v8, v0, v1, v2", v) == cube.s);
    CHECK(evaluateFloat("v_cubetc_f32 v8, v0, v1, v2", v) == cube.t);
    CHECK(evaluateFloat("v_cubema_f32 v8, v0, v1, v2", v) == cube.major);
  }
}

TEST_CASE("the steps of a division give the rounded quotient, also of denormals and near overflow") {
  // As LLVM expands an f32 division where denormals are kept: v0 / v1.
  const char *steps = "v_div_scale_f32 v2, s[0:1], v1, v1, v0\n"
                      "v_div_scale_f32 v3, vcc, v0, v1, v0\n"
                      "v_rcp_f32 v4, v2\n"
                      "v_fma_f32 v5, -v2, v4, 1.0\n"
                      "v_fma_f32 v4, v5, v4, v4\n"
                      "v_mul_f32 v5, v3, v4\n"
                      "v_fma_f32 v6, -v2, v5, v3\n"
                      "v_fma_f32 v5, v6, v4, v5\n"
                      "v_fma_f32 v2, -v2, v5, v3\n"
                      "v_div_fmas_f32 v2, v2, v4, v5\n"
                      "v_div_fixup_f32 v8, v2, v1, v0";
  const float values[][2] = {{1.0f, 3.0f},         {10.0f, 7.0f},
                             {-5.0f, 0.3f},        {1e30f, 1e-30f},
                             {1e-30f, 1e30f},      {1e-38f, 3.0f},
                             {3e38f, 2e38f},       {1.5f, 3e38f},
                             {1e-40f, 1e-41f},     {1e-44f, 3.0f},
                             {3e38f, 1e-3f},       {1e-3f, 3e38f},
                             {0.0f, 5.0f},         {5.0f, 0.0f},
                             {-5.0f, 0.0f},        {0.0f, 0.0f},
                             {Inf, 2.0f},          {2.0f, -Inf},
                             {Inf, Inf},           {Nan, 1.0f},
                             {1.0f, Nan},          {0x1.fffffep127f, 0.5f},
                             {0x1p-126f, 0x1p10f}, {7.0f, 0x1.8p-130f},
                             {0x1.8p-140f, 0.25f}, {0x1p127f, 0x1p126f}};
  for (const auto &value : values) {
    CAPTURE(value[0]);
    CAPTURE(value[1]);
    checkCases({FloatCase{steps, {value[0], value[1]}, value[0] / value[1]}}, 0xf0);
  }
}

TEST_CASE("the steps of an f64 division") {
  const char *steps = "v_div_scale_f64 v[10:11], s[0:1], v[2:3], v[2:3], v[0:1]\n"
                      "v_rcp_f64 v[12:13], v[10:11]\n"
                      "v_fma_f64 v[14:15], -v[10:11], v[12:13], 1.0\n"
                      "v_fma_f64 v[12:13], v[12:13], v[14:15], v[12:13]\n"
                      "v_div_scale_f64 v[14:15], vcc, v[0:1], v[2:3], v[0:1]\n"
                      "v_mul_f64 v[16:17], v[14:15], v[12:13]\n"
                      "v_fma_f64 v[10:11], -v[10:11], v[16:17], v[14:15]\n"
                      "s_nop 4\n"
                      "v_div_fmas_f64 v[10:11], v[10:11], v[12:13], v[16:17]\n"
                      "v_div_fixup_f64 v[8:9], v[10:11], v[2:3], v[0:1]";
  const double values[][2] = {{1.0, 3.0}, {-10.0, 7.0}, {1e300, 3e-5}, {1e-300, 1e8}, {5.0, 1e308}, {1e308, 1e-2}};
  for (const auto &value : values) {
    CAPTURE(value[0]);
    CHECK(evaluateDouble(steps, {value[0], value[1]}) == value[0] / value[1]);
  }
}

TEST_CASE("v_trig_preop_f64 delivers 2 / pi in groups of 53 bits") {
  // 2 / pi = 0x0.a2f9836e4e441529fc2757d1f534ddc0…
  CHECK(evaluateDouble("v_trig_preop_f64 v[8:9], v[0:1], 0", {1.0}) == 0x0.a2f9836e4e441p0);
  double second = evaluateDouble("v_trig_preop_f64 v[8:9], v[0:1], 1", {1.0});
  // The next bits are 529fc2757d1f534d…; the first of them, a 0, was the last bit of the first group.
  CHECK(second == 0x0.529fc2757d1f5p-52);
}
