// SPDX-License-Identifier: MIT
//
// Operations on constants in a rounding mode that LLVM's constant folding does not know.
#include "tests/features/llvm-defects/llvm_defects.h"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace dovetail;

namespace {

float towardZero(double value) {
  const float nearest = static_cast<float>(value);
  return std::fabs(nearest) > std::fabs(value) ? std::nextafter(nearest, 0.0f) : nearest;
}

} // namespace

TEST_CASE("what is done with constants is rounded toward zero where the shader says so") {
  const float a = 1.1f, b = 1.7f, c = 33554430.0f;
  const int n = 16777219;
  const double exact[] = {double(a) * a, double(a) + c, double(n),     double(a) * b + b,
                          double(a) * b, double(a) - c, double(b) * b, double(a) * c};
  const size_t count = std::size(exact);
  CHECK(std::ranges::count_if(exact, [](double x) { return towardZero(x) != static_cast<float>(x); }) >= 4);
  checkDefect("GL_EXT_spirv_intrinsics",
              "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4468], 4463, 32);\n"
              "#define f(n, x) r(n) = floatBitsToUint(x)\n"
              "layout(constant_id = 0) const float a = 1.1; layout(constant_id = 1) const float b = 1.7;\n"
              "layout(constant_id = 2) const float c = 33554430.0; layout(constant_id = 3) const int n = 16777219;\n",
              "f(0, a * a); f(1, a + c); f(2, float(n)); f(3, fma(a, b, b)); float m[4] = float[4](a, b, c, a);"
              "f(4, m[0] * m[1]); f(5, a - c); vec2 v = vec2(b, a) * vec2(b, c); f(6, v.x); "
              "f(7, v.y);",
              noise(), static_cast<uint32_t>(count),
              [&](uint32_t, uint32_t row) { return std::bit_cast<uint32_t>(towardZero(exact[row])); });
}

TEST_CASE("a constant that is scaled to a denormal is rounded toward zero where the shader says so") {
  checkDefect("GL_EXT_spirv_intrinsics",
              "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4468], 4463, 32);\n"
              "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4464], 4459, 32);\n"
              "layout(constant_id = 0) const float a = 1.7; layout(constant_id = 1) const float b = -3.9;\n",
              "r(0) = floatBitsToUint(ldexp(a, -149)); r(1) = floatBitsToUint(ldexp(b, -148));", noise(), 2,
              [](uint32_t, uint32_t row) { return row == 0 ? 1u : 0x80000007u; });
}
