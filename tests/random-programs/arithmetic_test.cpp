// SPDX-License-Identifier: MIT
//
// The interpreter's arithmetic against the rules of SPIR-V.
#include "tools/programs/random-programs/interpret/arithmetic.h"
#include <bit>
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

std::optional<uint64_t> onWords(Op op, std::initializer_list<uint64_t> operands, Scalar scalar = Scalar::I32) {
  uint64_t all[4] = {};
  std::copy(operands.begin(), operands.end(), all);
  return calculate(op, scalar, all);
}

uint64_t floatWord(float value) {
  return std::bit_cast<uint32_t>(value);
}

} // namespace

TEST_CASE("divisions by zero, and of the smallest number by -1, are undefined") {
  CHECK_FALSE(onWords(Op::Divide, {7, 0}));
  CHECK_FALSE(onWords(Op::ModuloSigned, {7, 0}));
  CHECK_FALSE(onWords(Op::DivideSigned, {0x80000000, 0xffffffff}));
  CHECK_FALSE(onWords(Op::DivideSigned, {0x80, 0xff}, Scalar::I8));
  CHECK(onWords(Op::DivideSigned, {0xff80, 0xffff}, Scalar::I16) == 0x80);
}

TEST_CASE("a modulo has the sign of the divisor, a remainder that of the dividend") {
  CHECK(onWords(Op::ModuloSigned, {uint32_t(-7), 3}) == 2);
  CHECK(onWords(Op::RemainderSigned, {uint32_t(-7), 3}) == uint32_t(-1));
  CHECK(onWords(Op::ModuloSigned, {7, uint32_t(-3)}) == uint32_t(-2));
  CHECK(onWords(Op::Modulo, {uint32_t(-7), 3}) == 0xfffffff9u % 3);
}

TEST_CASE("shifts by the width or more are undefined") {
  CHECK(onWords(Op::ShiftLeft, {1, 31}) == 0x80000000);
  CHECK_FALSE(onWords(Op::ShiftLeft, {1, 32}));
  CHECK_FALSE(onWords(Op::ShiftRight, {1, 8}, Scalar::I8));
  CHECK(onWords(Op::ShiftRightSigned, {0x80, 7}, Scalar::I8) == 0xff);
}

TEST_CASE("bit fields end at the word's last bit") {
  CHECK(onWords(Op::BitFieldExtractSigned, {0xf0, 4, 4}) == 0xffffffff);
  CHECK(onWords(Op::BitFieldExtract, {0xf0, 4, 4}) == 0xf);
  CHECK(onWords(Op::BitFieldExtract, {0xf0, 4, 0}) == 0);
  CHECK(onWords(Op::BitFieldInsert, {0xffffffff, 0, 8, 8}) == 0xffff00ff);
  CHECK(onWords(Op::BitFieldInsert, {5, 0xff, 0, 32}) == 0xff);
  CHECK_FALSE(onWords(Op::BitFieldExtract, {1, 20, 13}));
}

TEST_CASE("bits are found from either end, and of negative numbers their zeros") {
  CHECK(onWords(Op::LowestBit, {0}) == 0xffffffff);
  CHECK(onWords(Op::HighestBit, {0x80000001}) == 31);
  CHECK(onWords(Op::HighestBitSigned, {0xffffffff}) == 0xffffffff);
  CHECK(onWords(Op::HighestBitSigned, {0xfffffffe}) == 0);
}

TEST_CASE("carries, borrows and high products") {
  CHECK(onWords(Op::CarryOfAdd, {0xffffffff, 1}) == 1);
  CHECK(onWords(Op::AddWithCarry, {0xffffffff, 1}) == 0);
  CHECK(onWords(Op::BorrowOfSubtract, {0, 1}) == 1);
  CHECK(onWords(Op::HighProduct, {0xffffffff, 0xffffffff}) == 0xfffffffe);
  CHECK(onWords(Op::HighProductSigned, {0xffffffff, 0xffffffff}) == 0);
}

TEST_CASE("a clamp between inverted bounds is undefined") {
  CHECK(onWords(Op::ClampSigned, {uint32_t(-9), uint32_t(-1), 4}) == uint32_t(-1));
  CHECK_FALSE(onWords(Op::Clamp, {5, uint32_t(-1), 4}));
}

TEST_CASE("floats are rounded once; what need not be kept is undefined") {
  CHECK(onWords(Op::FloatAdd, {floatWord(16777216), floatWord(1)}, Scalar::F32) == floatWord(16777216));
  CHECK(onWords(Op::FloatAdd, {floatWord(16777216), floatWord(3)}, Scalar::F32) == floatWord(16777220));
  CHECK_FALSE(onWords(Op::FloatSubtract, {floatWord(0), floatWord(1e-40f)}, Scalar::F32));
  CHECK_FALSE(onWords(Op::FloatNegate, {0}, Scalar::F32)); // -0
  CHECK_FALSE(onWords(Op::FloatMultiply, {floatWord(1e30f), floatWord(1e30f)}, Scalar::F32));
  CHECK(onWords(Op::RoundEven, {floatWord(2.5)}, Scalar::F32) == floatWord(2));
}

TEST_CASE("conversions to floats that lose bits are undefined where the rounding is open") {
  CHECK(convert(Op::FloatOfUnsigned, Scalar::I32, Scalar::F32, 0xffffffff) == floatWord(4294967296.0f));
  CHECK(convert(Op::FloatOfSigned, Scalar::I32, Scalar::F16, 2049) == std::nullopt);
  CHECK(convert(Op::FloatOfSigned, Scalar::I8, Scalar::F16, 0xff) == 0xbc00);
  CHECK(convert(Op::UnsignedOfFloat, Scalar::F32, Scalar::I8, floatWord(255.5)) == 255);
  CHECK(convert(Op::UnsignedOfFloat, Scalar::F32, Scalar::I8, floatWord(256)) == std::nullopt);
  CHECK(convert(Op::SignedOfFloat, Scalar::F32, Scalar::I16, floatWord(-1.75)) == 0xffff);
}

} // namespace dovetail::random_programs
