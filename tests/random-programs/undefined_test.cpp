// SPDX-License-Identifier: MIT
//
// The interpreter refuses undefined programs, and the generator makes none of them.
#include "tests/random-programs/small_shaders.h"
#include "tools/programs/random-programs/generate/generate.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

bool isUndefined(Block body) {
  SmallProgram program{.variables = words(2)};
  program.body = std::move(body);
  return interpret(shaderOf(std::move(program))).undefined.has_value();
}

Statement share(Expression index) {
  Statement statement = store(lane());
  statement.space = Space::Shared;
  statement.values[1] = std::move(index);
  return statement;
}

Expression shared(Expression index) {
  Expression load = make(Op::Load, I32, {std::move(index)});
  load.space = Space::Shared;
  return load;
}

Expression last() {
  return binary(Op::Subtract, word(63), lane());
}

} // namespace

TEST_CASE("what another invocation has written is read behind a barrier") {
  CHECK_FALSE(isUndefined({share(lane()), jump(StatementKind::Barrier), store(shared(last()))}));
  CHECK(isUndefined({share(lane()), store(shared(last()))}));
  CHECK(isUndefined({share(word(0))}));
  CHECK(isUndefined({store(shared(lane()))})); // nobody has written it
}

TEST_CASE("a barrier is where all invocations are") {
  CHECK_FALSE(isUndefined({when(binary(Op::Less, lane(), word(64)), {jump(StatementKind::Barrier)})}));
  CHECK(isUndefined({when(binary(Op::Less, lane(), word(63)), {jump(StatementKind::Barrier)})}));
}

TEST_CASE("indices are within arrays") {
  auto loaded = [](Expression index) {
    Expression load = make(Op::Load, I32, {std::move(index)});
    load.space = Space::Push;
    return load;
  };
  CHECK_FALSE(isUndefined({store(loaded(word(PushElements - 1)))}));
  CHECK(isUndefined({store(loaded(word(PushElements)))}));
  CHECK(isUndefined({store(word(1), OutputWords)}));
}

TEST_CASE("what is not executed is not undefined") {
  const Expression quotient = binary(Op::Divide, word(1), lane());
  CHECK(isUndefined({store(quotient)}));
  CHECK_FALSE(isUndefined({when(binary(Op::Greater, lane(), word(0)), {store(quotient)})}));
}

TEST_CASE("generated shaders are defined, and the same for the same seed") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    GeneratorOptions options;
    options.seed = seed;
    options.programs = 8;
    const Shader shader = generate(options);
    CAPTURE(seed);
    CHECK(!shader.programs.empty());
    CHECK_FALSE(interpret(shader).undefined);
    CHECK(print(shader) == print(generate(options)));
  }
}

} // namespace dovetail::random_programs
