// SPDX-License-Identifier: MIT
//
// The interpreter's floats under the modes that a shader has.
#include "tests/random-programs/small_shaders.h"
#include "tools/programs/random-programs/check.h"
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include <bit>
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

constexpr FloatMode Keeps = {.keepsDenormals = true}, Flushes = {.flushesDenormals = true},
                    ToZero = {.roundsToZero = true}, Signs = {.keepsSigns = true};

uint64_t wordOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

std::optional<uint64_t> calculated(Op op, float x, float y, const FloatMode &mode) {
  const uint64_t operands[4] = {wordOf(x), wordOf(y)};
  return calculate(op, Scalar::F32, operands, mode);
}

} // namespace

TEST_CASE("denormals are kept, flushed, or undefined") {
  CHECK(calculated(Op::FloatMultiply, 0x1p-100f, 0x1p-40f, Keeps) == wordOf(0x1p-140f));
  CHECK(calculated(Op::FloatMultiply, 0x1p-100f, 0x1p-40f, Flushes) == 0);
  CHECK(calculated(Op::FloatMultiply, 0x1p-100f, 0x1p-40f, {}) == std::nullopt);
  CHECK(calculated(Op::FloatMultiply, -0x1p-100f, 0x1p-40f, Flushes) == std::nullopt); // either zero would be right
  CHECK(encodeFloat(Scalar::F16, 0x1p-20, Keeps) == 1 << 4);
}

TEST_CASE("sums, products and conversions are rounded toward zero") {
  CHECK(calculated(Op::FloatAdd, 16777216, 3, ToZero) == wordOf(16777218));
  CHECK(calculated(Op::FloatAdd, 16777216, 3, {}) == wordOf(16777220));
  CHECK(calculated(Op::FloatSubtract, 1, 0x1p-60f, ToZero) == wordOf(0x1.fffffep-1f));
  CHECK(calculated(Op::FloatSubtract, -1, -0x1p-60f, ToZero) == wordOf(-0x1.fffffep-1f));
  CHECK(convert(Op::FloatOfUnsigned, Scalar::I32, Scalar::F32, 0xffffffff, ToZero) == wordOf(0x1.fffffep31f));
  CHECK(convert(Op::FloatOfSigned, Scalar::I32, Scalar::F16, 2051, ToZero) == 0x6801);
  CHECK(convert(Op::FloatOfSigned, Scalar::I32, Scalar::F16, 2051, {.roundsToEven = true}) == 0x6802);
}

TEST_CASE("negative zeros and infinities are there where their signs are kept") {
  CHECK(calculated(Op::FloatMultiply, -1, 0, Signs) == wordOf(-0.0f));
  CHECK(calculated(Op::FloatMultiply, -1, 0, {}) == std::nullopt);
  CHECK(calculated(Op::FloatMultiply, 1e30f, -1e30f, Signs) == 0xff800000);
  CHECK(calculated(Op::FloatMinimum, 0.0f, -0.0f, Signs) == std::nullopt);
  const uint64_t infinity = 0x7f800000, operands[4] = {infinity, infinity};
  CHECK(calculate(Op::FloatSubtract, Scalar::F32, operands, Signs) == std::nullopt); // a NaN
}

TEST_CASE("a shader's code rounds and keeps as its modes say") {
  SmallProgram program;
  Expression sum = make(Op::FloatAdd, F32, {make(Op::FloatOfUnsigned, F32, {lane()}), constant(F32, wordOf(16777216))});
  Expression small =
      make(Op::FloatMultiply, F32, {make(Op::FloatOfUnsigned, F32, {lane()}), constant(F32, wordOf(0x1p-126f))});
  small = make(Op::FloatMultiply, F32, {std::move(small), constant(F32, wordOf(0.125f))});
  program.body = {store(make(Op::Bitcast, I32, {sum})), store(make(Op::Bitcast, I32, {small}), 1)};
  Shader shader = shaderOf(program);
  shader.floatModes[0] = {.keepsDenormals = true, .roundsToZero = true};
  CHECK(firstWords(shader)[3] == wordOf(16777218));
  FindingKind kind = FindingKind::Crash;
  runInWorkers(
      1, {}, [&](size_t) { return encode(check(shader, {})); },
      [&](size_t, const WorkerReply &reply) {
        kind = decode(reply, {}).kind;
        return true;
      });
  CHECK((kind == FindingKind::None));
}

} // namespace dovetail::random_programs
