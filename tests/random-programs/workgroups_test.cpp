// SPDX-License-Identifier: MIT
//
// Several workgroups, the memory that they share, and atomics whose order does not matter.
#include "tests/random-programs/small_shaders.h"
#include <doctest/doctest.h>

namespace dovetail::random_programs {

namespace {

Statement shared(Statement statement, Expression index) {
  statement.space = Space::Shared;
  statement.values[1] = std::move(index);
  return statement;
}

Statement add(Expression value, Expression index, AtomicForm form = AtomicForm::Add) {
  Statement statement = shared(store(std::move(value)), std::move(index));
  statement.kind = StatementKind::Atomic;
  statement.form = uint8_t(form);
  return statement;
}

Expression loadShared(Expression index) {
  Expression load = make(Op::Load, I32, {std::move(index)});
  load.space = Space::Shared;
  return load;
}

Expression ownPlace() {
  return binary(Op::And, lane(), word(63));
}

// Three workgroups.
Shader groupsOf(Block body) {
  SmallProgram program{.variables = words(1)};
  program.body = std::move(body);
  Shader shader = shaderOf(std::move(program));
  shader.lanes = 192;
  return shader;
}

bool isUndefined(Block body) {
  return interpret(groupsOf(std::move(body))).undefined.has_value();
}

} // namespace

TEST_CASE("each workgroup has shared words of its own") {
  const Statement barrier = jump(StatementKind::Barrier);
  const Block body = {shared(store(word(100)), ownPlace()), barrier, add(make(Op::Group, I32, {}), word(5)), barrier,
                      store(loadShared(word(5)))};
  const std::vector<uint32_t> found = firstWords(groupsOf(body));
  CHECK(found[0] == 100);
  CHECK(found[64] == 100 + 64);
  CHECK(found[191] == 100 + 2 * 64);
}

TEST_CASE("an atomic is a race with loads, stores and atomics of another kind until the next barrier") {
  const Statement barrier = jump(StatementKind::Barrier), put = shared(store(lane()), ownPlace());
  const Statement first = add(word(1), word(0));
  CHECK_FALSE(isUndefined({put, barrier, first, first, barrier, store(loadShared(word(0)))}));
  CHECK(isUndefined({put, first}));
  CHECK(isUndefined({put, barrier, first, store(loadShared(word(0)))}));
  CHECK(isUndefined({put, barrier, first, put}));
  CHECK(isUndefined({put, barrier, first, add(word(1), word(0), AtomicForm::Xor)}));
}

TEST_CASE("a barrier may be where one workgroup is, as a whole") {
  const Expression isSecond = binary(Op::Equal, make(Op::Group, I32, {}), word(1));
  CHECK_FALSE(isUndefined({when(isSecond, {jump(StatementKind::Barrier)})}));
  CHECK(isUndefined({when(binary(Op::Less, lane(), word(65)), {jump(StatementKind::Barrier)})}));
}

TEST_CASE("a counter is of all workgroups") {
  Statement count = add(word(1), word(0));
  count.space = Space::Counters;
  CHECK(interpret(groupsOf({count})).counters[0] == initialCounter(0) + 192);
}

} // namespace dovetail::random_programs
