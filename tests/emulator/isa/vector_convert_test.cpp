// SPDX-License-Identifier: MIT
//
// Conversions, and the half floats that they are made with.
#include "tests/emulator/isa/vector_evaluate.h"
#include "tools/proof/emulator/numerics/half.h"
#include <cmath>
#include <random>

using namespace dovetail::emulator;
using namespace dovetail::emulator::test;

TEST_CASE("floats to integers: toward zero, saturating, NaN to 0") {
  checkCases({Case{"v_cvt_i32_f32 v8, v0", {f32(-2.75f)}, uint32_t(-2)},
              {"v_cvt_i32_f32 v8, v0", {f32(3e9f)}, 0x7fffffff},
              {"v_cvt_i32_f32 v8, v0", {f32(-3e9f)}, 0x80000000},
              {"v_cvt_i32_f32 v8, v0", {QuietNan}, 0},
              {"v_cvt_u32_f32 v8, v0", {f32(2.75f)}, 2},
              {"v_cvt_u32_f32 v8, v0", {f32(-2.75f)}, 0},
              {"v_cvt_u32_f32 v8, v0", {f32(3e9f)}, 3000000000},
              {"v_cvt_u32_f32 v8, v0", {f32(5e9f)}, 0xffffffff},
              {"v_cvt_u32_f32 v8, v0", {Infinity}, 0xffffffff},
              {"v_cvt_flr_i32_f32 v8, v0", {f32(-2.25f)}, uint32_t(-3)},
              {"v_cvt_rpi_i32_f32 v8, v0", {f32(2.5f)}, 3},
              {"v_cvt_rpi_i32_f32 v8, v0", {f32(-2.5f)}, uint32_t(-2)},
              {"v_cvt_i16_f16 v8, v0", {0xc180}, 0xfffe}, // -2.75
              {"v_cvt_i16_f16 v8, v0", {0x7bff}, 0x7fff}, // 65504
              {"v_cvt_u16_f16 v8, v0", {0x7bff}, 65504},
              {"v_cvt_u16_f16 v8, v0", {0xc180}, 0},
              {"v_cvt_i32_f64 v8, v[0:1]", {0, uint32_t(f64(-5.5) >> 32)}, uint32_t(-5)},
              {"v_cvt_u32_f64 v8, v[0:1]", {0, uint32_t(f64(5.5) >> 32)}, 5}});
}

TEST_CASE("integers to floats") {
  checkCases({Case{"v_cvt_f32_i32 v8, v0", {uint32_t(-7)}, f32(-7.0f)},
              {"v_cvt_f32_u32 v8, v0", {0xffffffff}, f32(4294967296.0f)},
              {"v_cvt_f32_ubyte0 v8, v0", {0x04030201}, f32(1.0f)},
              {"v_cvt_f32_ubyte1 v8, v0", {0x04030201}, f32(2.0f)},
              {"v_cvt_f32_ubyte2 v8, v0", {0x04030201}, f32(3.0f)},
              {"v_cvt_f32_ubyte3 v8, v0", {0xff030201}, f32(255.0f)},
              {"v_cvt_off_f32_i4 v8, v0", {0x7}, f32(0.4375f)},
              {"v_cvt_off_f32_i4 v8, v0", {0x8}, f32(-0.5f)},
              {"v_cvt_f16_u16 v8, v0", {0x10003}, 0x4200},
              {"v_cvt_f16_i16 v8, v0", {0xfffd}, 0xc200}});
  CHECK(std::bit_cast<double>(evaluate64("v_cvt_f64_i32 v[8:9], v0", {uint32_t(-7)})) == -7.0);
  CHECK(std::bit_cast<double>(evaluate64("v_cvt_f64_u32 v[8:9], v0", {0xffffffff})) == 4294967295.0);
}

TEST_CASE("floats to floats") {
  checkCases({Case{"v_cvt_f16_f32 v8, v0", {f32(1.5f)}, 0x3e00},
              {"v_cvt_f16_f32 v8, v0", {f32(65520.0f)}, 0x7c00}, // half way between the largest and 65536
              {"v_cvt_f16_f32 v8, v0", {f32(65519.0f)}, 0x7bff},
              {"v_cvt_f16_f32 v8, v0", {NegativeInfinity}, 0xfc00},
              {"v_cvt_f32_f16 v8, v0", {0xffffc500}, f32(-5.0f)},
              {"v_cvt_f32_f16 v8, v0", {0x7c00}, Infinity},
              {"v_cvt_f32_f64 v8, v[0:1]", {0, uint32_t(f64(-5.5) >> 32)}, f32(-5.5f)},
              {"v_cvt_f32_f64 v8, v[0:1]", {0, uint32_t(f64(0x1p200) >> 32)}, Infinity}});
  CHECK(std::bit_cast<double>(evaluate64("v_cvt_f64_f32 v[8:9], v0", {f32(0.1f)})) == double(0.1f));
}

TEST_CASE("packing conversions") {
  checkCases({Case{"v_cvt_pkrtz_f16_f32 v8, v0, v1", {f32(1 + 0x1.8p-11f), f32(-1 - 0x1.8p-11f)}, 0xbc003c00},
              {"v_cvt_pkrtz_f16_f32 v8, v0, v1", {f32(1e10f), Infinity}, 0x7c007bff},
              {"v_cvt_pkrtz_f16_f32 v8, v0, v1", {f32(0x1.8p-24f), f32(0x1p-25f)}, 0x00000001},
              {"v_cvt_pkrtz_f16_f32 v8, -v0, |v1|", {f32(1.0f), f32(-2.0f)}, 0x4000bc00},
              {"v_cvt_pknorm_i16_f32 v8, v0, v1", {f32(1.0f), f32(-2.0f)}, 0x80017fff},
              {"v_cvt_pknorm_i16_f32 v8, v0, v1", {f32(0.5f), QuietNan}, 0x00004000},
              {"v_cvt_pknorm_u16_f32 v8, v0, v1", {f32(0.5f), f32(3.0f)}, 0xffff8000},
              {"v_cvt_pknorm_u16_f16 v8, v0, v1", {0x3c00, 0xbc00}, 0x0000ffff},
              {"v_cvt_norm_i16_f16 v8, v0", {0xbc00}, 0x8001},
              {"v_cvt_norm_u16_f16 v8, v0", {0x3c00}, 0xffff},
              {"v_cvt_pk_u16_u32 v8, v0, v1", {0x12345, 7}, 0x0007ffff},
              {"v_cvt_pk_i16_i32 v8, v0, v1", {uint32_t(-70000), 40000}, 0x7fff8000},
              {"v_cvt_pk_u8_f32 v8, v0, 2, v1", {f32(17.6f), 0xaabbccdd}, 0xaa12ccdd},
              {"v_cvt_pk_u8_f32 v8, v0, v1, 0", {f32(300.0f), 7}, 0xff000000},
              {"v_cvt_pkaccum_u8_f32 v8, v0, 1", {f32(-3.0f)}, 0xcafe0034},
              {"v_sat_pk_u8_i16 v8, v0", {0xffff0123}, 0x00ff},
              {"v_sat_pk_u8_i16 v8, v0", {0x00420007}, 0x4207}});
}

TEST_CASE("halves to doubles: every one of them") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    // By definition: (-1)^s * 2^(e - 15) * 1.m, denormals 2^-14 * 0.m.
    unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = fromHalf(uint16_t(bits));
    if (exponent == 31) {
      bool isSpecial = mantissa != 0 ? std::isnan(value) : std::isinf(value);
      REQUIRE(isSpecial);
    } else {
      double magnitude =
          exponent == 0 ? mantissa * std::pow(2.0, -24) : (1024 + mantissa) * std::pow(2.0, int(exponent) - 25);
      REQUIRE(std::fabs(value) == magnitude);
    }
    REQUIRE(std::signbit(value) == (bits >> 15 != 0));
    if (!std::isnan(value))
      REQUIRE(toHalf(value, Rounding::TowardZero) == bits);
  }
}

TEST_CASE("doubles to halves lie on the right side of their neighbours") {
  std::mt19937 random(7);
  std::uniform_int_distribution<unsigned> finite(0, 0x7bfe);
  std::uniform_real_distribution<double> between(0.0, 1.0);
  for (int i = 0; i < 20000; ++i) {
    uint16_t low = uint16_t(finite(random)), high = uint16_t(low + 1);
    double a = fromHalf(low), b = low == 0x7bff ? 65536.0 : fromHalf(high);
    double value = a + (b - a) * between(random);
    uint16_t nearest = value - a < b - value || (value - a == b - value && low % 2 == 0) ? low : high;
    CAPTURE(value);
    REQUIRE(toHalf(value, Rounding::NearestEven) == nearest);
    REQUIRE(toHalf(value, Rounding::TowardZero) == (value == b ? high : low));
    REQUIRE(toHalf(value, Rounding::TowardPositive) == (value == a ? low : high));
    REQUIRE(toHalf(-value, Rounding::TowardPositive) == ((value == b ? high : low) | 0x8000));
    REQUIRE(toHalf(-value, Rounding::TowardNegative) == ((value == a ? low : high) | 0x8000));
  }
}

TEST_CASE("halves at their limits") {
  CHECK(toHalf(65520.0, Rounding::NearestEven) == 0x7c00);
  CHECK(toHalf(65519.99, Rounding::NearestEven) == 0x7bff);
  CHECK(toHalf(1e300, Rounding::TowardZero) == 0x7bff);
  CHECK(toHalf(-1e300, Rounding::TowardPositive) == 0xfbff);
  CHECK(toHalf(-1e300, Rounding::TowardNegative) == 0xfc00);
  CHECK(toHalf(0x1p-25, Rounding::NearestEven) == 0); // half way to the smallest denormal: to even
  CHECK(toHalf(0x1.00001p-25, Rounding::NearestEven) == 1);
  CHECK(toHalf(0x1p-300, Rounding::TowardPositive) == 1);
  CHECK(toHalf(-0.0, Rounding::NearestEven) == 0x8000);
  CHECK(toHalf(0x1.ffep-15, Rounding::NearestEven) == 0x0400); // rounds up to the smallest normal
  CHECK(toHalf(0x1.ff8p-15, Rounding::NearestEven) == 0x03ff);
}

TEST_CASE("multiply-adds of halves round once") {
  std::mt19937 random(11);
  for (int i = 0; i < 50000; ++i) {
    auto finite = [&] { return uint16_t(random() & 0xffff & ~(random() % 2 << 14)); };
    uint16_t a = finite(), b = finite(), c = finite();
    if ((a & 0x7c00) == 0x7c00 || (b & 0x7c00) == 0x7c00 || (c & 0x7c00) == 0x7c00)
      continue;
    // Exactly, in units of 2^-48.
    auto units = [](uint16_t half, int shift) { return __int128(std::ldexp(fromHalf(half), 24)) << shift; };
    __int128 exact = units(a, 0) * units(b, 0) + units(c, 24);
    uint16_t result = toHalf(multiplyAddExact(fromHalf(a), fromHalf(b), fromHalf(c)), Rounding::NearestEven);
    if ((result & 0x7c00) == 0x7c00)
      continue; // limits are tested above
    // Neither neighbour may be nearer.
    auto distance = [&](uint16_t half) {
      __int128 difference = units(half, 24) - exact;
      return difference < 0 ? -difference : difference;
    };
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    bool isNearest = true;
    for (int step : {-1, 1}) {
      uint16_t neighbour = uint16_t(result + step);
      if ((result & 0x7fff) == 0 && step < 0)
        neighbour = uint16_t((result ^ 0x8000) + 1);
      if ((neighbour & 0x7c00) == 0x7c00)
        continue;
      __int128 there = distance(neighbour), here = distance(result);
      isNearest = isNearest && (here < there || (here == there && result % 2 == 0));
    }
    REQUIRE(isNearest);
  }
}
