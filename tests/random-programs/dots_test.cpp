// SPDX-License-Identifier: MIT
//
// Integer dots in the interpreter: which numbers have signs, and where they saturate.
#include "tests/random-programs/small_shaders.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

Expression dot(DotForm form, Expression x, Expression y, Type type = I32) {
  Expression result = make(Op::Dot, type, {std::move(x), std::move(y)});
  result.words = {uint64_t(form)};
  return result;
}

Expression saturating(Expression result, uint64_t accumulator) {
  result.arguments.push_back(constant(result.type, accumulator));
  return result;
}

std::optional<uint32_t> valueOf(Expression expression) {
  if (expression.type != I32)
    expression = make(Op::ConvertUnsigned, I32, {std::move(expression)});
  SmallProgram program;
  program.body = {store(std::move(expression))};
  const Interpretation result = interpret(shaderOf(std::move(program)));
  return result.undefined ? std::nullopt : std::optional(result.output[0]);
}

} // namespace

TEST_CASE("packed bytes have signs by the dot's form") {
  const Expression ones = word(0xffffffff), two = word(2);
  CHECK(valueOf(dot(DotForm::Unsigned, ones, two)) == 510);
  CHECK(valueOf(dot(DotForm::Signed, ones, two)) == uint32_t(-2));
  CHECK(valueOf(dot(DotForm::Mixed, ones, word(255))) == uint32_t(-255));
}

TEST_CASE("the last sum of a dot saturates by the form's sign") {
  CHECK(valueOf(saturating(dot(DotForm::Unsigned, word(1), word(1)), 0xffffffff)) == 0xffffffff);
  CHECK(valueOf(saturating(dot(DotForm::Signed, word(1), word(1)), 0xffffffff)) == 0);
  CHECK(valueOf(saturating(dot(DotForm::Signed, word(1), word(1)), 0x7fffffff)) == 0x7fffffff);
  CHECK(valueOf(saturating(dot(DotForm::Mixed, word(0xff), word(1)), 0x80000000)) == 0x80000000);
}

TEST_CASE("a saturating dot whose products overflow is undefined, a plain one keeps the low bits") {
  const Expression large = constant({Scalar::I8, 2}, 100);
  CHECK(valueOf(dot(DotForm::Signed, large, large, I8)) == (20000 & 0xff));
  CHECK(valueOf(saturating(dot(DotForm::Signed, large, large, I8), 0)) == std::nullopt);
  CHECK(valueOf(saturating(dot(DotForm::Signed, large, large, I16), 20000)) == 32767);
}

} // namespace dovetail::random_programs
